/// Most loads: one set per level is enough to show a load, and sets of one placement lie inside or beside
/// each other.
#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "solvers/exact/load_proof.hpp"
#include "solvers/exact/subset_enumeration.hpp"

namespace corewise::exact {
namespace {

class MostLoads {
 public:
  MostLoads(const LoadInstance& instance, const CoreTree& tree, const ProofLimits& limits)
      : instance_(instance),
        tree_(tree),
        graph_(instance.n, negative(instance.weight)),
        budget_{limits.most_steps, limits.deadline},
        top_(instance.classes.back().level),
        sizes_(top_) {
    for (const IsomorphismClass& each : instance.classes) {
      if (each.level < top_) sizes_[each.level].insert(each.size);
    }
  }

  LoadProof run(std::vector<CoreIndex> known, std::span<const bounds::CutBounds> cut) {
    LoadProof proof{std::move(known), {}, 0};
    proof.load = fullest_links(instance_, tree_, proof.core_of_vertex);
    while (proof.n_proven < proof.load.size()) {
      const int level = top_ - 1 - static_cast<int>(proof.n_proven);
      if (proof.load[proof.n_proven] < static_cast<Cost>(cut[level].most_load)) {
        wanted_.assign(top_, 0);
        for (int above = level; above < top_; ++above) wanted_[above] = proof.load[top_ - 1 - above];
        ++wanted_[level];
        const bool found = choose(level, {});
        if (budget_.exhausted || (found && !improve(proof))) return proof;
        if (found) continue;
      }
      ++proof.n_proven;
    }
    return proof;
  }

 private:
  static std::vector<Cost> negative(std::vector<Cost> weight) {
    for (Cost& w : weight) w = -w;
    return weight;
  }

  /// A set for this level and one for each above it, each with the load wanted; the lowest first, because few
  /// or none exceed the load known.
  /// @param lower  the sets chosen so far: each lies inside or beside this one.
  bool choose(int level, const std::vector<Subset>& lower) {
    if (level == top_) {
      chosen_ = lower;
      return true;
    }
    for (unsigned inside = 0; inside < (1u << lower.size()); ++inside) {
      Subset within = 0, beside = 0;
      for (std::size_t i = 0; i < lower.size(); ++i) ((inside >> i & 1) != 0 ? within : beside) |= lower[i];
      if ((within & beside) != 0) continue;
      for (const int size : sizes_[level]) {
        if (size < std::popcount(within)) continue;
        // At the top alone, a half and the other half are the same choice.
        const bool min_bisection = lower.empty() && level == top_ - 1 && 2 * size == instance_.n;
        const Subset fixed = min_bisection ? Subset{1} : within;
        SubsetEnumeration enumeration(graph_, budget_, [&](Subset set) {
          std::vector<Subset> with = lower;
          with.push_back(set);
          return choose(level + 1, with);
        });
        if (enumeration.run(fixed, instance_.all() & ~fixed & ~beside, size, -wanted_[level])) return true;
      }
    }
    return false;
  }

  /// Places the chosen sets, the others around them.
  bool improve(LoadProof& proof) {
    std::vector<CoreIndex> core_of_vertex = proof.core_of_vertex;
    if (!place(static_cast<std::int32_t>(tree_.objects().size()) - 1, instance_.all(), core_of_vertex)) {
      return false;
    }
    std::vector<Cost> load = fullest_links(instance_, tree_, core_of_vertex);
    if (load <= proof.load) return false;
    proof.core_of_vertex = std::move(core_of_vertex);
    proof.load = std::move(load);
    return true;
  }

  bool place(std::int32_t object, Subset set, std::vector<CoreIndex>& core_of_vertex) const {
    const CoreTree::Object& at = tree_.objects()[object];
    if (at.children.empty()) {
      for_each_vertex(set & ~instance_.padding(), [&](int v) { core_of_vertex[v] = at.core; });
      return true;
    }
    for (const std::int32_t child : at.children) {
      const int places = tree_.objects()[child].capacity;
      if (places == 0) continue;
      const Subset part = part_of(set, instance_.classes[instance_.class_of_object[child]].level, places);
      if (std::popcount(part) != places || !place(child, part, core_of_vertex)) return false;
      set &= ~part;
    }
    return true;
  }

  /// As many members of the set as an object has places: chosen sets whole, then vertices in none of them.
  Subset part_of(Subset set, int level, int places) const {
    Subset part = 0, kept_together = 0;
    for (int of = top_ - 1; of > top_ - 1 - static_cast<int>(std::ssize(chosen_)); --of) {
      const Subset chosen = chosen_[of - top_ + std::ssize(chosen_)];
      if ((chosen & ~set) != 0 || of > level) continue;
      const int together = std::popcount(part | chosen);
      if (of == level ? part == 0 && together == places : together <= places) part |= chosen;
      kept_together |= chosen;
    }
    for (Subset rest = set & ~part & ~kept_together; std::popcount(part) < places && rest != 0;
         rest &= rest - 1) {
      part |= rest & -rest;
    }
    return part;
  }

  const LoadInstance& instance_;
  const CoreTree& tree_;
  CutGraph graph_;  ///< negative weights: the heaviest cuts are its least
  StepBudget budget_;
  int top_;
  std::vector<std::set<int>> sizes_;  ///< [level] of groups
  std::vector<Cost> wanted_;          ///< [level]
  std::vector<Subset> chosen_;        ///< from the lowest level up
};

}  // namespace

LoadProof prove_most_loads(const LoadInstance& instance, const CoreTree& tree, std::vector<CoreIndex> known,
                           std::span<const bounds::CutBounds> cut, const ProofLimits& limits) {
  return MostLoads(instance, tree, limits).run(std::move(known), cut);
}

}  // namespace corewise::exact
