// Limits requests with long answers.
#pragma once

#include <atomic>

namespace corewise::pgas::detail {

/// Counts a node's bulk reads in flight. Each makes the answering node fill a whole buffer. Safe in any
/// thread; if several threads start reads at the same time, the limit may be exceeded by their number.
class BulkReads {
 public:
  /// Must the next read wait?
  [[nodiscard]] bool full() const noexcept { return n_in_flight_.load(std::memory_order_relaxed) >= max; }
  void start() noexcept { n_in_flight_.fetch_add(1, std::memory_order_relaxed); }
  void end() noexcept { n_in_flight_.fetch_sub(1, std::memory_order_relaxed); }

 private:
  static constexpr int max = 64;
  std::atomic<int> n_in_flight_{0};
};

}  // namespace corewise::pgas::detail
