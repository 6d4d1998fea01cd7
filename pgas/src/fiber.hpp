// Fibers: stacks that a thread switches between (Boost.Context), with guard pages, known to the sanitizers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace corewise::pgas::detail {

class NodeThread;

/// One stack of one thread. A fiber never changes threads, so thread-local variables hold across a switch.
class Fiber {
 public:
  using Entry = void (*)(NodeThread&);

  /// The own stack of a thread, which calls enter_thread() before its first switch.
  explicit Fiber(NodeThread& thread) : thread_(thread) {}
  void enter_thread();

  /// A new stack; entry(thread) runs on it at the first switch and never returns.
  Fiber(NodeThread& thread, std::size_t stack_bytes, Entry entry);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Leaves this fiber, the one that runs, for `next`; returns when somebody switches back.
  void switch_to(Fiber& next);

  [[nodiscard]] NodeThread& thread() const noexcept { return thread_; }

  Fiber* next = nullptr;  ///< in the one list that it is in
  bool away = false;      ///< it left in the middle of a task and has not come back

 private:
  struct Transfer;
  static void arrive(const Transfer& transfer);
  friend struct FiberEntry;

  NodeThread& thread_;
  Entry entry_ = nullptr;
  void* context_ = nullptr;
  std::byte* mapping_ = nullptr;
  std::size_t mapping_bytes_ = 0;
  void* tsan_fiber_ = nullptr;
  void* asan_stack_ = nullptr;          // its fake stack while it is away
  const void* stack_bottom_ = nullptr;  // for AddressSanitizer
  std::size_t stack_bytes_ = 0;
};

}  // namespace corewise::pgas::detail
