/// Objects that exist once on every node under one id: the blocks of an array, the shards of a map.
#pragma once

#include <cstdint>
#include <utility>

#include "corewise/pgas/detail/remote_call.hpp"

namespace corewise::pgas::detail {

/// Objects that can exist at the same time. An id is the object's place in the directory, below max_objects,
/// and above it the generation of that place: how many objects were there before. So the id of a destroyed
/// object does not find the one that has its place now.
inline constexpr std::uint32_t max_objects = 1U << 16U;

/// A new id, unique in the job. @throws Error where this node has made too many.
[[nodiscard]] std::uint32_t new_object_id();

/// Hands this node's instance over to the runtime, which calls destroy(object) on it at the latest when the
/// run ends.
void keep_object(std::uint32_t id, void* object, void (*destroy)(void*));

/// Destroys the instances of all nodes and returns when that is done.
void destroy_object(std::uint32_t id);

/// @throws Error saying that this node has no such object.
[[noreturn]] void throw_no_object(std::uint32_t id);

/// This node's instance. @throws Error where there is none.
template <class Object>
[[nodiscard]] Object& object(const ThreadContext& context, std::uint32_t id) {
  void* const found = context.find_object(id);
  if (found == nullptr) [[unlikely]]
    throw_no_object(id);
  return *static_cast<Object*>(found);
}

/// Makes Object(args...) on every node; `args` are trivially copyable. @return the id.
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
