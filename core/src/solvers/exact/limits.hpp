/// Limits of proofs, and what the steps of the searches cost in their common unit.
#pragma once

#include <cstdint>

#include "solvers/problem/deadline.hpp"

namespace corewise::exact {

/// What a proof may use up. Steps are counted in sets of vertices that a plain enumeration goes through,
/// about a nanosecond each.
struct ProofLimits {
  std::uint64_t most_steps;
  const Deadline& deadline;
};

/// How many such sets take as long as one step, measured on the patterns of
/// laboratory/benchmarks/mapping/proof_cases.py:
inline constexpr std::uint64_t kSetsPerPricingStep = 12;      ///< of a pricing that prunes
inline constexpr std::uint64_t kSetsPerPartitioningStep = 4;  ///< of the searches for a partition
inline constexpr std::uint64_t kBisectionsPerSet =
    16;  ///< the other way round: weight_inside_min_bisection()

/// More columns than this are not kept in memory.
inline constexpr std::size_t kMostColumns = 4'000'000;

/// Counts the steps of a search over all its parts.
class StepBudget {
 public:
  StepBudget(std::uint64_t most_steps, const Deadline& deadline)
      : most_steps_(most_steps), deadline_(deadline) {}

  /// @return false once the limits are used up; the clock is read now and then.
  bool spend() {
    if (++steps_ > most_steps_ || (steps_ % 4096 == 0 && deadline_.passed())) exhausted_ = true;
    return !exhausted_;
  }
  /// Continues with other limits.
  void resume(std::uint64_t most_steps) {
    most_steps_ = most_steps;
    exhausted_ = false;
  }
  [[nodiscard]] bool exhausted() const { return exhausted_; }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  std::uint64_t most_steps_;
  const Deadline& deadline_;
  std::uint64_t steps_ = 0;
  bool exhausted_ = false;
};

}  // namespace corewise::exact
