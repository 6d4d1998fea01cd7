/// Parallel: independent tasks on several threads. What they find doesn't depend on how many threads there
/// are.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace corewise::search {

/// Calls task(0) to task(n_tasks - 1), each once, on up to n_threads threads, the caller's among them. Tasks
/// must not write what another one reads.
/// @throws what the first task in order threw, once all have ended.
template <typename Task>
void run_parallel(std::size_t n_tasks, int n_threads, const Task& task) {
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> faults(n_tasks);
  const auto take_turns = [&] {
    for (std::size_t i = next++; i < n_tasks; i = next++) {
      try {
        task(i);
      } catch (...) {
        faults[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    const std::size_t n_helpers = std::min(n_tasks, static_cast<std::size_t>(std::max(n_threads, 1))) - 1;
    try {
      while (n_tasks > 0 && helpers.size() < n_helpers) helpers.emplace_back(take_turns);
    } catch (const std::system_error&) {
      // The system gives no more threads: those there are do all the work.
    }
    take_turns();
  }
  for (const std::exception_ptr& fault : faults) {
    if (fault) std::rethrow_exception(fault);
  }
}

}  // namespace corewise::search
