// A node's instances of distributed objects, and what the public headers call to reach them.
#include "object_directory.hpp"

#include <string>

#include "corewise/pgas/detail/objects.hpp"
#include "node.hpp"

namespace corewise::pgas::detail {

ObjectDirectory::ObjectDirectory(int node, int n_nodes)
    : node_(static_cast<std::uint32_t>(node)),
      n_nodes_(static_cast<std::uint32_t>(n_nodes)),
      instances_(max_objects),
      destroyers_(max_objects) {}

ObjectDirectory::~ObjectDirectory() {
  for (std::uint32_t id = 0; id < max_objects; ++id) {
    if (void* const object = instances_[id].load()) destroyers_[id](object);
  }
}

std::uint32_t ObjectDirectory::new_id() {
  const std::lock_guard lock(mutex_);
  if (!free_ids_.empty()) {
    const std::uint32_t id = free_ids_.back();
    free_ids_.pop_back();
    return id;
  }
  // 0 is no object; the others belong to the nodes in turn, so that each gives out its own.
  const std::uint32_t id = 1 + n_ids_made_ * n_nodes_ + node_;
  if (id >= max_objects) {
    throw Error("node " + std::to_string(node_) + " has made " + std::to_string(n_ids_made_) +
                " arrays and maps at the same time, more than fit: destroy() those no longer used");
  }
  ++n_ids_made_;
  return id;
}

void ObjectDirectory::keep(std::uint32_t id, void* object, void (*destroy)(void*)) {
  const std::lock_guard lock(mutex_);
  destroyers_[id] = destroy;
  instances_[id].store(object, std::memory_order_release);
}

void ObjectDirectory::drop(std::uint32_t id) {
  void* object = nullptr;
  void (*destroy)(void*) = nullptr;
  {
    const std::lock_guard lock(mutex_);
    object = instances_[id].exchange(nullptr);
    destroy = destroyers_[id];
    if ((id - 1) % n_nodes_ == node_) free_ids_.push_back(id);
  }
  if (object != nullptr) destroy(object);
}

std::uint32_t new_object_id() { return current_node().objects().new_id(); }

void keep_object(std::uint32_t id, void* object, void (*destroy)(void*)) {
  current_node().objects().keep(id, object, destroy);
}

void destroy_object(std::uint32_t id) {
  Completion done;
  for (int node = 0; node < this_context->n_nodes(); ++node) {
    spawn_on(node, done, [id] { current_node().objects().drop(id); });
  }
  done.wait();
}

void throw_no_object(std::uint32_t id) {
  throw Error("array or map " + std::to_string(id) + " does not exist on node " +
              std::to_string(this_context->node()) + ": was it created, and is it not destroyed yet?");
}

}  // namespace corewise::pgas::detail
