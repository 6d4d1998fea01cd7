/// Work: what effort is counted in, so that results repeat on any machine; a deadline may only cut it short.
#pragma once

#include <cstdint>
#include <optional>

#include "solvers/problem/deadline.hpp"

namespace corewise {

/// Counts steps (partners looked at) and watches the deadline. The clock is read rarely and decides nothing
/// else.
class WorkMeter {
 public:
  explicit WorkMeter(std::optional<double> deadline_cpu_s) : deadline_(deadline_cpu_s) {}

  /// A meter for a part of the work on a thread of its own, with the same deadline.
  [[nodiscard]] WorkMeter branch() const {
    WorkMeter part = *this;
    part.steps_ = part.steps_at_last_check_ = 0;
    return part;
  }
  /// Adds what a branch has counted.
  void join(const WorkMeter& part) {
    steps_ += part.steps_;
    cut_short_ |= part.cut_short_;
  }

  void add(std::uint64_t steps) { steps_ += steps; }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

  /// True once the deadline has passed; then every search winds up with the best it has.
  [[nodiscard]] bool out_of_time() {
    if (cut_short_ || steps_ - steps_at_last_check_ < steps_between_checks) return cut_short_;
    steps_at_last_check_ = steps_;
    cut_short_ = deadline_.passed();
    return cut_short_;
  }
  [[nodiscard]] bool cut_short() const { return cut_short_; }

 private:
  static constexpr std::uint64_t steps_between_checks = 20'000;  // about 0.1 ms
  Deadline deadline_;
  std::uint64_t steps_ = 0;
  std::uint64_t steps_at_last_check_ = 0;
  bool cut_short_ = false;
};

}  // namespace corewise
