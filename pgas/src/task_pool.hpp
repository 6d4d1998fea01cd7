// Allocates tasks: each thread keeps some free tasks, and exchanges lists of them with the node's depot.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "corewise/pgas/detail/thread_context.hpp"

namespace corewise::pgas::detail {

/// Free tasks of one size, linked through Task::next.
class FreeTasks {
 public:
  void push(Task* task) {
    task->next = first_;
    first_ = task;
    ++size_;
  }

  /// @pre size() > 0
  [[nodiscard]] Task* pop() {
    Task* const task = first_;
    first_ = task->next;
    --size_;
    return task;
  }

  [[nodiscard]] int size() const noexcept { return size_; }

 private:
  Task* first_ = nullptr;
  int size_ = 0;
};

/// Allocates tasks, and keeps free tasks that belong to no thread, in lists of `list_length`. Safe in any
/// thread.
class TaskDepot {
 public:
  static constexpr int list_length = 256;
  static constexpr std::size_t task_bytes = 128;
  static constexpr std::size_t max_closure_bytes = task_bytes - sizeof(Task);

  /// Takes a full list.
  void give_back(FreeTasks list) {
    const std::lock_guard lock(mutex_);
    lists_.push_back(list);
  }

  /// A full list.
  [[nodiscard]] FreeTasks take() {
    const std::lock_guard lock(mutex_);
    if (!lists_.empty()) {
      const FreeTasks list = lists_.back();
      lists_.pop_back();
      return list;
    }
    slabs_.push_back(std::make_unique<Slab>());
    lists_.reserve(slabs_.capacity());  // so that give_back() allocates no memory
    FreeTasks list;
    for (auto& place : slabs_.back()->places) list.push(new (place.bytes) Task);
    return list;
  }

 private:
  struct alignas(64) Place {
    std::byte bytes[task_bytes];
  };
  struct Slab {
    std::array<Place, list_length> places;
  };
  std::mutex mutex_;
  std::vector<FreeTasks> lists_;
  std::vector<std::unique_ptr<Slab>> slabs_;
};

/// The free tasks of one thread. Two lists, so that alternately taking and giving back seldom needs the depot
/// (the magazines of Bonwick and Adams, USENIX 2001). Tasks with large closures are allocated separately.
class TaskPool {
 public:
  explicit TaskPool(TaskDepot& depot) : depot_(depot) {}

  [[nodiscard]] Task* take(std::size_t closure_bytes) {
    Task* task = nullptr;
    if (closure_bytes <= TaskDepot::max_closure_bytes) [[likely]] {
      if (loaded_.size() == 0) loaded_ = previous_.size() != 0 ? std::exchange(previous_, {}) : depot_.take();
      task = loaded_.pop();
    } else {
      task = new (::operator new(sizeof(Task) + closure_bytes)) Task;
    }
    task->bytes = static_cast<std::uint32_t>(closure_bytes);
    return task;
  }

  void give_back(Task* task) {
    if (task->bytes > TaskDepot::max_closure_bytes) {
      ::operator delete(task);
      return;
    }
    if (loaded_.size() == TaskDepot::list_length) {
      if (previous_.size() != 0) depot_.give_back(previous_);
      previous_ = std::exchange(loaded_, {});
    }
    loaded_.push(task);
  }

 private:
  TaskDepot& depot_;
  FreeTasks loaded_;
  FreeTasks previous_;  // full or empty
};

}  // namespace corewise::pgas::detail
