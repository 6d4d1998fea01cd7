// A node's instances of distributed objects, by id, and the ids that this node gives out.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace corewise::pgas::detail {

/// Used by any thread. Look-ups go straight to instances(), without a lock.
class ObjectDirectory {
 public:
  ObjectDirectory(int node, int n_nodes);

  /// Destroys the instances that are left.
  ~ObjectDirectory();
  ObjectDirectory(const ObjectDirectory&) = delete;
  ObjectDirectory& operator=(const ObjectDirectory&) = delete;

  /// [place], max_objects of them: the generation of the object's id << 48, and its address; 0: none.
  [[nodiscard]] std::atomic<std::uint64_t>* instances() noexcept { return instances_.data(); }

  /// An id that no object of the job has. @throws Error where this node has given out too many.
  [[nodiscard]] std::uint32_t new_id();

  /// Takes over this node's instance; destroy(object) frees it.
  void keep(std::uint32_t id, void* object, void (*destroy)(void*));

  /// Destroys this node's instance; its place is free again for an id of this node. @throws Error where there
  /// is no such object.
  void drop(std::uint32_t id);

 private:
  const std::uint32_t node_;
  const std::uint32_t n_nodes_;
  std::vector<std::atomic<std::uint64_t>> instances_;
  std::mutex mutex_;  // of what follows
  std::vector<void (*)(void*)> destroyers_;
  std::deque<std::uint32_t> free_ids_;  // of the next generation; the oldest is given out first
  std::uint32_t n_ids_made_ = 0;
};

}  // namespace corewise::pgas::detail
