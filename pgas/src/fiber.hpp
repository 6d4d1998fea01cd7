// Fibers: stacks that a thread switches between (Boost.Context), with guard pages and support for sanitizers.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "sanitizers.hpp"

namespace corewise::pgas::detail {

class NodeThread;

/// One stack of one thread. A fiber never moves to another thread, so references to thread-local variables
/// stay valid across a switch.
class Fiber {
 public:
  using Entry = void (*)(NodeThread&);

  /// Represents the thread's original stack. The thread calls enter_thread() before its first switch.
  explicit Fiber(NodeThread& thread) : thread_(thread) {}
  void enter_thread();

  /// A new stack, created on its thread. The first switch to it calls entry(thread), which never returns.
  /// @throws Error if memory runs out.
  Fiber(NodeThread& thread, std::size_t stack_bytes, Entry entry);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Switches from this fiber, which is running, to `next`; returns when another fiber switches back.
  void switch_to(Fiber& next);

  [[nodiscard]] NodeThread& thread() const noexcept { return thread_; }

  /// Is it waiting in the middle of a task?
  [[nodiscard]] bool suspended() const noexcept { return suspended_; }
  void set_suspended(bool suspended) noexcept { suspended_ = suspended; }

 private:
  /// Passed by a switch to the fiber that continues.
  struct Transfer {
    Fiber* from;
    Fiber* to;
  };

  /// A thread's caught and uncaught exceptions (__cxa_eh_globals of the C++ ABI). They belong to the stack,
  /// so each switch saves and restores them.
  struct ExceptionState {
    void* caught;
    unsigned int uncaught;
  };

  static void arrive(const Transfer& transfer) {
    Fiber& from = *transfer.from;
    sanitizer::finish_switch(transfer.to->asan_stack_, &from.stack_bottom_, &from.stack_bytes_);
  }
  friend struct FiberEntry;
  friend class FiberQueue;

  NodeThread& thread_;
  Fiber* next_ = nullptr;  // in a FiberQueue
  bool suspended_ = false;
  ExceptionState* exceptions_ = nullptr;  // of the thread
  Entry entry_ = nullptr;
  void* context_ = nullptr;
  std::byte* mapping_ = nullptr;
  std::size_t mapping_bytes_ = 0;
  void* tsan_fiber_ = nullptr;
  void* asan_stack_ = nullptr;          // AddressSanitizer's fake stack while another fiber runs
  const void* stack_bottom_ = nullptr;  // for AddressSanitizer
  std::size_t stack_bytes_ = 0;
};

// Inlined, because a return after a switch is always mispredicted: the processor predicts the return address
// of the fiber that ran before.
[[gnu::always_inline]] inline void Fiber::switch_to(Fiber& next_fiber) {
  const ExceptionState saved = std::exchange(*exceptions_, {});
  Transfer way{this, &next_fiber};
  sanitizer::start_switch(&asan_stack_, next_fiber.stack_bottom_, next_fiber.stack_bytes_);
  sanitizer::switch_to_fiber(next_fiber.tsan_fiber_);
  const auto back = boost::context::detail::jump_fcontext(next_fiber.context_, &way);
  const auto& returned = *static_cast<const Transfer*>(back.data);
  returned.from->context_ = back.fctx;
  arrive(returned);
  *exceptions_ = saved;
}

}  // namespace corewise::pgas::detail
