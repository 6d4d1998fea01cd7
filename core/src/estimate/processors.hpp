/// Processors: which of several computing processes run on the processors that they share, and when.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

namespace corewise {

/// Processes that compute in simulated time, each on one processor. Those that find none wait in line; who
/// has run for a time slice goes to its end (round robin). So ranks that begin to compute at the same time
/// end one after the other, as they do on a host that has fewer processors than ranks.
class Processors {
 public:
  /// @param n  above 0; infinite: no process waits.
  explicit Processors(double n) : n_(n) {}

  /// A process computes from `now_s` on what takes `seconds` of a processor.
  void begin(std::int32_t process, double seconds, double now_s);
  /// When the next slice ends; infinite where nobody computes.
  [[nodiscard]] double next_end_s() const;
  /// Ends that slice, and returns the process where that was its last one, else -1.
  /// @pre next_end_s() is finite
  [[nodiscard]] std::int32_t end_next();

 private:
  struct Part {
    std::int32_t process;
    double left_s;
  };
  struct Slice {
    double end_s;
    std::uint64_t order;  ///< of two that end at the same time the one that began first
    Part after;
    friend bool operator>(const Slice& a, const Slice& b) {
      return a.end_s != b.end_s ? a.end_s > b.end_s : a.order > b.order;
    }
  };

  void run(Part part, double now_s);

  double n_;
  std::deque<Part> waiting_;
  std::priority_queue<Slice, std::vector<Slice>, std::greater<>> running_;
  std::uint64_t n_slices_ = 0;
};

}  // namespace corewise
