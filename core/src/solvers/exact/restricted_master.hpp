/// RestrictedMaster: the columns that a column generation has found so far.
#pragma once

#include <unordered_set>
#include <vector>

#include "solvers/exact/subset_pricing.hpp"

namespace corewise::exact {

class RestrictedMaster {
 public:
  /// @param groups  a partition into groups of the problem: its columns stay for good.
  RestrictedMaster(const SetPartitioning& problem, const std::vector<VertexGroup>& groups)
      : problem_(problem), groups_(groups), known_(problem.instance.classes.size()) {
    for (const VertexGroup& group : groups) add(group);
  }

  /// Columns that are there already are not added again.
  void add(const VertexGroup& group) {
    const auto& [class_id, members] = group;
    if (known_[class_id].insert(members).second)
      columns_.push_back({members, problem_.cost(members, class_id), class_id});
  }

  /// Adds all groups that differ from one of the partition by one member.
  void add_neighbours_of_partition();

  /// Keeps the partition and the `count` columns of least reduced cost.
  void keep_least_reduced_costs(const Duals& duals, std::size_t count);

  [[nodiscard]] std::size_t size() const { return columns_.size(); }
  [[nodiscard]] Pricing price(const Duals& duals) const { return price_columns(columns_, duals); }

 private:
  const SetPartitioning& problem_;
  const std::vector<VertexGroup>& groups_;
  std::vector<Column> columns_;
  std::vector<std::unordered_set<Subset>> known_;  ///< [class]: members of the columns
};

}  // namespace corewise::exact
