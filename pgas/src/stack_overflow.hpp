// Naming the overflow of a task's stack, which the kernel shows as a bare segmentation fault.
#pragma once

#include <signal.h>

#include <cstddef>
#include <vector>

namespace corewise::pgas::detail {

/// While one exists, a fault in the guard page of the running task's stack is reported in one sentence before
/// SIGSEGV ends the process. All other faults go to the handler that was there before.
class StackOverflowReport {
 public:
  StackOverflowReport();
  ~StackOverflowReport();
  StackOverflowReport(const StackOverflowReport&) = delete;
  StackOverflowReport& operator=(const StackOverflowReport&) = delete;
};

/// The calling thread's stack for signal handlers, since an overflown one has no room for them.
class SignalStack {
 public:
  SignalStack();
  ~SignalStack() { sigaltstack(&before_, nullptr); }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  std::vector<std::byte> memory_;
  stack_t before_{};
};

}  // namespace corewise::pgas::detail
