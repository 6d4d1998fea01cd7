/// Prices: one for each vertex, so that no group costs less than its members' prices together. Their total
/// then bounds every partition into such groups from below: the dual of set partitioning.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "solvers/budget.hpp"
#include "solvers/proof/hop_instance.hpp"

namespace corewise::proof {

using Prices = std::vector<Cost>;  ///< [vertex]

/// Sum over a set's members.
[[nodiscard]] Cost total(const Prices& prices, Subset set);

/// Number of sets of `size` vertices out of `n`; 2^62 where it is more.
[[nodiscard]] std::uint64_t n_sets(int n, int size);

struct CostedSet {
  Subset members = 0;
  Cost cost = 0;
};

/// What one look at all sets of a size finds out: for every vertex the cheapest set that holds it, costs
/// taken net of prices.
struct CheapestSets {
  std::vector<Cost> net;        ///< [vertex]
  std::vector<Subset> members;  ///< [vertex]
};

/// The groups of one level, costed by prices of the level below and the weight inside:
/// cost(S) = base(S) + factor * w(S).
struct GroupFamily {
  const HopInstance& instance;
  int size;
  Cost factor;
  Prices base;
};

[[nodiscard]] CheapestSets cheapest_sets(const GroupFamily& family, const Prices& prices);
[[nodiscard]] CheapestSets cheapest_sets(int n, const std::vector<CostedSet>& sets, const Prices& prices);

/// Sets whose cost exceeds their prices by no more than `most_net`, at most `most_sets` of them.
/// @return false where there are more.
[[nodiscard]] bool list_sets(const GroupFamily& family, const Prices& prices, Cost most_net,
                             std::size_t most_sets, std::vector<CostedSet>& sets);

/// Prices that hold whatever the groups: each vertex pays for half of its heaviest possible company.
[[nodiscard]] Prices degree_prices(const GroupFamily& family);

/// What a proof may use up.
struct ProofLimits {
  std::uint64_t most_steps;  ///< sets looked at
  const Deadline& deadline;
};

/// How far raise_prices() goes.
struct Ascent {
  int size;     ///< vertices of each set
  Cost enough;  ///< stops once the total exceeds it
  int rounds;   ///< looks at most
  const Deadline& deadline;
};

/// Raises prices by subgradient steps, as long as that pays (Held and Karp 1971, with Polyak's step).
/// @param look   the cheapest sets at given prices.
/// @param start  prices that hold.
/// @return prices that hold: no set costs less than its members' prices; vertices in no set keep theirs.
[[nodiscard]] Prices raise_prices(const std::function<CheapestSets(const Prices&)>& look, const Prices& start,
                                  const Ascent& ascent);

}  // namespace corewise::proof
