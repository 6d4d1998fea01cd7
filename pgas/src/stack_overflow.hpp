// Reports the overflow of a task's stack, which would otherwise look like any segmentation fault.
#pragma once

#include <signal.h>

#include <cstddef>
#include <vector>

namespace corewise::pgas::detail {

/// While an instance exists, a fault in the guard page of the running task's stack is reported in one
/// sentence before SIGSEGV ends the process. Other faults go to the previous handler.
class StackOverflowReport {
 public:
  StackOverflowReport();
  ~StackOverflowReport();
  StackOverflowReport(const StackOverflowReport&) = delete;
  StackOverflowReport& operator=(const StackOverflowReport&) = delete;
};

/// A separate stack for the calling thread's signal handlers, because a full stack has no room for them.
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
