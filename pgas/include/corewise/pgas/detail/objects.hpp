/// Objects with one instance on every node under the same id: the blocks of an array, the shards of a map.
#pragma once

#include <cstdint>
#include <utility>

#include "corewise/pgas/detail/remote_call.hpp"

namespace corewise::pgas::detail {

/// Greatest number of objects at a time. The lower bits of an id are the object's place in the directory. The
/// upper bits are the generation of the place, the number of earlier objects there. So the id of a destroyed
/// object does not refer to the object that has the place now.
inline constexpr std::uint32_t max_objects = 1U << 16U;

/// A new id, unique in the job. @throws Error if this node has created too many.
[[nodiscard]] std::uint32_t new_object_id();

/// Gives this node's instance to the runtime, which calls destroy(object) at the end of the run at the
/// latest.
void keep_object(std::uint32_t id, void* object, void (*destroy)(void*));

/// Destroys the instances of all nodes; returns when all are destroyed.
void destroy_object(std::uint32_t id);

/// @throws Error: this node has no such object.
[[noreturn]] void throw_no_object(std::uint32_t id);

/// This node's instance. @throws Error if there is none.
template <class Object>
[[nodiscard]] Object& object(const ThreadContext& context, std::uint32_t id) {
  void* const found = context.find_object(id);
  if (found == nullptr) [[unlikely]]
    throw_no_object(id);
  return *static_cast<Object*>(found);
}

/// Creates Object(args...) on every node; `args` are trivially copyable. @return the id.
template <class Object, class... Args>
[[nodiscard]] std::uint32_t create_object(Args... args) {
  const std::uint32_t id = new_object_id();
  Completion done;
  for (int node = 0; node < this_context->n_nodes(); ++node) {
    spawn_on(node, done, [id, args...] {
      keep_object(id, new Object(args...), [](void* instance) { delete static_cast<Object*>(instance); });
    });
  }
  done.wait();
  return id;
}

}  // namespace corewise::pgas::detail
