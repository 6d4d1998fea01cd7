/// Counts what a task has started and waits for it, with one atomic word shared with those who finish it.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>

namespace corewise::pgas::detail {

class Fiber;

/// Tells a task that the run has failed elsewhere.
[[noreturn]] void throw_failed();

/// Owned and waited for by one task; completed from any thread of its node.
///
/// The owner counts what it starts in a plain number (`issued_`) and publishes it only when it waits, so that
/// starting an operation costs no atomic. state_ = 2 * (published - completed) + waiting: it can only become
/// 1 when the owner waits and nothing is left, and who makes it 1 wakes the owner. After that the finisher no
/// longer touches the object, so it may lie on the owner's stack.
class Completion {
 public:
  Completion() = default;

  /// Waits: what is under way must find this object, also when an exception leaves its block.
  ~Completion() { (void)ended(); }
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;

  /// The owner is about to start `count` operations.
  void expect(std::int64_t count = 1) noexcept { issued_ += count; }

  /// One more, started by the owner before it waits, or by a task that counts here itself.
  void expect_from_anywhere() noexcept { state_.fetch_add(2, std::memory_order_relaxed); }

  /// `count` of them have ended; any thread of this node.
  void complete(std::int64_t count) noexcept {
    if (state_.fetch_sub(2 * count, std::memory_order_acq_rel) - 2 * count == 1) wake_owner();
  }

  [[nodiscard]] bool done() const noexcept { return state_.load(std::memory_order_acquire) == -2 * issued_; }

  /// Lets other tasks go on until all has ended. @throws Error when the run has failed.
  void wait() {
    if (!ended()) throw_failed();
  }

  /// As wait(), in a destructor: does not throw while an exception is on its way.
  void wait_in_destructor() {
    if (!ended() && std::uncaught_exceptions() == 0) throw_failed();
  }

 private:
  /// Waits. @return false where the run has failed.
  [[nodiscard]] bool ended() {
    if (!done()) return block();
    state_.store(0, std::memory_order_relaxed);
    issued_ = 0;
    return true;
  }

  [[nodiscard]] bool block();
  void wake_owner() noexcept;

  std::int64_t issued_ = 0;
  std::atomic<std::int64_t> state_{0};
  Fiber* owner_ = nullptr;
};

}  // namespace corewise::pgas::detail
