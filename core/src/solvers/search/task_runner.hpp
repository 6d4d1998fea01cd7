/// Tasks on several threads, with results that do not depend on the number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include "corewise/random.hpp"
#include "solvers/problem/work_meter.hpp"

namespace corewise::search {

/// Calls task(0) to task(n_tasks - 1), each once, on up to n_threads threads, the caller's among them. A task
/// must not write what another one reads.
/// @throws the exception of the lowest task that threw one, after all tasks have ended.
template <typename Task>
void run_parallel(std::size_t n_tasks, int n_threads, const Task& task) {
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> errors(n_tasks);
  const auto run_tasks = [&] {
    for (std::size_t i = next++; i < n_tasks; i = next++) {
      try {
        task(i);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t n_others = std::min(n_tasks, static_cast<std::size_t>(std::max(n_threads, 1))) - 1;
    try {
      while (n_tasks > 0 && threads.size() < n_others) threads.emplace_back(run_tasks);
    } catch (const std::system_error&) {
      // The system allows no more threads: the existing ones run all tasks.
    }
    run_tasks();
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

/// Runs parallel tasks. Each task gets its own work meter and the next random stream.
class TaskRunner {
 public:
  /// @param seed  of the first stream; the next streams have the numbers after it.
  /// @param work  gets the steps of all tasks; must outlive this object.
  TaskRunner(std::uint64_t seed, int n_threads, WorkMeter& work)
      : next_seed_(seed), n_threads_(n_threads), work_(&work) {}

  /// Calls task(i, random, work) for i = 0..n_tasks-1.
  template <typename Task>
  void run(std::size_t n_tasks, const Task& task) {
    std::vector<WorkMeter> meters(n_tasks, work_->for_task());
    const std::uint64_t first_seed = next_seed_;
    next_seed_ += n_tasks;
    run_parallel(n_tasks, n_threads_, [&](std::size_t i) {
      meters[i].check_stop();
      Random random(first_seed + i);
      task(i, random, meters[i]);
    });
    for (const WorkMeter& meter : meters) work_->join(meter);
  }

  /// The meter of the calling thread.
  [[nodiscard]] WorkMeter& work() { return *work_; }

 private:
  std::uint64_t next_seed_;
  int n_threads_;
  WorkMeter* work_;
};

}  // namespace corewise::search
