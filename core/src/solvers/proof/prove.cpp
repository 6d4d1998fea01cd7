/// Level after level: prices of the groups, then the search at the top.
#include "solvers/proof/prove.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "solvers/proof/column_prices.hpp"
#include "solvers/proof/densest.hpp"
#include "solvers/proof/spectral.hpp"

namespace corewise::proof {
namespace {

/// Larger families are not looked through set by set: their prices come from degrees alone.
constexpr std::uint64_t kMostSetsToLookAt = 12'000'000;
constexpr int kMostRounds = 200;
/// Larger groups are not split inside a search.
constexpr std::uint64_t kMostSplits = 100'000;
constexpr std::size_t kMostSetsToKeep = 4'000'000;
/// Up to here the listed sets get their true costs before prices rise again.
constexpr std::size_t kMostSetsToCost = 100'000;
/// A step of the search, in sets that are looked at one after the other.
constexpr std::uint64_t kLooksPerStep = 4;

class Prover {
 public:
  Prover(const HopInstance& instance, const std::vector<int>& known, const ProofLimits& limits)
      : instance_(instance), known_(known), limits_(limits), top_(instance.n_levels() - 1) {
    wanted_ = instance.at_the_top() - instance.grain;
    for (int level = 1; level <= top_; ++level) {
      for (const Subset group : known_groups(level))
        wanted_ += instance.factor(level) * instance.inside(group);
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
    if (floor <= wanted_) {
      raise_all_levels();
      floor = std::max(floor, instance_.at_the_top() + total(prices_[top_], instance_.all()));
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
    return {instance_, instance_.size[level], instance_.factor(level), prices_[level - 1]};
  }

  std::uint64_t n_groups(int level) const { return n_sets(instance_.n, instance_.size[level]); }

  bool can_look(int level) const {
    if (level == top_ && can_bisect()) return false;  // growing halves is faster
    return n_groups(level) <= std::min(kMostSetsToLookAt, limits_.most_steps / 4);
  }

  /// What is inside a group of the level can be searched again and again.
  bool can_split(int level) const {
    return n_sets(instance_.size[level], instance_.size[level - 1]) <= kMostSplits;
  }

  /// Two groups need no prices.
  bool can_bisect() const { return 2 * instance_.size[top_] == instance_.n && can_split(top_); }

  /// Groups of a level in the known placement.
  std::vector<Subset> known_groups(int level) const {
    std::vector<Subset> groups(instance_.n / instance_.size[level], 0);
    for (int v = 0; v < instance_.n; ++v) groups[known_[v] / instance_.size[level]] |= Subset{1} << v;
    return groups;
  }

  Prices higher(Prices a, Prices b) const {
    return total(a, instance_.all()) >= total(b, instance_.all()) ? std::move(a) : std::move(b);
  }

  /// Where all sets of a size can be looked at.
  Prices raised_prices(int level) const {
    const GroupFamily groups = family(level);
    const auto rounds = std::min<std::uint64_t>(limits_.most_steps / 4 / n_groups(level), kMostRounds);
    const Cost enough = level == top_ ? wanted_ - instance_.at_the_top() : wanted_;
    Prices raised =
        raise_prices([&](const Prices& at) { return cheapest_sets(groups, at); }, degree_prices(groups),
                     {groups.size, enough, static_cast<int>(rounds), limits_.deadline});
    if (total(raised, instance_.all()) > enough) return raised;
    const Prices nothing(instance_.n, 0);
    const CheapestSets heaviest = cheapest_sets({instance_, groups.size, -1, nothing}, nothing);
    return higher(std::move(raised), even_prices(groups, -std::ranges::min(heaviest.net)));
  }

  /// Where they are too many.
  Prices blind_prices(int level) const {
    const GroupFamily groups = family(level);
    Prices prices = degree_prices(groups);
    if (level == top_ && can_bisect()) return prices;
    Cost known = std::numeric_limits<Cost>::min();
    for (const Subset group : known_groups(level)) known = std::max(known, instance_.inside(group));
    const auto most_inside = greatest_weight_inside(instance_, groups.size, known, limits_);
    if (most_inside) prices = higher(std::move(prices), even_prices(groups, *most_inside));
    const Cost enough = level == top_ ? wanted_ - instance_.at_the_top() : wanted_;
    if (total(prices, instance_.all()) > enough) return prices;
    return column_prices(groups, prices, known_groups(level), enough, limits_);
  }

  /// The levels apart from each other, none holding more than the eigenvalues allow.
  Cost spectral_floor() const {
    Cost floor = instance_.at_the_top();
    const Cost whole_weight = instance_.inside(instance_.all());
    for (int level = 1; level <= top_; ++level) {
      floor += instance_.factor(level) * (whole_weight - least_cut(instance_, instance_.size[level]));
    }
    return floor;
  }

  void raise_all_levels() {
    prices_.assign(1, Prices(instance_.n, 0));
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
    const Cost slack = most - total(prices_[top_], instance_.all());
    if (can_bisect()) {
      found = search_bisection(nested, instance_, prices_[top_ - 1], most, limits);
    } else if (can_look(top_) ? list_sets(family(top_), prices_[top_], slack, kMostSetsToKeep, sets)
                              : can_split(top_) && grow_sets(family(top_), prices_[top_], slack,
                                                             kMostSetsToKeep, limits_, sets)) {
      const Prices prices = sharpen(nested, sets, most);
      found = search_partition(nested, instance_, top_, std::move(sets), prices, most, limits);
    } else {
      return;
    }
    if (!found.groups.empty()) proof.better = positions(nested, found.groups);
    proof.proven = found.complete;
    if (found.complete)
      proof.bound = found.groups.empty() ? wanted_ + instance_.grain : instance_.at_the_top() + found.cost;
  }

  /// True costs for the listed sets, prices raised once more on them, and those that no longer fit dropped.
  Prices sharpen(NestedCost& nested, std::vector<CostedSet>& sets, Cost most) const {
    Prices prices = prices_[top_];
    if (sets.size() > kMostSetsToCost) return prices;
    for (CostedSet& set : sets) set.cost = nested.of(set.members, top_);
    Subset covered = 0;
    for (const CostedSet& set : sets) covered |= set.members;
    if (covered != instance_.all()) {  // some vertex fits into no set: there is no better placement
      sets.clear();
      return prices;
    }
    prices = raise_prices([&](const Prices& at) { return cheapest_sets(instance_.n, sets, at); }, prices,
                          {instance_.size[top_], most, kMostRounds, limits_.deadline});
    const Cost slack = most - total(prices, instance_.all());
    std::erase_if(sets, [&](const CostedSet& set) { return set.cost - total(prices, set.members) > slack; });
    return prices;
  }

  /// Groups of the top in the order found, each split all the way down.
  std::vector<int> positions(NestedCost& nested, const std::vector<Subset>& groups) const {
    std::vector<int> position(instance_.n);
    int next = 0;
    for (const Subset group : groups) place(nested, group, top_, next, position);
    return position;
  }

  void place(NestedCost& nested, Subset group, int level, int& next, std::vector<int>& position) const {
    if (level <= 1) {
      for_each_vertex(group, [&](int v) { position[v] = next++; });
      return;
    }
    for (const Subset part : nested.split(group, level)) place(nested, part, level - 1, next, position);
  }

  const HopInstance& instance_;
  const std::vector<int>& known_;
  Cost wanted_ = 0;  ///< what a better placement costs at most
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
