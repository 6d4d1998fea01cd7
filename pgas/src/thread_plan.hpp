// How many threads of each role a node has, and on which PUs they run: the plan of libcorewise-affinity.
#pragma once

#include <corewise/affinity.h>

#include <cstddef>
#include <string>
#include <vector>

#include "transport.hpp"

namespace corewise::pgas::detail {

/// The plan for one node's threads. Options and COREWISE_AFFINITY set the number of threads of each role. The
/// default depends on the number of PUs of the process. With one PU, one thread has all duties. With two or
/// three, the comm_server also serves messages. From four on, an eighth of the PUs, at least one, are
/// helpers. A job of one node has no messages to serve, so its comm_server runs tasks.
class ThreadPlan {
 public:
  /// Collective, because processes of one host with the same affinity mask divide it among them.
  /// @throws Error if the threads can't be placed.
  ThreadPlan(Transport& transport, const Options& options);
  ~ThreadPlan();
  ThreadPlan(const ThreadPlan&) = delete;
  ThreadPlan& operator=(const ThreadPlan&) = delete;

  [[nodiscard]] int workers() const noexcept { return workers_; }
  [[nodiscard]] int helpers() const noexcept { return helpers_; }
  [[nodiscard]] const char* policy() const noexcept { return cw_thread_plan_policy(plan_); }

  /// Binds the calling thread, number `index` of its role, and verifies its mask.
  /// @throws Error if that fails.
  void bind(const char* role, std::size_t index) const;

  /// Do threads share PUs, with each other or with threads of other nodes?
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
