/// LoadCost: the loads of all links (and the latencies of all ranks) of a mapping, and one number for a
/// search to minimise. A swap updates both in O(degree x levels).
///
/// The number is the sum over all vectors of loads of 4 x (greatest load) + (mean load, weighted by load).
/// The greatest load alone is the same for most mappings, so it gives a search no direction. For an objective
/// that compares class by class, each class of links has sixteen times the weight of the next lower class.
/// This is only close to such a comparison, so the solver compares true scores at the end.
#pragma once

#include <vector>

#include "solvers/problem/mapping.hpp"
#include "solvers/problem/work_meter.hpp"
#include "solvers/search/load_model.hpp"
#include "solvers/search/load_vector.hpp"

namespace corewise::search {

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
