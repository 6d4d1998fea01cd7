/// HeavyCuts: searches for a placement in which one link of each level carries at least a given load.
#pragma once

#include <set>

#include "solvers/exact/cut_search.hpp"
#include "solvers/exact/load_instance.hpp"
#include "solvers/exact/load_search.hpp"

namespace corewise::exact {

/// The load of a link depends only on the set of ranks below it, so the search chooses one set for each
/// level. Sets of one placement are nested or disjoint. divide() places the other ranks around these sets.
class HeavyCuts : public LoadSearch {
 public:
  /// @param least_load  [level] wanted load of one link from an object of that level upwards.
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
