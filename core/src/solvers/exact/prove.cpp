/// Level after level: prices of the groups, then the search at the top.
#include "solvers/exact/prove.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "solvers/bounds/spectral.hpp"
#include "solvers/exact/clique_prices.hpp"
#include "solvers/exact/column_prices.hpp"
#include "solvers/exact/densest.hpp"
#include "solvers/exact/group_by_group.hpp"
#include "solvers/exact/set_pool.hpp"
#include "solvers/exact/spread_search.hpp"

namespace corewise::proof {
namespace {

/// Larger families are not looked through set by set. A look that may leave out most sets goes through a
/// hundredth of them or fewer.
constexpr std::uint64_t kMostSetsToLookAt = 1'000'000'000;
/// Of fewer sets all are looked at whenever prices change.
constexpr std::uint64_t kLeastSetsToPool = 20'000;
/// A step of such a look takes as long as going through this many sets.
constexpr std::uint64_t kSetsPerStepOfLooks = 12;
constexpr int kMostRounds = 200;
/// Larger groups are not split inside a search.
constexpr std::uint64_t kMostSplits = 100'000;
constexpr std::size_t kMostSetsToKeep = 4'000'000;
/// Up to here the listed sets get their true costs before prices rise again.
constexpr std::size_t kMostSetsToCost = 100'000;
/// A step of the search, in sets that are looked at one after the other.
constexpr std::uint64_t kLooksPerStep = 4;
/// A step of the search for conflicts, likewise; it may take a small part of the time that prices would.
constexpr std::uint64_t kLooksPerSpreadStep = 500;
constexpr std::uint64_t kMostPartForSpread = 20;

class Prover {
 public:
  Prover(const HopInstance& instance, const std::vector<int>& known, const ProofLimits& limits)
      : instance_(instance), known_(known), limits_(limits), top_(instance.n_levels() - 1) {
    wanted_ = instance.at_the_top() - instance.grain;
    for (int level = 1; level <= top_; ++level) {
      for (const Group& group : known_groups(level))
        wanted_ += instance.factor(level) * instance.inside(group.members);
    }
  }

  HopProof run() {
    HopProof proof;
    if (top_ == 0) {  // a flat tree: all placements cost the same
      proof.bound = wanted_ + instance_.grain;
      proof.proven = true;
      return proof;
    }
    Cost floor = spectral_floor();
    if (floor <= wanted_ && can_spread() && spread(proof)) return proof;
    if (floor <= wanted_) {
      raise_all_levels();
      floor = std::max(floor, instance_.at_the_top() + prices_[top_].of_all(instance_));
    }
    proof.bound = std::min(possible(floor), wanted_ + instance_.grain);
    proof.proven = floor > wanted_;
    if (!proof.proven) search(proof);
    return proof;
  }

 private:
  /// The least cost from there on that a placement can have.
  Cost possible(Cost cost) const {
    const Cost above = (cost - wanted_) % instance_.grain;
    return cost + (above > 0 ? instance_.grain - above : -above);
  }

  GroupFamily family(int level) const {
    return {instance_, level, instance_.factor(level), prices_[level - 1]};
  }

  std::uint64_t n_groups(int level) const {
    std::uint64_t sum = 0;
    for (const int kind : instance_.kinds_of(level)) sum += n_sets(instance_.n, instance_.kinds[kind].size);
    return sum;
  }

  bool can_look(int level) const {
    if (level == top_ && can_bisect()) return false;  // growing halves is faster
    return n_groups(level) <= std::min(kMostSetsToLookAt, 3 * limits_.most_steps);
  }

  /// What is inside a group of the level can be searched again and again.
  bool can_split(int level) const {
    for (const int kind : instance_.kinds_of(level)) {
      std::uint64_t splits = 0;
      for (const auto& [child, n_children] : instance_.kinds[kind].children)
        splits += n_sets(instance_.kinds[kind].size, instance_.kinds[child].size);
      if (splits > kMostSplits) return false;
    }
    return true;
  }

  bool wants_worst() const { return instance_.inside(instance_.all()) < 0; }

  /// Two groups need no prices.
  bool can_bisect() const {
    int n_halves = 0;
    for (const int kind : instance_.kinds_of(top_)) n_halves += instance_.kinds[kind].count;
    return n_halves == 2 && can_split(top_);
  }

  /// Groups of a level in the known placement.
  std::vector<Group> known_groups(int level) const {
    std::vector<Group> groups;
    for (const auto& [kind, positions] : instance_.objects) {
      if (instance_.kinds[kind].level != level) continue;
      Group group{kind, 0};
      for (int v = 0; v < instance_.n; ++v) group.members |= (positions >> known_[v] & 1) << v;
      groups.push_back(group);
    }
    return groups;
  }

  Prices higher(Prices a, Prices b) const {
    return a.of_all(instance_) >= b.of_all(instance_) ? std::move(a) : std::move(b);
  }

  /// Prices of a level can't be higher than what the known groups cost up to there; at the top a grain less
  /// will do.
  Cost enough_at(int level) const {
    if (level == top_) return wanted_ - instance_.at_the_top();
    Cost cost = 0;
    for (int below = 1; below <= level; ++below) {
      for (const Group& group : known_groups(below))
        cost += instance_.factor(below) * instance_.inside(group.members);
    }
    return cost;
  }

  /// Where all sets of a size can be looked at.
  Prices raised_prices(int level) const {
    const GroupFamily groups = family(level);
    const Cost enough = enough_at(level);
    const Ascent ascent{counts(instance_), enough, kMostRounds, limits_.deadline};
    Prices start = degree_prices(groups);
    if (n_groups(level) >= kLeastSetsToPool) {
      if (wants_worst()) {
        start = higher(std::move(start), clique_prices(groups));
        start = higher(std::move(start), even_prices(groups, heaviest_looked_at(level)));
      }
      return pool_prices(groups, start, known_groups(level), ascent,
                         limits_.most_steps / kSetsPerStepOfLooks);
    }
    Prices raised = raise_prices([&](const Prices& at) { return cheapest_sets(groups, at); }, start, ascent);
    if (raised.of_all(instance_) > enough) return raised;
    const Prices nothing = Prices::nothing(instance_);
    std::vector<Cost> most_inside = cheapest_sets({instance_, level, -1, nothing}, nothing).least;
    for (Cost& inside : most_inside) inside = -inside;
    return higher(std::move(raised), even_prices(groups, most_inside));
  }

  /// [kind]: no group has more weight inside; where all sets of a size can be looked at.
  std::vector<Cost> heaviest_looked_at(int level) const {
    Prices known = Prices::nothing(instance_);
    for (const int kind : instance_.kinds_of(level)) known.of_kind[kind] = CheapestSets::kNoSet;
    for (const Group& group : known_groups(level))
      known.of_kind[group.kind] = std::min(known.of_kind[group.kind], -instance_.inside(group.members));
    std::uint64_t steps = 0;
    std::vector<Cost> heaviest =
        overdrawn_sets({instance_, level, -1, Prices::nothing(instance_)}, known, steps).least;
    for (std::size_t kind = 0; kind < heaviest.size(); ++kind)
      heaviest[kind] = -known.of_kind[kind] - std::min<Cost>(heaviest[kind], 0);
    return heaviest;
  }

  /// Where they are too many.
  Prices blind_prices(int level) const {
    const GroupFamily groups = family(level);
    Prices prices = degree_prices(groups);
    if (level == top_ && can_bisect()) return prices;
    const Cost enough = enough_at(level);
    if (wants_worst()) prices = higher(std::move(prices), clique_prices(groups));
    if (prices.of_all(instance_) > enough) return prices;
    prices = higher(std::move(prices), even_prices(groups, heaviest_inside(level)));
    if (prices.of_all(instance_) > enough) return prices;
    return column_prices(groups, prices, known_groups(level), enough, limits_);
  }

  /// [kind]: no group has more weight inside.
  std::vector<Cost> heaviest_inside(int level) const {
    std::vector<Cost> heaviest(instance_.kinds.size(), std::numeric_limits<Cost>::min());
    for (const Group& group : known_groups(level))
      heaviest[group.kind] = std::max(heaviest[group.kind], instance_.inside(group.members));
    for (const int kind : instance_.kinds_of(level)) {
      const int size = instance_.kinds[kind].size;
      const Cost most = weight_inside_by_degrees(instance_, size);
      if (heaviest[kind] < most)
        heaviest[kind] = greatest_weight_inside(instance_, size, heaviest[kind], limits_).value_or(most);
    }
    return heaviest;
  }

  /// The levels apart from each other, none holding more than the eigenvalues allow.
  Cost spectral_floor() const {
    Cost floor = instance_.at_the_top();
    const Cost whole_weight = instance_.inside(instance_.all());
    for (int level = 1; level <= top_; ++level) {
      floor += instance_.factor(level) * (whole_weight - least_cut(instance_, level));
    }
    return floor;
  }

  void raise_all_levels() {
    prices_.assign(1, Prices::nothing(instance_));
    for (int level = 1; level <= top_; ++level) {
      prices_.push_back(can_look(level) ? raised_prices(level) : blind_prices(level));
    }
  }

  void search(HopProof& proof) {
    NestedCost nested(instance_, prices_);
    const ProofLimits limits{limits_.most_steps / kLooksPerStep, limits_.deadline};
    const Cost most = wanted_ - instance_.at_the_top();
    PartitionResult found;
    std::vector<CostedSet> sets;
    const Cost slack = most - prices_[top_].of_all(instance_);
    if (can_bisect()) {
      found = search_bisection(nested, instance_, prices_[top_ - 1], most, limits);
    } else if (can_look(top_) ? list_sets(family(top_), prices_[top_],
                                          {slack, kMostSetsToKeep, limits_.most_steps / kSetsPerStepOfLooks,
                                           &limits_.deadline},
                                          sets)
                              : can_split(top_) && grow_sets(family(top_), prices_[top_],
                                                             {slack, kMostSetsToKeep}, limits_, sets)) {
      const Prices prices = sharpen(nested, sets, most);
      found = search_partition(nested, instance_, std::move(sets), prices, most, limits);
    } else if (can_split(top_) && instance_.kinds.back().children.size() == 1) {
      found = search_group_by_group(instance_, prices_, most, limits_);
    } else {
      return;
    }
    adopt(nested, found, proof);
  }

  /// Takes over a search's better placement; where the search is complete that one is the best.
  void adopt(NestedCost& nested, const PartitionResult& found, HopProof& proof) {
    if (!found.groups.empty()) {
      place(nested, found.groups, instance_.all(), known_);
      wanted_ = instance_.at_the_top() + found.cost - instance_.grain;
      proof.better = known_;
    }
    proof.proven = found.complete;
    if (found.complete) proof.bound = wanted_ + instance_.grain;
  }

  bool can_spread() const {
    return wants_worst() && can_split(top_) && instance_.kinds.back().children.size() == 1;
  }

  /// Before any prices.
  /// @return whether that settled it.
  bool spread(HopProof& proof) {
    const std::vector<Prices> nothing(instance_.n_levels(), Prices::nothing(instance_));
    NestedCost nested(instance_, nothing);
    const std::uint64_t looks =
        std::min(limits_.most_steps, kMostRounds * std::min(limits_.most_steps, n_groups(top_)));
    const Cost most = wanted_ - instance_.at_the_top();
    const ProofLimits limits{looks / kMostPartForSpread / kLooksPerSpreadStep, limits_.deadline};
    adopt(nested, search_spread(nested, instance_, most, limits), proof);
    return proof.proven;
  }

  /// True costs for the listed sets, prices raised once more on them, and those that no longer fit dropped.
  Prices sharpen(NestedCost& nested, std::vector<CostedSet>& sets, Cost most) const {
    Prices prices = prices_[top_];
    if (sets.size() > kMostSetsToCost) return prices;
    for (CostedSet& set : sets) set.cost = nested.of(set.members, set.kind);
    Subset covered = 0;
    for (const CostedSet& set : sets) covered |= set.members;
    if (covered != instance_.all()) {  // some vertex fits into no set: there is no better placement
      sets.clear();
      return prices;
    }
    prices = raise_prices([&](const Prices& at) { return cheapest_sets(sets, at); }, prices,
                          {counts(instance_), most, kMostRounds, limits_.deadline});
    const Cost slack = most - prices.of_all(instance_);
    std::erase_if(sets,
                  [&](const CostedSet& set) { return set.cost - prices.of(set.members, set.kind) > slack; });
    return prices;
  }

  /// Puts each group into a free object of its kind, and what it holds into that one's children.
  void place(NestedCost& nested, const std::vector<Group>& groups, Subset positions,
             std::vector<int>& position) const {
    for (const Group& group : groups) {
      const auto object = std::ranges::find_if(instance_.objects, [&](const Group& at) {
        return at.kind == group.kind && (at.members & ~positions) == 0;
      });
      positions &= ~object->members;
      if (instance_.kinds[group.kind].level > 0) {
        place(nested, nested.split(group.members, group.kind), object->members, position);
      } else {
        position[std::countr_zero(group.members)] = std::countr_zero(object->members);
      }
    }
  }

  const HopInstance& instance_;
  std::vector<int> known_;  ///< [vertex] -> position
  Cost wanted_ = 0;         ///< what a better placement costs at most
  ProofLimits limits_;
  int top_;
  std::vector<Prices> prices_;  ///< [level]
};

}  // namespace

HopProof prove_hop_bytes(const HopInstance& instance, const std::vector<int>& known,
                         const ProofLimits& limits) {
  return Prover(instance, known, limits).run();
}

}  // namespace corewise::proof
