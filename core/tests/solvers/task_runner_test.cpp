/// Parallel tasks: each runs once, the first error is passed on, results don't depend on the threads.
#include "solvers/search/task_runner.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>

namespace corewise::search {
namespace {

TEST(RunParallel, CallsEachTaskOnceOnAnyNumberOfThreads) {
  for (const int threads : {-1, 1, 3, 50}) {
    std::vector<std::atomic<int>> calls(20);
    run_parallel(calls.size(), threads, [&](std::size_t i) { ++calls[i]; });
    for (const std::atomic<int>& count : calls) EXPECT_EQ(count, 1);
  }
  run_parallel(0, 4, [](std::size_t) { FAIL() << "there is no task"; });
}

TEST(RunParallel, ThrowsTheErrorOfTheFirstTaskAfterAllHaveEnded) {
  std::atomic<int> n_ended{0};
  const auto task = [&](std::size_t i) {
    ++n_ended;
    if (i == 2 || i == 5) throw std::runtime_error(i == 2 ? "two" : "five");
  };
  try {
    run_parallel(8, 4, task);
    FAIL() << "no task's error came through";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "two");
  }
  EXPECT_EQ(n_ended, 8);
}

TEST(TaskRunner, GivesEveryTaskARandomStreamOfItsOwnOnAnyNumberOfThreads) {
  const auto first_numbers = [](int threads) {
    WorkMeter work(std::nullopt);
    TaskRunner tasks(7, threads, work);
    std::vector<std::uint64_t> numbers(12);
    for (const std::size_t begin : {0, 4}) {  // four tasks, then eight
      tasks.run(begin + 4,
                [&](std::size_t i, Random& random, WorkMeter&) { numbers[begin + i] = random.next(); });
    }
    return numbers;
  };
  const std::vector<std::uint64_t> alone = first_numbers(1);
  EXPECT_EQ(first_numbers(5), alone);
  EXPECT_EQ(std::set(alone.begin(), alone.end()).size(), alone.size());
}

TEST(TaskRunner, AddsUpTheWorkOfAllTasks) {
  WorkMeter work(std::nullopt);
  TaskRunner tasks(7, 3, work);
  tasks.run(4, [](std::size_t i, Random&, WorkMeter& own) { own.add(i + 1); });
  EXPECT_EQ(work.steps(), 10);
}

}  // namespace
}  // namespace corewise::search
