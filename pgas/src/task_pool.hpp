// Memory of tasks: each thread keeps those that it has run for those that it makes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "corewise/pgas/detail/lane.hpp"

namespace corewise::pgas::detail {

/// Of one thread. A task may be freed into another thread's pool than it came from; a pool that only receives
/// stops at `most` and frees.
class TaskPool {
 public:
  TaskPool() = default;
  ~TaskPool() {
    for (Class& each : classes_) {
      while (Task* const task = each.first) {
        each.first = task->next;
        std::free(task);
      }
    }
  }
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  [[nodiscard]] Task* take(std::size_t closure_bytes) {
    const std::size_t which = class_of(closure_bytes);
    Task* task = nullptr;
    if (which < n_classes && classes_[which].first != nullptr) [[likely]] {
      task = classes_[which].first;
      classes_[which].first = task->next;
      --classes_[which].count;
    } else {
      const std::size_t bytes = which < n_classes ? most_closure[which] : closure_bytes;
      task = static_cast<Task*>(std::malloc(sizeof(Task) + bytes));
      if (task == nullptr) throw std::bad_alloc();
    }
    task->bytes = static_cast<std::uint32_t>(closure_bytes);
    return task;
  }

  void give_back(Task* task) {
    const std::size_t which = class_of(task->bytes);
    if (which == n_classes || classes_[which].count == most) {
      std::free(task);
      return;
    }
    task->next = classes_[which].first;
    classes_[which].first = task;
    ++classes_[which].count;
  }

 private:
  static constexpr std::size_t n_classes = 2;
  static constexpr std::array<std::size_t, n_classes> most_closure{80,
                                                                   464};  // 128 and 512 bytes with the Task
  static constexpr int most = 65536;

  static std::size_t class_of(std::size_t bytes) {
    return bytes <= most_closure[0] ? 0 : bytes <= most_closure[1] ? 1 : n_classes;
  }

  struct Class {
    Task* first = nullptr;
    int count = 0;
  };
  std::array<Class, n_classes> classes_;
};

}  // namespace corewise::pgas::detail
