// Gives tasks to workers, and finds a task to steal.
#include "workers.hpp"

#include "node_thread.hpp"

namespace corewise::pgas::detail {

void Workers::push(Task* task) {
  const unsigned turn = next_.fetch_add(1, std::memory_order_relaxed);
  threads_[turn % threads_.size()]->inbox().push(task);
}

Task* Workers::steal(const NodeThread& thief) {
  for (NodeThread* const worker : threads_) {
    if (worker == &thief) continue;
    if (Task* const task = worker->steal()) return task;
  }
  return nullptr;
}

void Workers::wake_first_asleep() {
  for (NodeThread* const worker : threads_) {
    if (!worker->inbox().asleep()) continue;
    worker->inbox().wake();
    return;
  }
}

}  // namespace corewise::pgas::detail
