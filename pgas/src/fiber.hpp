// Fibers: stacks that a thread switches between (Boost.Context), with guard pages, known to the sanitizers.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "sanitizers.hpp"

namespace corewise::pgas::detail {

class NodeThread;

/// One stack of one thread. A fiber never changes threads, so thread-local variables hold across a switch.
class Fiber {
 public:
  using Entry = void (*)(NodeThread&);

  /// The own stack of a thread, which calls enter_thread() before its first switch.
  explicit Fiber(NodeThread& thread) : thread_(thread) {}
  void enter_thread();

  /// A new stack, made on its thread; entry(thread) runs on it at the first switch and never returns.
  Fiber(NodeThread& thread, std::size_t stack_bytes, Entry entry);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Leaves this fiber, the one that runs, for `next`; returns when somebody switches back.
  void switch_to(Fiber& next);

  [[nodiscard]] NodeThread& thread() const noexcept { return thread_; }

  Fiber* next = nullptr;   ///< link of the one queue that it is in
  bool suspended = false;  ///< it waits in the middle of a task

 private:
  /// What travels with a switch.
  struct Transfer {
    Fiber* from;
    Fiber* to;
  };

  /// A thread's exceptions under way and caught (__cxa_eh_globals of the C++ ABI): they belong to the stack,
  /// so a switch takes them along.
  struct ExceptionState {
    void* caught;
    unsigned int uncaught;
  };

  static void arrive(const Transfer& transfer) {
    Fiber& from = *transfer.from;
    sanitizer::finish_switch(transfer.to->asan_stack_, &from.stack_bottom_, &from.stack_bytes_);
  }
  friend struct FiberEntry;

  NodeThread& thread_;
  ExceptionState* exceptions_ = nullptr;  // the thread's
  Entry entry_ = nullptr;
  void* context_ = nullptr;
  std::byte* mapping_ = nullptr;
  std::size_t mapping_bytes_ = 0;
  void* tsan_fiber_ = nullptr;
  void* asan_stack_ = nullptr;          // its fake stack while another fiber runs
  const void* stack_bottom_ = nullptr;  // for AddressSanitizer
  std::size_t stack_bytes_ = 0;
};

// Inlined, since each return after a switch is mispredicted: the processor's stack of return addresses still
// is the other fiber's.
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
