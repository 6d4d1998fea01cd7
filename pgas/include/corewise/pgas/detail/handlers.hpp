/// The table of message handlers. Each has a number that is the same in every process of a program.
///
/// Using handler_id<&function> anywhere registers the function before main(). Numbers follow the program's
/// order of initialisation, which is fixed at link time. Messages contain numbers instead of function
/// pointers, so address space randomisation does no harm. At start-up the nodes compare a hash of all names,
/// and refuse to run if their programs differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <typeinfo>

namespace corewise::pgas::detail {

class ThreadContext;

/// Header of a sequence of records of equal size in a message; 8-byte aligned, like all records.
struct Segment {
  std::uint32_t handler;       ///< number of its handler
  std::uint32_t record_bytes;  ///< size of one record
  std::uint32_t count;         ///< number of records
  std::uint32_t object_id;     ///< the array or map to operate on; 0: none
  std::uint64_t token;         ///< identifies the sender's Completion
};

/// A segment that has arrived.
struct Incoming {
  ThreadContext& context;  ///< of the serving thread
  int source;              ///< the node that sent it
  const Segment& segment;
  const std::byte* records;
};

/// Serves a segment. It must not wait.
using Handler = void (*)(const Incoming&);

/// Adds a handler to the table, before main(). @return its number.
std::uint32_t register_handler(const std::string& name, Handler handler);

/// The handler with this number, or nullptr.
[[nodiscard]] Handler find_handler(std::uint32_t id) noexcept;

/// Number of handlers, and a hash of their names in order.
struct HandlerTable {
  std::uint64_t count;
  std::uint64_t hash;
};
[[nodiscard]] HandlerTable handler_table() noexcept;

/// Registers `function` once per program.
template <Handler function>
struct Registered {
  static const std::uint32_t id;
};
template <Handler function>
const std::uint32_t Registered<function>::id =
    register_handler(typeid(Registered<function>).name(), function);

template <Handler function>
[[nodiscard]] std::uint32_t handler_id() noexcept {
  return Registered<function>::id;
}

}  // namespace corewise::pgas::detail
