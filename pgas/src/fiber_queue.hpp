// An intrusive queue of fibers.
#pragma once

#include "fiber.hpp"

namespace corewise::pgas::detail {

/// First in, first out. A fiber is in at most one queue.
class FiberQueue {
 public:
  void push(Fiber* fiber) {
    fiber->next_ = nullptr;
    (last_ ? last_->next_ : first_) = fiber;
    last_ = fiber;
  }

  /// The fiber that was pushed first, or nullptr.
  [[nodiscard]] Fiber* pop() {
    Fiber* const fiber = first_;
    if (fiber != nullptr) {
      first_ = fiber->next_;
      if (first_ == nullptr) last_ = nullptr;
    }
    return fiber;
  }

  [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }

 private:
  Fiber* first_ = nullptr;
  Fiber* last_ = nullptr;
};

}  // namespace corewise::pgas::detail
