/// RestrictedMaster: the few sets of many that decide duals.
#pragma once

#include <unordered_set>
#include <vector>

#include "solvers/exact/duals.hpp"

namespace corewise::exact {

class RestrictedMaster {
 public:
  /// @param groups  a partition into groups of the family: always in the pool.
  RestrictedMaster(const SetPartitioning& partitioning, const std::vector<VertexGroup>& groups)
      : partitioning_(partitioning), groups_(groups), known_(partitioning.instance.classes.size()) {
    for (const VertexGroup& group : groups) add(group);
  }

  /// @return false where it was there before.
  bool add(const VertexGroup& group) {
    const bool fresh = known_[group.class_id].insert(group.members).second;
    if (fresh)
      sets_.push_back({group.members, partitioning_.cost(group.members, group.class_id), group.class_id});
    return fresh;
  }

  /// Adds what the partition's groups become when one member is exchanged.
  void add_exchanges();

  /// Keeps the partition that was known and the `count` sets nearest to their duals.
  void keep_least_reduced_costs(const Duals& duals, std::size_t count);

  [[nodiscard]] std::size_t size() const { return sets_.size(); }
  [[nodiscard]] Pricing cheapest(const Duals& duals) const { return price_all_sets(sets_, duals); }

 private:
  const SetPartitioning& partitioning_;
  const std::vector<VertexGroup>& groups_;
  std::vector<Column> sets_;
  std::vector<std::unordered_set<Subset>> known_;  ///< [class]: members of the pool
};

/// Where all sets of a family can be looked at: duals raised on a pool, to which each look adds the sets
/// that they overdraw most, one of every vertex (column generation: Gilmore and Gomory 1961). From the best
/// duals that hold only half of the way is gone to those of the pool (smoothing: Wentges 1997).
/// @param start       duals that hold.
/// @param groups      a partition into groups of the family.
/// @param ascent      its rounds are looks.
/// @param most_steps  of looks; each goes through a dozen sets.
/// @return duals that hold.
[[nodiscard]] Duals smoothed_column_generation(const SetPartitioning& partitioning, const Duals& start,
                                               const std::vector<VertexGroup>& groups,
                                               const AscentLimits& ascent, std::uint64_t most_steps);

}  // namespace corewise::exact
