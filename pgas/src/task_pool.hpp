// Memory of tasks: each thread keeps those that it has run for those that it makes, and shares what is too
// much.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "corewise/pgas/detail/lane.hpp"

namespace corewise::pgas::detail {

/// A chain of free tasks of one size.
struct TaskChain {
  Task* first = nullptr;
  int count = 0;

  void push(Task* task) {
    task->next = first;
    first = task;
    ++count;
  }
  [[nodiscard]] Task* pop() {
    Task* const task = first;
    first = task->next;
    --count;
    return task;
  }
};

/// The free tasks of a node that no thread keeps, in chains of `chain_length`; any thread. Memory comes in
/// slabs and stays until the end.
class SharedTasks {
 public:
  static constexpr int chain_length = 256;
  static constexpr std::size_t task_bytes = 128;
  static constexpr std::size_t max_closure_bytes = task_bytes - sizeof(Task);

  void give_back(TaskChain chain) {
    const std::lock_guard lock(mutex_);
    chains_.push_back(chain);
  }

  [[nodiscard]] TaskChain take() {
    const std::lock_guard lock(mutex_);
    if (!chains_.empty()) {
      const TaskChain chain = chains_.back();
      chains_.pop_back();
      return chain;
    }
    slabs_.push_back(std::make_unique<Slab>());
    TaskChain chain;
    for (auto& place : slabs_.back()->places) chain.push(new (place.bytes) Task);
    return chain;
  }

 private:
  struct alignas(64) Place {
    std::byte bytes[task_bytes];
  };
  struct Slab {
    std::array<Place, chain_length> places;
  };
  std::mutex mutex_;
  std::vector<TaskChain> chains_;
  std::vector<std::unique_ptr<Slab>> slabs_;
};

/// One thread's tasks. A closure too large for the common size has memory of its own.
class TaskPool {
 public:
  explicit TaskPool(SharedTasks& shared) : shared_(shared) {}

  [[nodiscard]] Task* take(std::size_t closure_bytes) {
    Task* task = nullptr;
    if (closure_bytes <= SharedTasks::max_closure_bytes) [[likely]] {
      if (near_.count == 0) near_ = far_.count != 0 ? std::exchange(far_, {}) : shared_.take();
      task = near_.pop();
    } else {
      task = new (::operator new(sizeof(Task) + closure_bytes)) Task;
    }
    task->bytes = static_cast<std::uint32_t>(closure_bytes);
    return task;
  }

  void give_back(Task* task) {
    if (task->bytes > SharedTasks::max_closure_bytes) {
      ::operator delete(task);
      return;
    }
    if (near_.count == SharedTasks::chain_length) {
      if (far_.count != 0) shared_.give_back(far_);
      far_ = std::exchange(near_, {});
    }
    near_.push(task);
  }

 private:
  SharedTasks& shared_;
  TaskChain near_;
  TaskChain far_;  // full or empty
};

}  // namespace corewise::pgas::detail
