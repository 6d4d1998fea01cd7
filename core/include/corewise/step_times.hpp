/// StepTimes: a schedule's communication for many placements, step by step, without replaying it.
#pragma once

#include <cstdint>
#include <memory>

#include "corewise/machine.hpp"
#include "corewise/placement.hpp"
#include "corewise/schedule.hpp"

namespace corewise {

/// What estimate() says of a schedule, in short: messages are put into steps by what they wait for, equal
/// steps are looked at once, and each takes as long as its busiest link and its greatest latency. Computing
/// is left out. Ranks that are far ahead of others are not: every step begins when the one before has ended.
/// The machine must outlive it.
class StepTimes {
 public:
  /// @throws Error(unsupported) on a machine without figures; Error(bad_input) for a schedule that doesn't
  /// end.
  StepTimes(const Schedule& schedule, const Machine& machine);
  ~StepTimes();
  StepTimes(StepTimes&&) noexcept;
  StepTimes& operator=(StepTimes&&) noexcept;

  /// Seconds of communication. Not to be called from two threads at once.
  /// @throws Error(size_mismatch) for a placement of another number of ranks.
  [[nodiscard]] double seconds(const Placement& placement);
  /// Steps that differ, and all of them.
  [[nodiscard]] std::size_t n_distinct() const;
  [[nodiscard]] std::uint64_t n_steps() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace corewise
