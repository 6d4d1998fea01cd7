/// RegretCost: the greatest loss of any phase against the best mapping of that phase alone, kept up to date
/// under swaps.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "solvers/problem/mapping.hpp"

namespace corewise::search {

/// A value of RegretCost of 1 is a loss of about a millionth of a phase's best cost.
inline constexpr Cost kRegretUnit = 1 << 20;

/// @tparam PhaseCost  HopCost or LoadCost of one phase.
template <typename PhaseCost>
class RegretCost {
 public:
  /// @param phases     all of the same mapping.
  /// @param best_cost  [phase] cost of the best mapping of that phase alone.
  RegretCost(std::vector<PhaseCost> phases, std::vector<Cost> best_cost)
      : phases_(std::move(phases)), best_cost_(std::move(best_cost)), change_(phases_.size(), 0) {
    for (Cost& cost : best_cost_) cost = std::max<Cost>(1, cost < 0 ? -cost : cost);
    value_ = evaluate();
  }

  [[nodiscard]] decltype(auto) mapping() { return phases_.front().mapping(); }
  [[nodiscard]] Cost value() const { return value_; }

  [[nodiscard]] Cost delta(std::int32_t u, std::int32_t v, Cost /*threshold*/ = 0) {
    for (std::size_t i = 0; i < phases_.size(); ++i) change_[i] = phases_[i].delta(u, v);
    return evaluate() - value_;
  }
  /// Only just after delta(u, v), whose result is passed on.
  void swap(std::int32_t u, std::int32_t v, Cost delta) {
    for (std::size_t i = 0; i < phases_.size(); ++i) phases_[i].swap(u, v, std::exchange(change_[i], 0));
    value_ += delta;
  }

 private:
  /// The greatest plus a quarter of the mean: where the phase of the greatest loss can't improve, others may.
  [[nodiscard]] Cost evaluate() const {
    Cost greatest = 0, sum = 0;
    for (std::size_t i = 0; i < phases_.size(); ++i) {
      const auto scaled =
          static_cast<__int128>(phases_[i].value() + change_[i]) * kRegretUnit / best_cost_[i];
      const auto relative = static_cast<Cost>(std::clamp<__int128>(scaled, -kMost, kMost));
      greatest = i == 0 ? relative : std::max(greatest, relative);
      sum += relative;
    }
    return greatest + sum / (4 * static_cast<Cost>(phases_.size()));
  }

  static constexpr Cost kMost = Cost{1} << 50;
  std::vector<PhaseCost> phases_;
  std::vector<Cost> best_cost_;
  std::vector<Cost> change_;  ///< [phase] by the swap that delta() was last called for
  Cost value_ = 0;
};

}  // namespace corewise::search
