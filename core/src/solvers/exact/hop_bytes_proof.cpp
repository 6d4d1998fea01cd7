/// Level after level: duals of the groups, then the search at the top.
#include "solvers/exact/hop_bytes_proof.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "solvers/bounds/spectral.hpp"
#include "solvers/exact/branch_and_price.hpp"
#include "solvers/exact/clique_duals.hpp"
#include "solvers/exact/colouring.hpp"
#include "solvers/exact/column_generation.hpp"
#include "solvers/exact/densest_subgraph.hpp"
#include "solvers/exact/restricted_master.hpp"

namespace corewise::exact {
namespace {

/// Larger families are not looked through set by set. A look that may leave out most sets goes through a
/// hundredth of them or fewer.
constexpr std::uint64_t kMostSetsToEnumerate = 1'000'000'000;
/// Of fewer sets all are looked at whenever duals change.
constexpr std::uint64_t kLeastSetsForMaster = 20'000;
/// A step of such a look takes as long as going through this many sets.
constexpr std::uint64_t kSetsPerPricingStep = 12;
constexpr int kMostRounds = 200;
/// Larger groups are not split inside a search.
constexpr std::uint64_t kMostSplits = 100'000;
constexpr std::size_t kMostSetsToKeep = 4'000'000;
/// Up to here the listed sets get their true costs before duals rise again.
constexpr std::size_t kMostSetsToCost = 100'000;
/// A step of the search, in sets that are looked at one after the other.
constexpr std::uint64_t kSetsPerStep = 4;
/// A step of the search for conflicts, likewise; it may take a small part of the time that duals would.
constexpr std::uint64_t kSetsPerColouringStep = 500;
constexpr std::uint64_t kMostPartForColouring = 20;

class Prover {
 public:
  Prover(const HopInstance& instance, const std::vector<int>& known, const ProofLimits& limits)
      : instance_(instance), known_(known), limits_(limits), top_(instance.n_levels() - 1) {
    wanted_ = instance.at_the_top() - instance.granularity;
    for (int level = 1; level <= top_; ++level) {
      for (const VertexGroup& group : known_groups(level))
        wanted_ += instance.factor(level) * instance.inside(group.members);
    }
  }

  HopProof run() {
    HopProof proof;
    if (top_ == 0) {  // a flat tree: all placements cost the same
      proof.bound = wanted_ + instance_.granularity;
      proof.proven = true;
      return proof;
    }
    Cost floor = spectral_floor();
    if (floor <= wanted_ && can_colour() && spread(proof)) return proof;
    if (floor <= wanted_) {
      find_duals();
      floor = std::max(floor, instance_.at_the_top() + duals_[top_].of_all(instance_));
    }
    proof.bound = std::min(possible(floor), wanted_ + instance_.granularity);
    proof.proven = floor > wanted_;
    if (!proof.proven) search(proof);
    return proof;
  }

 private:
  /// The least cost from there on that a placement can have.
  Cost possible(Cost cost) const {
    const Cost above = (cost - wanted_) % instance_.granularity;
    return cost + (above > 0 ? instance_.granularity - above : -above);
  }

  SetPartitioning partitioning(int level) const {
    return {instance_, level, instance_.factor(level), duals_[level - 1]};
  }

  std::uint64_t n_groups(int level) const {
    std::uint64_t sum = 0;
    for (const int class_id : instance_.classes_of(level))
      sum += n_sets(instance_.n, instance_.classes[class_id].size);
    return sum;
  }

  bool can_enumerate(int level) const {
    if (level == top_ && can_bisect()) return false;  // growing halves is faster
    return n_groups(level) <= std::min(kMostSetsToEnumerate, 3 * limits_.most_steps);
  }

  /// What is inside a group of the level can be searched again and again.
  bool can_split(int level) const {
    for (const int class_id : instance_.classes_of(level)) {
      std::uint64_t splits = 0;
      for (const auto& [child, n_children] : instance_.classes[class_id].children)
        splits += n_sets(instance_.classes[class_id].size, instance_.classes[child].size);
      if (splits > kMostSplits) return false;
    }
    return true;
  }

  bool maximises() const { return instance_.inside(instance_.all()) < 0; }

  /// Two groups need no duals.
  bool can_bisect() const {
    int n_groups_at_top = 0;
    for (const int class_id : instance_.classes_of(top_))
      n_groups_at_top += instance_.classes[class_id].count;
    return n_groups_at_top == 2 && can_split(top_);
  }

  /// Groups of a level in the known placement.
  std::vector<VertexGroup> known_groups(int level) const {
    std::vector<VertexGroup> groups;
    for (const auto& [class_id, positions] : instance_.objects) {
      if (instance_.classes[class_id].level != level) continue;
      VertexGroup group{class_id, 0};
      for (int v = 0; v < instance_.n; ++v) group.members |= (positions >> known_[v] & 1) << v;
      groups.push_back(group);
    }
    return groups;
  }

  Duals higher(Duals a, Duals b) const {
    return a.of_all(instance_) >= b.of_all(instance_) ? std::move(a) : std::move(b);
  }

  /// Duals of a level can't be higher than what the known groups cost up to there; at the top a granularity
  /// less will do.
  Cost enough_at(int level) const {
    if (level == top_) return wanted_ - instance_.at_the_top();
    Cost cost = 0;
    for (int below = 1; below <= level; ++below) {
      for (const VertexGroup& group : known_groups(below))
        cost += instance_.factor(below) * instance_.inside(group.members);
    }
    return cost;
  }

  /// Where all sets of a size can be looked at.
  Duals duals_by_enumeration(int level) const {
    const SetPartitioning groups = partitioning(level);
    const Cost enough = enough_at(level);
    const AscentLimits ascent{counts(instance_), enough, kMostRounds, limits_.deadline};
    Duals start = degree_duals(groups);
    if (n_groups(level) >= kLeastSetsForMaster) {
      if (maximises()) {
        start = higher(std::move(start), clique_duals(groups));
        start = higher(std::move(start), uniform_duals(groups, heaviest_by_enumeration(level)));
      }
      return smoothed_column_generation(groups, start, known_groups(level), ascent,
                                        limits_.most_steps / kSetsPerPricingStep);
    }
    Duals raised =
        subgradient_ascent([&](const Duals& at) { return price_all_sets(groups, at); }, start, ascent);
    if (raised.of_all(instance_) > enough) return raised;
    const Duals nothing = Duals::nothing(instance_);
    std::vector<Cost> most_inside = price_all_sets({instance_, level, -1, nothing}, nothing).least;
    for (Cost& inside : most_inside) inside = -inside;
    return higher(std::move(raised), uniform_duals(groups, most_inside));
  }

  /// [class]: no group has more weight inside; where all sets of a size can be looked at.
  std::vector<Cost> heaviest_by_enumeration(int level) const {
    Duals known = Duals::nothing(instance_);
    for (const int class_id : instance_.classes_of(level)) known.of_class[class_id] = Pricing::kNoSet;
    for (const VertexGroup& group : known_groups(level))
      known.of_class[group.class_id] =
          std::min(known.of_class[group.class_id], -instance_.inside(group.members));
    std::uint64_t steps = 0;
    std::vector<Cost> heaviest =
        price_negative_sets({instance_, level, -1, Duals::nothing(instance_)}, known, steps).least;
    for (std::size_t class_id = 0; class_id < heaviest.size(); ++class_id)
      heaviest[class_id] = -known.of_class[class_id] - std::min<Cost>(heaviest[class_id], 0);
    return heaviest;
  }

  /// Where they are too many.
  Duals duals_by_search(int level) const {
    const SetPartitioning groups = partitioning(level);
    Duals duals = degree_duals(groups);
    if (level == top_ && can_bisect()) return duals;
    const Cost enough = enough_at(level);
    if (maximises()) duals = higher(std::move(duals), clique_duals(groups));
    if (duals.of_all(instance_) > enough) return duals;
    duals = higher(std::move(duals), uniform_duals(groups, heaviest_inside(level)));
    if (duals.of_all(instance_) > enough) return duals;
    return column_generation(groups, duals, known_groups(level), enough, limits_);
  }

  /// [class]: no group has more weight inside.
  std::vector<Cost> heaviest_inside(int level) const {
    std::vector<Cost> heaviest(instance_.classes.size(), std::numeric_limits<Cost>::min());
    for (const VertexGroup& group : known_groups(level))
      heaviest[group.class_id] = std::max(heaviest[group.class_id], instance_.inside(group.members));
    for (const int class_id : instance_.classes_of(level)) {
      const int size = instance_.classes[class_id].size;
      const Cost most = degree_bound_of_subgraph(instance_, size);
      if (heaviest[class_id] < most)
        heaviest[class_id] =
            densest_subgraph_weight(instance_, size, heaviest[class_id], limits_).value_or(most);
    }
    return heaviest;
  }

  /// The levels apart from each other, none holding more than the eigenvalues allow.
  Cost spectral_floor() const {
    Cost floor = instance_.at_the_top();
    const Cost whole_weight = instance_.inside(instance_.all());
    for (int level = 1; level <= top_; ++level) {
      floor += instance_.factor(level) * (whole_weight - bounds::least_cut(instance_, level));
    }
    return floor;
  }

  void find_duals() {
    duals_.assign(1, Duals::nothing(instance_));
    for (int level = 1; level <= top_; ++level) {
      duals_.push_back(can_enumerate(level) ? duals_by_enumeration(level) : duals_by_search(level));
    }
  }

  void search(HopProof& proof) {
    NestedCost nested(instance_, duals_);
    const ProofLimits limits{limits_.most_steps / kSetsPerStep, limits_.deadline};
    const Cost most = wanted_ - instance_.at_the_top();
    PartitionResult found;
    std::vector<Column> sets;
    const Cost slack = most - duals_[top_].of_all(instance_);
    if (can_bisect()) {
      found = search_bisection(nested, instance_, duals_[top_ - 1], most, limits);
    } else if (can_enumerate(top_)
                   ? list_columns(partitioning(top_), duals_[top_],
                                  {slack, kMostSetsToKeep, limits_.most_steps / kSetsPerPricingStep,
                                   &limits_.deadline},
                                  sets)
                   : can_split(top_) && search_columns(partitioning(top_), duals_[top_],
                                                       {slack, kMostSetsToKeep}, limits_, sets)) {
      const Duals duals = reduced_cost_fixing(nested, sets, most);
      found = solve_set_partitioning(nested, instance_, std::move(sets), duals, most, limits);
    } else if (can_split(top_) && instance_.classes.back().children.size() == 1) {
      found = branch_and_price(instance_, duals_, most, limits_);
    } else {
      return;
    }
    adopt(nested, found, proof);
  }

  /// Takes over a search's better placement; where the search is complete that one is the best.
  void adopt(NestedCost& nested, const PartitionResult& found, HopProof& proof) {
    if (!found.groups.empty()) {
      place(nested, found.groups, instance_.all(), known_);
      wanted_ = instance_.at_the_top() + found.cost - instance_.granularity;
      proof.better = known_;
    }
    proof.proven = found.complete;
    if (found.complete) proof.bound = wanted_ + instance_.granularity;
  }

  bool can_colour() const {
    return maximises() && can_split(top_) && instance_.classes.back().children.size() == 1;
  }

  /// Before any duals.
  /// @return whether that settled it.
  bool spread(HopProof& proof) {
    const std::vector<Duals> nothing(instance_.n_levels(), Duals::nothing(instance_));
    NestedCost nested(instance_, nothing);
    const std::uint64_t sets =
        std::min(limits_.most_steps, kMostRounds * std::min(limits_.most_steps, n_groups(top_)));
    const Cost most = wanted_ - instance_.at_the_top();
    const ProofLimits limits{sets / kMostPartForColouring / kSetsPerColouringStep, limits_.deadline};
    adopt(nested, search_colouring(nested, instance_, most, limits), proof);
    return proof.proven;
  }

  /// True costs for the listed sets, duals raised once more on them, and those that no longer fit dropped.
  Duals reduced_cost_fixing(NestedCost& nested, std::vector<Column>& sets, Cost most) const {
    Duals duals = duals_[top_];
    if (sets.size() > kMostSetsToCost) return duals;
    for (Column& set : sets) set.cost = nested.of(set.members, set.class_id);
    Subset covered = 0;
    for (const Column& set : sets) covered |= set.members;
    if (covered != instance_.all()) {  // some vertex fits into no set: there is no better placement
      sets.clear();
      return duals;
    }
    duals = subgradient_ascent([&](const Duals& at) { return price_all_sets(sets, at); }, duals,
                               {counts(instance_), most, kMostRounds, limits_.deadline});
    const Cost slack = most - duals.of_all(instance_);
    std::erase_if(sets,
                  [&](const Column& set) { return set.cost - duals.of(set.members, set.class_id) > slack; });
    return duals;
  }

  /// Puts each group into a free object of its class, and what it holds into that one's children.
  void place(NestedCost& nested, const std::vector<VertexGroup>& groups, Subset positions,
             std::vector<int>& position) const {
    for (const VertexGroup& group : groups) {
      const auto object = std::ranges::find_if(instance_.objects, [&](const VertexGroup& at) {
        return at.class_id == group.class_id && (at.members & ~positions) == 0;
      });
      positions &= ~object->members;
      if (instance_.classes[group.class_id].level > 0) {
        place(nested, nested.split(group.members, group.class_id), object->members, position);
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
  std::vector<Duals> duals_;  ///< [level]
};

}  // namespace

HopProof prove_hop_bytes(const HopInstance& instance, const std::vector<int>& known,
                         const ProofLimits& limits) {
  return Prover(instance, known, limits).run();
}

}  // namespace corewise::exact
