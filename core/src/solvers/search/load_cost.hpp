/// LoadCost: the loads of all links (and the latencies of all ranks) of a mapping, kept up to date under
/// swaps in O(degree x levels), and one number that a search can descend on.
///
/// That number is the sum, over all vectors of loads, of 4 x the greatest load + the mean load weighted by
/// load. The greatest load alone is the same for most mappings, so it gives a search no direction. Where an
/// objective compares one load for each class of links in order, each class has sixteen times the weight of
/// the next lower one, which comes close to that order; the solver compares true scores in the end.
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

  /// What swapping u and v would add to the value. The swap stays applied as a trial until the next call of
  /// delta() or mapping(), so that accepting it costs nothing more.
  [[nodiscard]] Cost delta(std::int32_t u, std::int32_t v, Cost threshold = 0);
  /// Accepts the trial of the last delta(u, v), whose result is passed on.
  void swap(std::int32_t u, std::int32_t v, Cost delta);

  /// The number from the current loads; equals value() unless a trial is applied.
  [[nodiscard]] Cost evaluate();
  /// The greatest load of a vector, in ticks. Vectors are ordered by phase, then by class, ascending.
  [[nodiscard]] Cost max_of_vector(std::size_t vector) { return loads_[vector].max(); }

 private:
  void apply(std::int32_t u, std::int32_t v);
  void undo_trial();
  void move_edges(std::size_t phase, std::int32_t v, std::int32_t other, std::int32_t from,
                  std::int32_t target);
  void add_path(std::size_t phase, std::int32_t slot, int up_to, const LoadEdge& edge, int sign);
  void add_all(std::size_t phase);
  [[nodiscard]] Cost ticks(const LoadEdge& edge, int link_class) const;
  [[nodiscard]] Cost latency(const LoadEdge& edge, int level) const;

  const LoadModel* model_;
  WorkMeter* work_;
  Mapping mapping_;
  int sign_;
  std::vector<LoadVector> loads_;  ///< one for each phase and class, or for each phase where time counts
  std::vector<Cost> weight_;       ///< [vector]
  std::vector<Cost> square_unit_;  ///< [vector] divides the sum of squares
  std::vector<std::size_t> first_value_;  ///< [class] where its links begin in a vector; last: the ranks
  std::size_t vectors_per_phase_ = 1;
  Cost value_ = 0;
  Swap trial_{-1, -1};
};

}  // namespace corewise::search
