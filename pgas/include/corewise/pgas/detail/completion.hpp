/// Counts the operations that a task has started, and lets the task wait until all have ended.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>

namespace corewise::pgas::detail {

class Fiber;

/// @throws Error: the run has failed. The cause is reported elsewhere.
[[noreturn]] void throw_failed();

/// Owned and waited for by one task. Any thread of its node can complete operations.
///
/// The owner counts the operations that it starts in a plain number (`issued_`), and publishes the number
/// only when it waits: so starting an operation needs no atomic access. state_ = 2 * (published - completed)
/// + waiting. It becomes 1 only when the owner waits and all operations have ended. The thread that makes it
/// 1 wakes the owner and does not touch the object afterwards, so the object may be on the owner's stack.
class Completion {
 public:
  Completion() = default;

  /// Waits, because operations in flight refer to this object.
  ~Completion() { (void)wait_until_done(); }
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;

  /// The owner is about to start `count` operations.
  void expect(std::int64_t count = 1) noexcept { issued_ += count; }

  /// Another operation is about to start. Any thread may call this while the owner can't be done: the caller
  /// must be the owner, or an operation that is counted here and has not ended.
  void expect_from_anywhere() noexcept { state_.fetch_add(2, std::memory_order_relaxed); }

  /// `count` operations have ended; any thread of this node.
  void complete(std::int64_t count) noexcept {
    if (state_.fetch_sub(2 * count, std::memory_order_acq_rel) - 2 * count == 1) wake_owner();
  }

  /// Have all operations ended?
  [[nodiscard]] bool done() const noexcept { return state_.load(std::memory_order_acquire) == -2 * issued_; }

  /// Runs other tasks until all operations have ended. @throws Error if the run has failed.
  void wait() {
    if (!wait_until_done()) throw_failed();
  }

  /// Like wait(), but does not throw while another exception is unwinding the stack.
  void wait_in_destructor() {
    if (!wait_until_done() && std::uncaught_exceptions() == 0) throw_failed();
  }

 private:
  /// @return false if the run has failed.
  [[nodiscard]] bool wait_until_done() {
    if (!done()) return suspend_until_done();
    state_.store(0, std::memory_order_relaxed);
    issued_ = 0;
    return true;
  }

  [[nodiscard]] bool suspend_until_done();
  void wake_owner() noexcept;

  std::int64_t issued_ = 0;
  std::atomic<std::int64_t> state_{0};
  Fiber* owner_ = nullptr;  // set while the owner waits
};

}  // namespace corewise::pgas::detail
