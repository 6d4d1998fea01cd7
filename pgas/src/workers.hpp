// The workers of a node, which run tasks.
#pragma once

#include <atomic>
#include <vector>

namespace corewise::pgas::detail {

class NodeThread;
struct Task;

/// Distributes tasks among the workers. Safe in any thread, except for add(), which is called before they
/// start.
class Workers {
 public:
  void add(NodeThread& worker) { threads_.push_back(&worker); }

  /// Gives tasks to the workers in turn; for threads that run no tasks themselves.
  void push(Task* task);

  /// A task of a worker other than the calling one, or nullptr.
  [[nodiscard]] Task* steal(const NodeThread& thief);

  /// Wakes one sleeping worker, if any, because there is work for it.
  void wake_one() {
    if (n_asleep_.load(std::memory_order_relaxed) > 0) wake_first_asleep();
  }

  /// A worker is about to sleep, or has slept.
  void note_asleep() { n_asleep_.fetch_add(1, std::memory_order_seq_cst); }
  void note_awake() { n_asleep_.fetch_sub(1, std::memory_order_seq_cst); }

 private:
  void wake_first_asleep();

  std::vector<NodeThread*> threads_;
  std::atomic<int> n_asleep_{0};
  std::atomic<unsigned> next_{0};
};

}  // namespace corewise::pgas::detail
