// How many threads of which role a node has, and on which PUs they run: libcorewise-affinity's plan.
#pragma once

#include <corewise/affinity.h>

#include <cstddef>
#include <string>
#include <vector>

#include "transport.hpp"

namespace corewise::pgas::detail {

/// The plan for one node's threads. Options and COREWISE_AFFINITY give the number of threads of each role. By
/// default it follows from the PUs of the process: with one PU, one thread has all duties; with two or three,
/// the comm_server also serves messages; from four on, an eighth of the PUs, at least one, are helpers. A job
/// of one node has no messages to serve: its comm_server runs tasks too, so that all PUs do.
class ThreadPlan {
 public:
  /// Collective: processes of one host that share an affinity mask divide it.
  /// @throws Error where the threads cannot be placed.
  ThreadPlan(Transport& transport, const Options& options);
  ~ThreadPlan();
  ThreadPlan(const ThreadPlan&) = delete;
  ThreadPlan& operator=(const ThreadPlan&) = delete;

  [[nodiscard]] int workers() const noexcept { return workers_; }
  [[nodiscard]] int helpers() const noexcept { return helpers_; }
  [[nodiscard]] const char* policy() const noexcept { return cw_thread_plan_policy(plan_); }

  /// Binds the calling thread, number `index` of its role, and reads its mask back to verify it.
  /// @throws Error where that fails.
  void bind(const char* role, std::size_t index) const;

  /// Whether threads share PUs, with each other or with other nodes' threads.
  [[nodiscard]] bool oversubscribed() const noexcept { return oversubscribed_; }

  /// The plan as libcorewise-affinity prints it.
  [[nodiscard]] std::string text() const;

 private:
  cw_thread_plan_t* plan_ = nullptr;
  int workers_ = 0;
  int helpers_ = 0;
  bool oversubscribed_ = false;
};

}  // namespace corewise::pgas::detail
