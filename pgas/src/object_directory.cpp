// Stores and destroys a node's instances of distributed objects.
#include "object_directory.hpp"

#include <string>

#include "corewise/pgas/detail/objects.hpp"
#include "corewise/pgas/detail/shards.hpp"
#include "node.hpp"

namespace corewise::pgas::detail {
namespace {

/// The address in an entry of ObjectDirectory::instances(); nullptr: no object.
void* address_of(std::uint64_t entry) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(entry & 0xffffffffffffU));
}

}  // namespace

ObjectDirectory::ObjectDirectory(int node, int n_nodes)
    : node_(static_cast<std::uint32_t>(node)),
      n_nodes_(static_cast<std::uint32_t>(n_nodes)),
      instances_(max_objects),
      destroyers_(max_objects) {}

ObjectDirectory::~ObjectDirectory() {
  for (std::uint32_t place = 0; place < max_objects; ++place) {
    if (void* const object = address_of(instances_[place].load())) destroyers_[place](object);
  }
}

std::uint32_t ObjectDirectory::new_id() {
  const std::lock_guard lock(mutex_);
  if (!free_ids_.empty()) {
    const std::uint32_t id = free_ids_.front();
    free_ids_.pop_front();
    return id;
  }
  // 0 means no object. The other ids are divided among the nodes in turn.
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
  destroyers_[id % max_objects] = destroy;
  const std::uint64_t generation = id / max_objects;
  instances_[id % max_objects].store(generation << 48U | reinterpret_cast<std::uintptr_t>(object),
                                     std::memory_order_release);
}

void ObjectDirectory::drop(std::uint32_t id) {
  void* object = nullptr;
  void (*destroy)(void*) = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const std::uint32_t place = id % max_objects;
    const std::uint64_t found = instances_[place].load();
    if (found >> 48U == id / max_objects) object = address_of(found);
    if (object == nullptr) throw_no_object(id);
    instances_[place].store(0);
    destroy = destroyers_[place];
    // Generations wrap around after 65536; a reference to a destroyed object is not kept for so long.
    if ((place - 1) % n_nodes_ == node_) free_ids_.push_back(id + max_objects);
  }
  destroy(object);
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

void throw_no_room(std::size_t expected) {
  throw Error("no memory on node " + std::to_string(this_context->node()) + " for a map with room for " +
              std::to_string(expected) + " keys there: give create() fewer, the map grows");
}

void throw_no_object(std::uint32_t id) {
  throw Error("array or map " + std::to_string(id % max_objects) + " does not exist on node " +
              std::to_string(this_context->node()) + ": was it created, and is it not destroyed yet?");
}

}  // namespace corewise::pgas::detail
