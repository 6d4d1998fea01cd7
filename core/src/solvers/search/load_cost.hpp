/// LoadCost: the loads of all links (and the latencies of all ranks) of a mapping, kept up to date under
/// swaps in O(degree x levels), and one number that a search can descend on.
///
/// That number is, for each channel, its maximum plus a quarter of its mean load weighted by load: a maximum
/// alone is flat almost everywhere. Lists weigh each class sixteen times the next lower one, close to their
/// lexicographic order; the solver compares true scores in the end.
#pragma once

#include <vector>

#include "solvers/problem/mapping.hpp"
#include "solvers/problem/work_meter.hpp"
#include "solvers/search/load_model.hpp"
#include "solvers/search/load_vector.hpp"

namespace corewise::search {

class LoadCost {
 public:
  /// @param sign  1 looks for the best, -1 for the worst mapping.
  LoadCost(const LoadModel& model, Mapping mapping, int sign, WorkMeter& work);

  [[nodiscard]] const Mapping& mapping() {
    undo_trial();
    return mapping_;
  }
  [[nodiscard]] Cost value() const { return value_; }

  /// What swapping u and v would add to the value. Stays applied until another call shows that it wasn't
  /// wanted: an accepted swap then costs nothing more.
  [[nodiscard]] Cost delta(std::int32_t u, std::int32_t v, Cost most = 0);
  void swap(std::int32_t u, std::int32_t v, Cost delta);

  /// The number from the loads as they stand; equals value() unless a trial is under way.
  [[nodiscard]] Cost evaluate();
  /// Greatest value of a channel, in ticks; channels are ordered by phase, then class ascending.
  [[nodiscard]] Cost max_of_channel(std::size_t channel) { return channels_[channel].max(); }

 private:
  void apply(std::int32_t u, std::int32_t v);
  void undo_trial();
  void move_edges(std::size_t phase, std::int32_t v, std::int32_t other, std::int32_t from,
                  std::int32_t target);
  void shift_path(std::size_t phase, std::int32_t slot, int above, int up_to, const LoadEdge& edge, int sign);
  void add_all(std::size_t phase);
  [[nodiscard]] Cost ticks(const LoadEdge& edge, int link_class) const;
  [[nodiscard]] Cost latency(const LoadEdge& edge, int level) const;

  const LoadModel* model_;
  WorkMeter* work_;
  Mapping mapping_;
  int sign_;
  std::vector<LoadVector> channels_;
  std::vector<Cost> weight_;              // [channel]
  std::vector<Cost> square_unit_;         // [channel] divides the sum of squares
  std::vector<std::size_t> first_value_;  // [class] where its links start in a channel; last: the ranks
  std::size_t channels_per_phase_ = 1;
  Cost value_ = 0;
  Swap trial_{-1, -1};
};

}  // namespace corewise::search
