// How many threads of which role a node has, and where they run: libcorewise-affinity's plan.
#pragma once

#include <corewise/affinity.h>

#include <cstddef>
#include <string>
#include <vector>

#include "transport.hpp"

namespace corewise::pgas::detail {

/// A node's threads, placed. Role counts follow Options and COREWISE_AFFINITY, else the process's PUs: one
/// does everything; up to three, the comm_server helps too; from four on an eighth, at least one, are
/// helpers. A node that is alone has no one to serve: its comm_server works, and all PUs run tasks.
class ThreadPlan {
 public:
  /// Collective: nodes whose processes share a mask divide it.
  ThreadPlan(Transport& transport, const Options& options);
  ~ThreadPlan();
  ThreadPlan(const ThreadPlan&) = delete;
  ThreadPlan& operator=(const ThreadPlan&) = delete;

  [[nodiscard]] int workers() const noexcept { return workers_; }
  [[nodiscard]] int helpers() const noexcept { return helpers_; }
  [[nodiscard]] const char* policy() const noexcept { return cw_thread_plan_policy(plan_); }

  /// Binds the calling thread, number `index` of a role, and reads it back. @throws Error where that fails.
  void bind(const char* role, std::size_t index) const;

  /// Whether threads share PUs, with each other or with other nodes' threads.
  [[nodiscard]] bool oversubscribed() const noexcept { return oversubscribed_; }

  /// As libcorewise-affinity prints it.
  [[nodiscard]] std::string text() const;

 private:
  cw_thread_plan_t* plan_ = nullptr;
  int workers_ = 0;
  int helpers_ = 0;
  bool oversubscribed_ = false;
};

}  // namespace corewise::pgas::detail
