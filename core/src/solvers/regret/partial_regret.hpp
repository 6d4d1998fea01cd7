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
  void lower(std::vector<double>& values) const override { greatest(values, worst_); }
  void upper(std::vector<double>& values) const override { greatest(values, !worst_); }

 private:
  void greatest(std::vector<double>& values, bool from_upper) const {
    values.clear();
    std::vector<double> of_phase;
    for (std::size_t i = 0; i < phases_.size(); ++i) {
      if (from_upper) {
        phases_[i]->upper(of_phase);
      } else {
        phases_[i]->lower(of_phase);
      }
      values = std::max(values, relative_loss(of_phase, own_[i].values, worst_));
    }
  }
  std::vector<std::unique_ptr<PartialScore>> phases_;
  std::vector<Score> own_;
  bool worst_;
};

}  // namespace corewise
