// A worker's tasks: the worker pushes and pops at one end; other workers steal the oldest at the other end.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "corewise/pgas/detail/thread_context.hpp"

namespace corewise::pgas::detail {

/// Chase and Lev's work-stealing deque (SPAA 2005) with the memory orders of Le, Pop, Cohen and Nardelli
/// (PPoPP 2013). Sequentially consistent accesses replace their fences, which ThreadSanitizer does not
/// support.
class TaskDeque {
 public:
  TaskDeque() { grow(1024); }

  /// Owner only.
  void push(Task* task) {
    const std::int64_t bottom = bottom_.load(std::memory_order_relaxed);
    if (bottom - top_.load(std::memory_order_acquire) >= ring()->size) grow(2 * ring()->size);
    ring()->at(bottom).store(task, std::memory_order_relaxed);
    bottom_.store(bottom + 1, std::memory_order_release);
  }

  /// The newest task, or nullptr; owner only.
  [[nodiscard]] Task* pop() {
    const std::int64_t bottom = bottom_.load(std::memory_order_relaxed) - 1;
    if (bottom < top_.load(std::memory_order_relaxed)) return nullptr;  // empty: avoids the exchange
    bottom_.exchange(bottom, std::memory_order_seq_cst);
    std::int64_t top = top_.load(std::memory_order_seq_cst);
    Task* task = nullptr;
    if (top <= bottom) task = ring()->at(bottom).load(std::memory_order_relaxed);
    if (top < bottom) return task;
    if (top == bottom && !top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst))
      task = nullptr;
    bottom_.store(bottom + 1, std::memory_order_release);
    return task;
  }

  /// The oldest task, or nullptr; any thread.
  [[nodiscard]] Task* steal() {
    std::int64_t top = top_.load(std::memory_order_seq_cst);
    if (top >= bottom_.load(std::memory_order_seq_cst)) return nullptr;
    Task* const task = ring_.load(std::memory_order_acquire)->at(top).load(std::memory_order_relaxed);
    return top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst) ? task : nullptr;
  }

  [[nodiscard]] bool empty() const noexcept {
    return top_.load(std::memory_order_relaxed) >= bottom_.load(std::memory_order_relaxed);
  }

 private:
  struct Ring {
    explicit Ring(std::int64_t n) : size(n), slots(static_cast<std::size_t>(n)) {}
    std::atomic<Task*>& at(std::int64_t i) { return slots[static_cast<std::size_t>(i & (size - 1))]; }
    std::int64_t size;  // a power of two
    std::vector<std::atomic<Task*>> slots;
  };

  [[nodiscard]] Ring* ring() const noexcept { return ring_.load(std::memory_order_relaxed); }

  /// Thieves may still read the old ring, so all rings are kept until the end.
  void grow(std::int64_t size) {
    auto larger = std::make_unique<Ring>(size);
    if (Ring* const old = ring()) {
      const std::int64_t bottom = bottom_.load(std::memory_order_relaxed);
      for (std::int64_t i = top_.load(std::memory_order_relaxed); i < bottom; ++i) {
        larger->at(i).store(old->at(i).load(std::memory_order_relaxed), std::memory_order_relaxed);
      }
    }
    ring_.store(larger.get(), std::memory_order_release);
    rings_.push_back(std::move(larger));
  }

  alignas(64) std::atomic<std::int64_t> top_{0};
  alignas(64) std::atomic<std::int64_t> bottom_{0};
  std::atomic<Ring*> ring_{nullptr};
  std::vector<std::unique_ptr<Ring>> rings_;
};

}  // namespace corewise::pgas::detail
