/// The table of message handlers: each has a number that is the same in every process of one program.
///
/// A handler registers itself before main() by being named: handler_id<&function>. Numbers follow the
/// program's order of initialisation, which its link fixed, so no function pointer travels and address
/// randomisation does no harm; at start-up the nodes compare a hash of all names in order and refuse to run
/// with another program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <typeinfo>

namespace corewise::pgas::detail {

class Lane;

/// In front of each run of equal messages in a buffer; 8-byte aligned, as all records are.
struct Segment {
  std::uint32_t handler;
  std::uint32_t record_bytes;
  std::uint32_t count;    ///< records
  std::uint32_t context;  ///< of the handler: an object's id
  std::uint64_t token;    ///< of the sender: its Completion
};

/// A segment that arrived.
struct Incoming {
  Lane& lane;
  int source;
  const Segment& segment;
  const std::byte* records;
};

/// Serves a segment; never waits.
using Handler = void (*)(const Incoming&);

/// Enters a handler; only before main().
std::uint32_t register_handler(const std::string& name, Handler handler);

/// The handler of a number, or nullptr.
[[nodiscard]] Handler find_handler(std::uint32_t id) noexcept;

/// Number of handlers, and a hash of their names in order.
struct HandlerTable {
  std::uint64_t count;
  std::uint64_t hash;
};
[[nodiscard]] HandlerTable handler_table() noexcept;

/// Gives `function` its number.
template <Handler function>
struct Registered {
  static const std::uint32_t id;
};
template <Handler function>
const std::uint32_t Registered<function>::id =
    register_handler(typeid(Registered<function>).name(), function);

/// The number of a handler.
template <Handler function>
[[nodiscard]] std::uint32_t handler_id() noexcept {
  return Registered<function>::id;
}

}  // namespace corewise::pgas::detail
