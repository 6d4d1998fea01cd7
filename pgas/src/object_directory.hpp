// A node's instances of distributed objects by id, and the ids that this node assigns.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace corewise::pgas::detail {

/// Safe in any thread. Look-ups read instances() without a lock.
class ObjectDirectory {
 public:
  ObjectDirectory(int node, int n_nodes);

  /// Destroys the instances that are left.
  ~ObjectDirectory();
  ObjectDirectory(const ObjectDirectory&) = delete;
  ObjectDirectory& operator=(const ObjectDirectory&) = delete;

  /// [place] of max_objects places: generation of the id << 48, plus address; 0: no object.
  [[nodiscard]] std::atomic<std::uint64_t>* instances() noexcept { return instances_.data(); }

  /// A new id, unique in the job. @throws Error if this node has assigned too many.
  [[nodiscard]] std::uint32_t new_id();

  /// Takes over this node's instance, to be freed by destroy(object).
  void keep(std::uint32_t id, void* object, void (*destroy)(void*));

  /// Destroys this node's instance, and frees its place if this node assigned the id. @throws Error if there
  /// is no such object.
  void drop(std::uint32_t id);

 private:
  const std::uint32_t node_;
  const std::uint32_t n_nodes_;
  std::vector<std::atomic<std::uint64_t>> instances_;
  std::mutex mutex_;  // protects the following
  std::vector<void (*)(void*)> destroyers_;
  std::deque<std::uint32_t> free_ids_;  // with the next generation; the oldest is reused first
  std::uint32_t n_ids_made_ = 0;
};

}  // namespace corewise::pgas::detail
