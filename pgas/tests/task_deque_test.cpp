// Tests of the work-stealing deque.
#include "task_deque.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace {

using corewise::pgas::detail::Task;
using corewise::pgas::detail::TaskDeque;

TEST(TaskDeque, its_owner_takes_the_newest_task_and_thieves_take_the_oldest) {
  Task tasks[3];
  TaskDeque deque;
  for (Task& task : tasks) deque.push(&task);
  EXPECT_EQ(deque.steal(), &tasks[0]);
  EXPECT_EQ(deque.pop(), &tasks[2]);
  EXPECT_EQ(deque.pop(), &tasks[1]);
  EXPECT_EQ(deque.pop(), nullptr);
  EXPECT_EQ(deque.steal(), nullptr);
}

TEST(TaskDeque, every_task_is_taken_once_while_it_grows_and_others_steal) {
  constexpr std::size_t n_tasks = 20'000;  // the deque starts with space for 1024
  constexpr int n_thieves = 2;
  std::vector<Task> tasks(n_tasks);
  TaskDeque deque;
  std::atomic<bool> done{false};
  std::vector<std::vector<Task*>> taken(n_thieves + 1);
  {
    std::vector<std::jthread> thieves;
    for (int i = 0; i < n_thieves; ++i) {
      thieves.emplace_back([&, i] {
        while (!done.load()) {
          if (Task* const task = deque.steal()) taken[static_cast<std::size_t>(i)].push_back(task);
        }
      });
    }
    for (std::size_t i = 0; i < n_tasks; ++i) {
      deque.push(&tasks[i]);
      if (i % 8 != 0) continue;
      if (Task* const task = deque.pop()) taken.back().push_back(task);
    }
    while (Task* const task = deque.pop()) taken.back().push_back(task);
    done.store(true);
  }
  std::vector<Task*> all;
  for (const auto& some : taken) all.insert(all.end(), some.begin(), some.end());
  std::ranges::sort(all);
  ASSERT_EQ(all.size(), n_tasks);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

}  // namespace
