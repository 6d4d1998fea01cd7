/// Duals: dual values of a set-partitioning problem, one for each vertex and one for each class of groups.
#pragma once

#include <vector>

#include "solvers/problem/hop_instance.hpp"

namespace corewise::exact {

/// Duals are feasible if no group costs less than the duals of its members plus the dual of its class. Then
/// the dual objective is a lower bound on the cost of every partition into such groups (weak duality).
struct Duals {
  std::vector<Cost> of_vertex;  ///< [vertex]
  std::vector<Cost> of_class;   ///< [class] counts once for each group; 0 for classes of other levels

  [[nodiscard]] static Duals zero(const TreeInstance& instance) {
    return {std::vector<Cost>(instance.n, 0), std::vector<Cost>(instance.classes.size(), 0)};
  }
  /// Sum over the members of a set.
  [[nodiscard]] Cost of(Subset set) const;
  /// Sum over the members of a group and its class.
  [[nodiscard]] Cost of(Subset set, int class_id) const { return of_class[class_id] + of(set); }
  /// The dual objective: the sum over all vertices and over `count[class]` groups of each class.
  [[nodiscard]] Cost objective(const std::vector<int>& count) const;
  /// The dual objective with all groups of the tree.
  [[nodiscard]] Cost objective(const TreeInstance& instance) const { return objective(instance.counts()); }
};

/// A column of set partitioning: vertices that can be a group.
struct Column {
  Subset members = 0;
  Cost cost = 0;
  int class_id = 0;
};

/// The problem of partitioning all vertices into the groups of one level of the tree. The cost of a group is
/// a lower bound on its true cost on this and all lower levels: the duals of the level below plus `factor`
/// times the weight inside.
struct SetPartitioning {
  const TreeInstance& instance;
  int level;
  Cost factor;  ///< of the weight inside a group
  Duals below;

  [[nodiscard]] std::vector<int> classes() const { return instance.classes_of(level); }
  [[nodiscard]] int size(int class_id) const { return instance.classes[class_id].size; }
  /// The part of a group's cost that depends only on its class.
  [[nodiscard]] Cost base(int class_id) const;
  [[nodiscard]] Cost cost(Subset set, int class_id) const {
    return base(class_id) + below.of(set) + factor * instance.inside(set);
  }
};

/// Feasible duals: each vertex gets half the cost of the heaviest edges that it can have inside one group.
[[nodiscard]] Duals degree_duals(const SetPartitioning& problem);

}  // namespace corewise::exact
