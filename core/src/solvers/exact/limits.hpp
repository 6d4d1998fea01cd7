/// Limits of proofs, and the cost of each search's steps in a common unit.
#pragma once

#include <cstdint>

#include "solvers/bounds/cut_bounds.hpp"
#include "solvers/problem/deadline.hpp"
#include "solvers/problem/subset.hpp"

namespace corewise::exact {

/// Limits of a proof. One step is one set of vertices in a plain enumeration, about a nanosecond.
struct ProofLimits {
  std::uint64_t most_steps;
  const Deadline& deadline;
};

/// Number of such sets that take as long as one step of other searches, measured with
/// laboratory/benchmarks/mapping/proof_cases.py:
inline constexpr std::uint64_t kSetsPerPricingStep = 12;      ///< of price_negative_sets()
inline constexpr std::uint64_t kSetsPerPartitioningStep = 4;  ///< of solve_set_partitioning()
inline constexpr std::uint64_t kBisectionsPerSet =
    16;  ///< the inverse: parts that weight_inside_min_bisection() tries in the time of one set

/// For all bounds on cuts: proofs have at most 64 places.
inline constexpr bounds::CutBoundLimits kCutLimits{kMostPlaces, kMostPlaces};

/// Highest number of columns that are kept in memory.
inline constexpr std::size_t kMostColumns = 4'000'000;

/// Counts the steps of all parts of a search.
class StepBudget {
 public:
  explicit StepBudget(const ProofLimits& limits) : limits_(limits) {}

  /// @return false once the limits are used up. Reads the clock only every few calls.
  bool spend(std::uint64_t steps = 1) {
    steps_ += steps;
    if (steps_ > limits_.most_steps || (++n_calls_ % 1024 == 0 && limits_.deadline.passed()))
      exhausted_ = true;
    return !exhausted_;
  }
  /// Continues with other limits.
  void resume(std::uint64_t most_steps) {
    limits_.most_steps = most_steps;
    exhausted_ = false;
  }
  [[nodiscard]] bool exhausted() const { return exhausted_; }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  ProofLimits limits_;
  std::uint64_t steps_ = 0;
  std::uint64_t n_calls_ = 0;
  bool exhausted_ = false;
};

}  // namespace corewise::exact
