/// Which children of which objects are kept: classes from the cores up, then a choice from the root down.
#include "solvers/problem/needed_part.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "solvers/problem/placed_problem.hpp"

namespace corewise {
namespace {

/// Up to here a search of the whole machine takes well under a second of its own, and its exact solvers count
/// the placements that share an optimum.
constexpr std::int32_t kSmallMachine = 1 << 16;

using Numbers = std::vector<std::int32_t>;

/// Objects of one level, in the order of their cores.
struct LevelObjects {
  Numbers parent;    ///< [object] at the level above; empty for the highest level
  Numbers class_id;  ///< [object] equal where no rank can tell two of them apart
};

/// Numbers things in the order in which they are first met.
class Numbering {
 public:
  std::int32_t number(const Numbers& key) {
    return known_.try_emplace(key, static_cast<std::int32_t>(known_.size())).first->second;
  }

 private:
  std::map<Numbers, std::int32_t> known_;
};

Numbers classes_of_cores(const PlacedProblem& problem) {
  const Numbers core_class = core_classes(problem);
  const Numbers& capacity = problem.places.capacity;
  Numbering numbering;
  Numbers classes(capacity.size());
  Numbers key(2);
  for (std::size_t core = 0; core < classes.size(); ++core) {
    key = {core_class.empty() ? 0 : core_class[core], capacity[core]};
    classes[core] = numbering.number(key);
  }
  return classes;
}

/// An object's class is the list of its children's classes, in their order.
Numbers classes_of_parents(const LevelObjects& children) {
  Numbering numbering;
  Numbers classes;
  Numbers of_children;
  for (std::size_t child = 0; child < children.parent.size(); ++child) {
    of_children.push_back(children.class_id[child]);
    const bool last =
        child + 1 == children.parent.size() || children.parent[child + 1] != children.parent[child];
    if (!last) continue;
    classes.push_back(numbering.number(of_children));
    of_children.clear();
  }
  return classes;
}

/// [level] from the cores to the highest level.
std::vector<LevelObjects> objects_of(const PlacedProblem& problem) {
  const Machine& machine = problem.machine;
  std::vector<LevelObjects> levels{{{}, classes_of_cores(problem)}};
  for (int level = 1; level <= machine.n_levels(); ++level) {
    LevelObjects& below = levels.back();
    below.parent.resize(below.class_id.size());
    for (std::int32_t core = 0; core < machine.n_cores(); ++core) {
      below.parent[machine.group(level - 1, CoreIndex{core})] = machine.group(level, CoreIndex{core});
    }
    Numbers classes = classes_of_parents(below);
    levels.push_back({{}, std::move(classes)});
  }
  return levels;
}

/// [child] whether it is kept: the first `most` of each class in every parent that is kept.
std::vector<char> kept_children(const LevelObjects& children, const std::vector<char>& kept_parents,
                                std::int32_t most) {
  std::vector<char> kept(children.parent.size(), 0);
  std::map<std::int32_t, std::int32_t> n_of_class;
  for (std::size_t child = 0; child < kept.size(); ++child) {
    if (child == 0 || children.parent[child] != children.parent[child - 1]) n_of_class.clear();
    if (kept_parents[children.parent[child]] == 0) continue;
    kept[child] = n_of_class[children.class_id[child]]++ < most ? 1 : 0;
  }
  return kept;
}

std::vector<CoreIndex> needed_cores(const PlacedProblem& problem) {
  const Machine& machine = problem.machine;
  const std::vector<LevelObjects> levels = objects_of(problem);
  // Two at least, so that no level loses its meaning.
  const std::int32_t most = std::max(2, problem.traffic.n_ranks());
  // Where ranks keep their nodes, block order gives them, which counts a node's cores.
  const int lowest = problem.objective.keeps_nodes ? machine.node_level() : 0;
  std::vector<char> kept(levels.back().class_id.size(), 1);
  for (int level = machine.n_levels(); level > lowest; --level) {
    kept = kept_children(levels[level - 1], kept, most);
  }
  std::vector<CoreIndex> cores;
  for (std::int32_t core = 0; core < machine.n_cores(); ++core) {
    if (kept[machine.group(lowest, CoreIndex{core})] != 0) cores.push_back(CoreIndex{core});
  }
  return cores;
}

Constraints constraints_on(const Machine& part, const std::vector<CoreIndex>& cores,
                           const MappingProblem& whole) {
  Constraints constraints = whole.constraints;
  if (!constraints.core_capacity.empty()) {
    constraints.core_capacity.clear();
    for (const CoreIndex core : cores) {
      constraints.core_capacity.push_back(whole.constraints.core_capacity[raw(core)]);
    }
  }
  for (CoreIndex& core : constraints.core_of_rank) {
    if (core == kAnyCore) continue;
    const auto found = std::lower_bound(cores.begin(), cores.end(), core);
    core = CoreIndex{static_cast<std::int32_t>(found - cores.begin())};
  }
  for (NodeIndex& node : constraints.node_of_rank) {
    if (node == kAnyNode) continue;
    const auto found = std::lower_bound(cores.begin(), cores.end(), whole.machine.first_core(node));
    node = part.node_of(CoreIndex{static_cast<std::int32_t>(found - cores.begin())});
  }
  return constraints;
}

}  // namespace

MappingProblem NeededPart::of(const MappingProblem& whole) const {
  return {whole.traffic, machine, whole.objective, whole.worst, constraints};
}

Placement NeededPart::on_whole(const Placement& placement) const {
  std::vector<CoreIndex> core_of_rank;
  for (const CoreIndex core : placement.core_of_rank()) core_of_rank.push_back(cores[raw(core)]);
  return Placement(std::move(core_of_rank));
}

std::optional<NeededPart> needed_part(const MappingProblem& problem) {
  if (problem.machine.n_cores() <= kSmallMachine || !problem.constraints.cores_per_rank.empty()) {
    return std::nullopt;
  }
  std::vector<CoreIndex> cores = needed_cores(with_places(problem));
  if (cores.size() == static_cast<std::size_t>(problem.machine.n_cores())) return std::nullopt;
  Machine machine = problem.machine.part(cores);
  Constraints constraints = constraints_on(machine, cores, problem);
  return NeededPart{std::move(machine), std::move(cores), std::move(constraints)};
}

}  // namespace corewise
