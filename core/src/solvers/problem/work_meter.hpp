/// WorkMeter: counts the steps of a search and watches its deadline.
///
/// Effort is counted in steps instead of seconds. So the same request gives the same answer on any machine,
/// unless its deadline passes.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "solvers/problem/deadline.hpp"

namespace corewise {

/// One step is about one visited edge. The clock is read rarely, and only for the deadline.
class WorkMeter {
 public:
  explicit WorkMeter(std::optional<double> deadline_cpu_s, std::stop_token stop = {})
      : deadline_(deadline_cpu_s, std::move(stop)) {}

  /// A meter for a task on another thread, with the same deadline and no steps yet.
  [[nodiscard]] WorkMeter for_task() const {
    WorkMeter part = *this;
    part.steps_ = part.steps_at_last_check_ = 0;
    return part;
  }
  /// Adds the steps of a task's meter.
  void join(const WorkMeter& part) {
    steps_ += part.steps_;
    cut_short_ |= part.cut_short_;
  }

  void add(std::uint64_t steps) { steps_ += steps; }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

  /// True once the deadline has passed. A search must then end with the best mapping that it has.
  /// @throws Stopped once a stop was requested.
  [[nodiscard]] bool out_of_time() {
    if (cut_short_ || steps_ - steps_at_last_check_ < steps_between_checks) return cut_short_;
    steps_at_last_check_ = steps_;
    cut_short_ = deadline_.passed();
    return cut_short_;
  }
  [[nodiscard]] bool cut_short() const { return cut_short_; }
  /// @throws Stopped once a stop was requested.
  void check_stop() const { deadline_.check_stop(); }

 private:
  static constexpr std::uint64_t steps_between_checks = 20'000;  // about 0.1 ms
  Deadline deadline_;
  std::uint64_t steps_ = 0;
  std::uint64_t steps_at_last_check_ = 0;
  bool cut_short_ = false;
};

}  // namespace corewise
