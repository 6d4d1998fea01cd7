// Waiting for a Completion: suspending the task that owns it, and waking it up.
#include "corewise/pgas/detail/completion.hpp"

#include "corewise/pgas/error.hpp"
#include "node_thread.hpp"

namespace corewise::pgas::detail {

void throw_failed() { throw Error("the run has failed"); }

bool Completion::suspend_until_done() {
  NodeThread& thread = current_thread();
  if (thread.failed()) return false;
  owner_ = thread.current();
  const std::int64_t published = 2 * issued_ + 1;
  issued_ = 0;
  if (state_.fetch_add(published, std::memory_order_acq_rel) + published != 1) {
    thread.suspend();
    if (thread.failed()) return false;
  }
  state_.store(0, std::memory_order_relaxed);
  return true;
}

void Completion::wake_owner() noexcept { owner_->thread().make_ready(owner_); }

}  // namespace corewise::pgas::detail
