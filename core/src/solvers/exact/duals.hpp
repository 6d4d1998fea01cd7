/// Duals: one for each vertex and one for each class of group, so that no group costs less than its members'
/// duals and its class's together. Their total then bounds every partition into such groups from below: the
/// dual of set partitioning.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "solvers/problem/deadline.hpp"
#include "solvers/problem/hop_instance.hpp"

namespace corewise::exact {

struct Column {
  Subset members = 0;
  Cost cost = 0;
  int class_id = 0;
};

struct Duals {
  std::vector<Cost> of_vertex;  ///< [vertex]
  std::vector<Cost> of_class;   ///< [class]: paid by each group; 0 for classes of other levels

  [[nodiscard]] static Duals nothing(const HopInstance& instance) {
    return {std::vector<Cost>(instance.n, 0), std::vector<Cost>(instance.classes.size(), 0)};
  }
  /// Of a set's members.
  [[nodiscard]] Cost of(Subset set) const;
  /// Of a group of a class.
  [[nodiscard]] Cost of(Subset set, int class_id) const { return of_class[class_id] + of(set); }
  /// Of all vertices and so many groups of each class.
  [[nodiscard]] Cost total(const std::vector<int>& count) const;
  /// Of all vertices and all groups of the tree.
  [[nodiscard]] Cost of_all(const HopInstance& instance) const;
};

/// Number of sets of `size` vertices out of `n`; 2^62 where it is more.
[[nodiscard]] std::uint64_t n_sets(int n, int size);

/// What one look at all sets finds out, costs taken net of duals.
struct Pricing {
  /// [vertex]: the least that a member of a set with this vertex takes of the set's net cost, if all members
  /// take the same, rounded down; kNoSet where no set holds the vertex.
  std::vector<Cost> share;
  std::vector<VertexGroup> set;  ///< [vertex]: that set
  std::vector<Cost> least;       ///< [class]: net cost; kNoSet where there is no set of the class

  static constexpr Cost kNoSet = std::numeric_limits<Cost>::max() / 4;
};

/// The groups of one level, costed by duals of the level below and the weight inside.
struct SetPartitioning {
  const HopInstance& instance;
  int level;
  Cost factor;
  Duals below;

  [[nodiscard]] std::vector<int> classes() const { return instance.classes_of(level); }
  [[nodiscard]] int size(int class_id) const { return instance.classes[class_id].size; }
  /// What a group of a class costs whatever its members.
  [[nodiscard]] Cost base(int class_id) const;
  [[nodiscard]] Cost cost(Subset set, int class_id) const {
    return base(class_id) + below.of(set) + factor * instance.inside(set);
  }
};

[[nodiscard]] Pricing price_all_sets(const SetPartitioning& partitioning, const Duals& duals);
[[nodiscard]] Pricing price_all_sets(const std::vector<Column>& sets, const Duals& duals);
/// The cheapest set of each class that costs less than its duals, and others nearly as cheap: found faster.
/// @param steps  raised by those taken; each looks at a dozen sets.
[[nodiscard]] Pricing price_negative_sets(const SetPartitioning& partitioning, const Duals& duals,
                                          std::uint64_t& steps);

/// What is left of the cheapest set of a vertex is shared out (taken back where it is of negative reduced
/// cost): each member takes at most the set's own rest over its size, so that the duals hold for all sets
/// that were looked at.
void distribute_slack(const Pricing& cheapest, Duals& duals);

/// How far to list sets.
struct ListLimits {
  Cost most_reduced_cost;  ///< by which their cost exceeds their duals
  std::size_t most_sets;
  /// Of each class; as those of price_negative_sets().
  std::uint64_t most_steps = std::numeric_limits<std::uint64_t>::max();
  const Deadline* deadline = nullptr;
};

/// Sets whose cost exceeds their duals by little.
/// @return false where the limits don't suffice.
[[nodiscard]] bool list_columns(const SetPartitioning& partitioning, const Duals& duals,
                                const ListLimits& limits, std::vector<Column>& sets);

/// Greatest weight between a vertex and any `count` others.
[[nodiscard]] Cost heaviest_incident_edges(const HopInstance& instance, int vertex, int count);

/// Duals that hold whatever the groups: each vertex pays for half of its heaviest possible incident edges.
[[nodiscard]] Duals degree_duals(const SetPartitioning& partitioning);

/// What a proof may use up.
struct ProofLimits {
  std::uint64_t most_steps;  ///< sets looked at
  const Deadline& deadline;
};

/// How far subgradient_ascent() goes.
struct AscentLimits {
  std::vector<int> count;  ///< [class]: groups
  Cost enough;             ///< stops once the total exceeds it
  int rounds;              ///< looks at most
  const Deadline& deadline;
};

/// [class]: of the tree's objects.
[[nodiscard]] std::vector<int> counts(const HopInstance& instance);

/// Raises duals by subgradient steps, as long as that pays (Held and Karp 1971, with Polyak's step).
/// @param look   the cheapest sets at given duals.
/// @param start  duals that hold.
/// @return duals that hold: no set costs less than its duals; vertices in no set keep theirs.
[[nodiscard]] Duals subgradient_ascent(const std::function<Pricing(const Duals&)>& pricing,
                                       const Duals& start, const AscentLimits& ascent);

}  // namespace corewise::exact
