/// Duals: dual values of a set-partitioning problem, one for each vertex and one for each class of groups.
#pragma once

#include <vector>

#include "solvers/problem/hop_instance.hpp"

namespace corewise::exact {

/// Duals are feasible where no group costs less than the duals of its members and its class together. The
/// objective of feasible duals bounds every partition into such groups from below (weak duality).
struct Duals {
  std::vector<Cost> of_vertex;  ///< [vertex]
  std::vector<Cost> of_class;   ///< [class]: of each group; 0 for classes of other levels

  [[nodiscard]] static Duals zero(const TreeInstance& instance) {
    return {std::vector<Cost>(instance.n, 0), std::vector<Cost>(instance.classes.size(), 0)};
  }
  /// Sum over a set's members.
  [[nodiscard]] Cost of(Subset set) const;
  /// Sum over a group's members and its class.
  [[nodiscard]] Cost of(Subset set, int class_id) const { return of_class[class_id] + of(set); }
  /// The dual objective: all vertices, and `count[class]` groups of each class.
  [[nodiscard]] Cost objective(const std::vector<int>& count) const;
  /// The same with all groups of the tree.
  [[nodiscard]] Cost objective(const TreeInstance& instance) const { return objective(instance.counts()); }
};

/// A column of set partitioning: vertices that can be a group.
struct Column {
  Subset members = 0;
  Cost cost = 0;
  int class_id = 0;
};

/// The problem to partition all vertices into the groups of one level of the tree. What a group costs up to
/// its level is bounded from below by duals of the level below and the weight inside.
struct SetPartitioning {
  const TreeInstance& instance;
  int level;
  Cost factor;  ///< of the weight inside a group
  Duals below;

  [[nodiscard]] std::vector<int> classes() const { return instance.classes_of(level); }
  [[nodiscard]] int size(int class_id) const { return instance.classes[class_id].size; }
  /// Cost of a group of a class before its members' costs.
  [[nodiscard]] Cost base(int class_id) const;
  [[nodiscard]] Cost cost(Subset set, int class_id) const {
    return base(class_id) + below.of(set) + factor * instance.inside(set);
  }
};

/// Feasible duals: each vertex has half of its heaviest edges that fit into one group.
[[nodiscard]] Duals degree_duals(const SetPartitioning& problem);

/// Feasible duals that are equal for all vertices, beyond the level below.
/// @param most_inside  [class]: greatest weight that a group can have inside.
[[nodiscard]] Duals uniform_duals(const SetPartitioning& problem, const std::vector<Cost>& most_inside);

}  // namespace corewise::exact
