/// PartialRegret: the greatest regret over the phases while ranks are put on cores one by one.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "solvers/exact/partial_score.hpp"
#include "solvers/regret/relative_loss.hpp"

namespace corewise {

/// Made of one PartialScore for each phase.
class PartialRegret : public PartialScore {
 public:
  /// @param own  [phase] values of its own best placement.
  PartialRegret(std::vector<std::unique_ptr<PartialScore>> phases, std::vector<Score> own, bool worst)
      : phases_(std::move(phases)), own_(std::move(own)), worst_(worst) {}

  void place(Rank rank, CoreIndex core) override {
    for (const auto& phase : phases_) phase->place(rank, core);
  }
  void take_back() override {
    for (const auto& phase : phases_) phase->take_back();
  }
  /// Where great scores are wanted, the less a phase reaches the more it loses.
  void bound(Side side, std::vector<double>& values) const override {
    const Side of_phases = (side == Side::upper) == worst_ ? Side::lower : Side::upper;
    values.clear();
    std::vector<double> of_phase;
    for (std::size_t i = 0; i < phases_.size(); ++i) {
      phases_[i]->bound(of_phases, of_phase);
      values = std::max(values, relative_loss(of_phase, own_[i].values, worst_));
    }
  }

 private:
  std::vector<std::unique_ptr<PartialScore>> phases_;
  std::vector<Score> own_;
  bool worst_;
};

}  // namespace corewise
