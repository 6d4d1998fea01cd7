// The queue of messages for helpers.
#include "helpers.hpp"

#include "node_thread.hpp"

namespace corewise::pgas::detail {

void Helpers::push(Buffer* message) {
  {
    const std::lock_guard lock(mutex_);
    messages_.push_back(message);
    any_.store(true, std::memory_order_seq_cst);
  }
  for (NodeThread* const helper : threads_) helper->inbox().wake();
}

Buffer* Helpers::pop() {
  if (!any_.load(std::memory_order_acquire)) return nullptr;
  const std::lock_guard lock(mutex_);
  if (messages_.empty()) return nullptr;
  Buffer* const message = messages_.front();
  messages_.pop_front();
  if (messages_.empty()) any_.store(false, std::memory_order_relaxed);
  return message;
}

}  // namespace corewise::pgas::detail
