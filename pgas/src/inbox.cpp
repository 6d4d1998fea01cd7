// Adds to an inbox and wakes its thread.
#include "inbox.hpp"

namespace corewise::pgas::detail {

void Inbox::push(Task* task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(task);
    any_.store(true, std::memory_order_seq_cst);
  }
  wake();
}

void Inbox::push(Fiber* fiber) {
  {
    const std::lock_guard lock(mutex_);
    fibers_.push_back(fiber);
    any_.store(true, std::memory_order_seq_cst);
  }
  wake();
}

void Inbox::wake() {
  if (!asleep() || !asleep_.exchange(false, std::memory_order_seq_cst)) return;  // awake, or being woken
  const std::lock_guard lock(mutex_);
  awakened_.notify_one();
}

}  // namespace corewise::pgas::detail
