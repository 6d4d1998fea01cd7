/// LoadCost: the loads of all links (and the latencies of all ranks) of a mapping, and one number for a
/// search to minimise. A swap updates both in O(degree x levels).
///
/// The number is the sum over all vectors of loads of 4 x (greatest load) + (mean load, weighted by load).
/// The greatest load alone is the same for most mappings, so it gives a search no direction. For an objective
/// that compares class by class, each class of links has sixteen times the weight of the next lower class.
/// This is only close to such a comparison, so the solver compares true scores at the end.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corewise/solver.hpp"
#include "solvers/problem/mapping.hpp"
#include "solvers/problem/placed_problem.hpp"
#include "solvers/problem/work_meter.hpp"
#include "solvers/search/load_vector.hpp"

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

/// The input of LoadCost for objectives of the forms GreatestLoads and PhaseTimes.
///
/// Loads are whole numbers of ticks: a fixed number of bytes for GreatestLoads, of seconds for PhaseTimes.
/// Every pair adds ticks to the links on its path and, for PhaseTimes, to the latencies of its two ranks.
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

class LoadCost {
 public:
  /// @param sign  1 minimises, -1 maximises.
  LoadCost(const LoadModel& model, Mapping mapping, int sign, WorkMeter& work);

  [[nodiscard]] const Mapping& mapping() {
    undo_trial();
    return mapping_;
  }
  [[nodiscard]] Cost value() const { return value_; }

  /// Change of the value if u and v swap their slots. The swap remains applied as a trial until the next call
  /// of delta() or mapping(), so that swap() has nothing to update.
  [[nodiscard]] Cost delta(std::int32_t u, std::int32_t v, Cost threshold = 0);
  /// Accepts the trial of the last delta(u, v). @param delta  its result.
  void swap(std::int32_t u, std::int32_t v, Cost delta);

  /// The value, computed from the current loads: differs from value() while a trial is applied.
  [[nodiscard]] Cost evaluate();
  /// The greatest load of a vector, in ticks. Vectors are ordered by phase, then by class, ascending.
  [[nodiscard]] Cost max_of_vector(std::size_t vector) { return loads_[vector].max(); }

 private:
  void apply(std::int32_t u, std::int32_t v);
  void undo_trial();
  void move_pairs(std::size_t phase, std::int32_t v, std::int32_t other, std::int32_t from,
                  std::int32_t target);
  void add_path(std::size_t phase, std::int32_t slot, int up_to, const PairTraffic& pair, int sign);
  void add_all(std::size_t phase);
  [[nodiscard]] Cost latency(std::size_t phase, const PairTraffic& pair, int level) const;

  const LoadModel* model_;
  WorkMeter* work_;
  Mapping mapping_;
  int sign_;
  std::vector<LoadVector> loads_;  ///< one for each phase and class; with counts_time one for each phase
  std::vector<Cost> weight_;       ///< [vector]
  std::vector<Cost> square_unit_;  ///< [vector] divisor of the sum of squares
  std::vector<std::size_t> first_value_;  ///< [class] index of its first link in a vector; last: of the ranks
  std::size_t vectors_per_phase_ = 1;
  Cost value_ = 0;
  Swap trial_{-1, -1};
};

}  // namespace corewise::search
