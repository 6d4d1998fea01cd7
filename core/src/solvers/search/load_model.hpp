/// LoadModel: the input of LoadCost for objectives of the forms GreatestLoads and PhaseTimes.
///
/// Loads are whole numbers of ticks: a fixed number of bytes for GreatestLoads, of seconds for PhaseTimes.
/// Every pair adds ticks to the links on its path and, for PhaseTimes, to the latencies of its two ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corewise/solver.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise::search {

struct LoadPhase {
  std::uint64_t repeat;
  PairGraph pairs;

  /// Partners of a vertex; padding has none.
  [[nodiscard]] std::span<const PairTraffic> row(std::int32_t v) const {
    return v < pairs.n_ranks() ? pairs.partners(Rank{v}) : std::span<const PairTraffic>();
  }
  /// Of all repeats together, as double.
  [[nodiscard]] double bytes(const PairTraffic& pair) const {
    return static_cast<double>(pair.bytes * repeat);
  }
  [[nodiscard]] double messages(const PairTraffic& pair) const {
    return static_cast<double>(pair.messages * repeat);
  }
};

struct LoadModel {
  std::vector<LoadPhase> phases;
  int lowest_class = 2;   ///< of the links that count; class k connects level k - 1 to level k
  int highest_class = 0;  ///< pairs that meet above this level don't count
  bool counts_time = false;
  std::vector<double> ticks_per_byte;     ///< [class]
  std::vector<double> ticks_per_message;  ///< [meeting level]; only with counts_time
};

/// The size of a tick is such that sums of squares fit 62 bits.
[[nodiscard]] LoadModel make_load_model(const GreatestLoads& form, const PlacedProblem& problem);
[[nodiscard]] LoadModel make_load_model(const PhaseTimes& form, const PlacedProblem& problem);

}  // namespace corewise::search
