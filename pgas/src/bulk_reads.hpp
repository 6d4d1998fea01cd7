// A limit on requests whose answers are long.
#pragma once

#include <atomic>

namespace corewise::pgas::detail {

/// Counts a node's bulk reads in flight: each makes the answering node fill a whole buffer. Any thread.
/// Several threads that start at the same time may pass the limit by their number.
class BulkReads {
 public:
  /// Whether to wait before the next one starts.
  [[nodiscard]] bool full() const noexcept { return n_in_flight_.load(std::memory_order_relaxed) >= max; }
  void start() noexcept { n_in_flight_.fetch_add(1, std::memory_order_relaxed); }
  void end() noexcept { n_in_flight_.fetch_sub(1, std::memory_order_relaxed); }

 private:
  static constexpr int max = 64;
  std::atomic<int> n_in_flight_{0};
};

}  // namespace corewise::pgas::detail
