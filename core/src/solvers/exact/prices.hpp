/// Prices: one for each vertex and one for each kind of group, so that no group costs less than its members'
/// prices and its kind's together. Their total then bounds every partition into such groups from below: the
/// dual of set partitioning.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "solvers/problem/deadline.hpp"
#include "solvers/problem/hop_instance.hpp"

namespace corewise::proof {

struct CostedSet {
  Subset members = 0;
  Cost cost = 0;
  int kind = 0;
};

struct Prices {
  std::vector<Cost> of_vertex;  ///< [vertex]
  std::vector<Cost> of_kind;    ///< [kind]: paid by each group; 0 for kinds of other levels

  [[nodiscard]] static Prices nothing(const HopInstance& instance) {
    return {std::vector<Cost>(instance.n, 0), std::vector<Cost>(instance.kinds.size(), 0)};
  }
  /// Of a set's members.
  [[nodiscard]] Cost of(Subset set) const;
  /// Of a group of a kind.
  [[nodiscard]] Cost of(Subset set, int kind) const { return of_kind[kind] + of(set); }
  /// Of all vertices and so many groups of each kind.
  [[nodiscard]] Cost total(const std::vector<int>& count) const;
  /// Of all vertices and all groups of the tree.
  [[nodiscard]] Cost of_all(const HopInstance& instance) const;
};

/// Number of sets of `size` vertices out of `n`; 2^62 where it is more.
[[nodiscard]] std::uint64_t n_sets(int n, int size);

/// What one look at all sets finds out, costs taken net of prices.
struct CheapestSets {
  /// [vertex]: the least that a member of a set with this vertex takes of the set's net cost, if all members
  /// take the same, rounded down; kNoSet where no set holds the vertex.
  std::vector<Cost> share;
  std::vector<Group> set;   ///< [vertex]: that set
  std::vector<Cost> least;  ///< [kind]: net cost; kNoSet where there is no set of the kind

  static constexpr Cost kNoSet = std::numeric_limits<Cost>::max() / 4;
};

/// The groups of one level, costed by prices of the level below and the weight inside.
struct GroupFamily {
  const HopInstance& instance;
  int level;
  Cost factor;
  Prices below;

  [[nodiscard]] std::vector<int> kinds() const { return instance.kinds_of(level); }
  [[nodiscard]] int size(int kind) const { return instance.kinds[kind].size; }
  /// What a group of a kind costs whatever its members.
  [[nodiscard]] Cost base(int kind) const;
  [[nodiscard]] Cost cost(Subset set, int kind) const {
    return base(kind) + below.of(set) + factor * instance.inside(set);
  }
};

[[nodiscard]] CheapestSets cheapest_sets(const GroupFamily& family, const Prices& prices);
[[nodiscard]] CheapestSets cheapest_sets(const std::vector<CostedSet>& sets, const Prices& prices);
/// The cheapest set of each kind that costs less than its prices, and others nearly as cheap: found faster.
/// @param steps  raised by those taken; each looks at a dozen sets.
[[nodiscard]] CheapestSets overdrawn_sets(const GroupFamily& family, const Prices& prices,
                                          std::uint64_t& steps);

/// What is left of the cheapest set of a vertex is shared out (taken back where it is overdrawn): each member
/// takes at most the set's own rest over its size, so that the prices hold for all sets that were looked at.
void share_out(const CheapestSets& cheapest, Prices& prices);

/// How far to list sets.
struct ListLimits {
  Cost most_net;  ///< by which their cost exceeds their prices
  std::size_t most_sets;
  /// Of each kind; as those of overdrawn_sets().
  std::uint64_t most_steps = std::numeric_limits<std::uint64_t>::max();
  const Deadline* deadline = nullptr;
};

/// Sets whose cost exceeds their prices by little.
/// @return false where the limits don't suffice.
[[nodiscard]] bool list_sets(const GroupFamily& family, const Prices& prices, const ListLimits& limits,
                             std::vector<CostedSet>& sets);

/// Greatest weight between a vertex and any `count` others.
[[nodiscard]] Cost heaviest_company(const HopInstance& instance, int vertex, int count);

/// Prices that hold whatever the groups: each vertex pays for half of its heaviest possible company.
[[nodiscard]] Prices degree_prices(const GroupFamily& family);

/// What a proof may use up.
struct ProofLimits {
  std::uint64_t most_steps;  ///< sets looked at
  const Deadline& deadline;
};

/// How far raise_prices() goes.
struct Ascent {
  std::vector<int> count;  ///< [kind]: groups
  Cost enough;             ///< stops once the total exceeds it
  int rounds;              ///< looks at most
  const Deadline& deadline;
};

/// [kind]: of the tree's objects.
[[nodiscard]] std::vector<int> counts(const HopInstance& instance);

/// Raises prices by subgradient steps, as long as that pays (Held and Karp 1971, with Polyak's step).
/// @param look   the cheapest sets at given prices.
/// @param start  prices that hold.
/// @return prices that hold: no set costs less than its prices; vertices in no set keep theirs.
[[nodiscard]] Prices raise_prices(const std::function<CheapestSets(const Prices&)>& look, const Prices& start,
                                  const Ascent& ascent);

}  // namespace corewise::proof
