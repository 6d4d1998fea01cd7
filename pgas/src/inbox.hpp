// What other threads pass to a thread, and how they wake it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "fiber.hpp"

namespace corewise::pgas::detail {

struct Task;

/// Tasks to run and suspended fibers to resume. One thread owns the inbox; any thread pushes and wakes.
class Inbox {
 public:
  // Any thread:

  void push(Task* task);
  void push(Fiber* fiber);

  /// Wakes the owner if it sleeps.
  void wake();
  [[nodiscard]] bool asleep() const noexcept { return asleep_.load(std::memory_order_seq_cst); }

  // Only the owner:

  [[nodiscard]] bool empty() const noexcept { return !any_.load(std::memory_order_acquire); }

  /// Empties the inbox: calls on_task(task) and on_fiber(fiber) in the order of arrival.
  /// @return the number of tasks.
  template <class OnTask, class OnFiber>
  std::size_t take_all(OnTask on_task, OnFiber on_fiber);

  /// Sleeps until wake(), at most for `limit`. Returns at once if the inbox is not empty, or if may_sleep()
  /// returns false. may_sleep() is called when other threads already see this thread as asleep.
  template <class MaySleep>
  void sleep(std::chrono::microseconds limit, MaySleep may_sleep);

 private:
  std::atomic<bool> any_{false};
  std::atomic<bool> asleep_{false};
  std::vector<Task*> taken_tasks_;  // swapped with tasks_ (and taken_fibers_ with fibers_) to reuse memory
  std::vector<Fiber*> taken_fibers_;
  std::mutex mutex_;  // protects all members below
  std::condition_variable awakened_;
  std::vector<Task*> tasks_;
  std::vector<Fiber*> fibers_;
};

template <class OnTask, class OnFiber>
std::size_t Inbox::take_all(OnTask on_task, OnFiber on_fiber) {
  {
    const std::lock_guard lock(mutex_);
    taken_tasks_.swap(tasks_);
    taken_fibers_.swap(fibers_);
    any_.store(false, std::memory_order_relaxed);
  }
  for (Task* const task : taken_tasks_) on_task(task);
  for (Fiber* const fiber : taken_fibers_) on_fiber(fiber);
  const std::size_t n_tasks = taken_tasks_.size();
  taken_tasks_.clear();
  taken_fibers_.clear();
  return n_tasks;
}

template <class MaySleep>
void Inbox::sleep(std::chrono::microseconds limit, MaySleep may_sleep) {
  std::unique_lock lock(mutex_);
  asleep_.store(true, std::memory_order_seq_cst);
  if (may_sleep() && !any_.load(std::memory_order_seq_cst)) awakened_.wait_for(lock, limit);
  asleep_.store(false, std::memory_order_seq_cst);
}

}  // namespace corewise::pgas::detail
