/// HeavyCuts: search for a placement that loads one link of each of some levels by at least a given amount.
#pragma once

#include <set>

#include "solvers/exact/cut_search.hpp"
#include "solvers/exact/load_instance.hpp"
#include "solvers/exact/load_search.hpp"

namespace corewise::exact {

/// One set for each level is enough to show a load. Sets of one placement are nested or disjoint;
/// the others are put around them.
class HeavyCuts : public LoadSearch {
 public:
  /// @param least_load  [level]: of one link from that level upwards.
  /// @param level       the lowest level that counts.
  HeavyCuts(const LoadInstance& instance, std::vector<Cost> least_load, int level, const ProofLimits& limits);

  [[nodiscard]] std::optional<bool> find() override;
  [[nodiscard]] std::vector<VertexGroup> divide(int class_id, Subset set) override;
  [[nodiscard]] std::uint64_t steps() const override { return budget_.steps(); }

 private:
  bool choose(int level, const std::vector<Subset>& lower);
  Subset part_of(Subset set, int level, int size) const;

  const LoadInstance& instance_;
  std::vector<Cost> least_load_;
  int level_;
  int top_;
  CutGraph graph_;  ///< negative weights: the heaviest cuts are its least
  StepBudget budget_;
  std::vector<std::set<int>> sizes_;  ///< [level] of groups
  std::vector<Subset> chosen_;        ///< [level - level_]
};

}  // namespace corewise::exact
