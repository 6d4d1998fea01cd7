/// NeededPart: classifies the machine's objects from the cores up, then chooses objects from the root down.
#include "solvers/problem/needed_part.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "corewise/equal_subtrees.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise {
namespace {

/// Machines with up to this number of cores are searched whole: this takes well under a second, and exact
/// solvers can count all optimal placements.
constexpr std::int32_t kSmallMachine = 1 << 16;

/// The objects of all levels in one list, cores first: object g of level k has the number first[k] + g.
struct Objects {
  std::vector<std::int32_t> first;     ///< [level]; one more entry: the number of all objects
  std::vector<std::int32_t> parent;    ///< -1 at the highest level
  std::vector<std::int32_t> class_id;  ///< equal for interchangeable objects
};

Objects objects_of(const PlacedProblem& problem) {
  const Machine& machine = problem.machine;
  Objects objects{{0}, {}, {}};
  for (int level = 0; level <= machine.n_levels(); ++level) {
    objects.first.push_back(objects.first.back() + machine.n_groups(level));
  }
  objects.parent.assign(objects.first.back(), -1);
  for (int level = 1; level <= machine.n_levels(); ++level) {
    for (std::int32_t core = 0; core < machine.n_cores(); ++core) {
      objects.parent[objects.first[level - 1] + machine.group(level - 1, CoreIndex{core})] =
          objects.first[level] + machine.group(level, CoreIndex{core});
    }
  }
  const std::vector<std::int32_t> core_class = core_classes(problem);
  std::vector<std::int64_t> mark(objects.parent.size(), 0);
  for (std::int32_t core = 0; core < machine.n_cores(); ++core) {
    mark[core] = mark_of(core_class.empty() ? 0 : core_class[core], problem.places.capacity[core]);
  }
  objects.class_id = equal_subtrees(objects.parent, mark);
  return objects;
}

std::vector<CoreIndex> needed_cores(const PlacedProblem& problem) {
  const Machine& machine = problem.machine;
  const Objects objects = objects_of(problem);
  // At least two, so that some cores still meet at every level.
  const std::int32_t most = std::max(2, problem.traffic.n_ranks());
  // If the objective keeps nodes, nodes stay whole: block order depends on their number of cores.
  const int lowest = problem.objective.keeps_nodes ? machine.node_level() : 0;
  std::vector<char> kept(objects.parent.size(), 1);  // among the first `most` of its class in a kept parent
  for (int level = machine.n_levels() - 1; level >= lowest; --level) {
    std::map<std::int32_t, std::int32_t> n_of_class;  // of the children of one parent
    std::int32_t last = -1;
    for (std::int32_t core = 0; core < machine.n_cores(); ++core) {
      const std::int32_t object = objects.first[level] + machine.group(level, CoreIndex{core});
      if (object == last) continue;
      const std::int32_t parent = objects.parent[object];
      if (last == -1 || parent != objects.parent[last]) n_of_class.clear();
      last = object;
      kept[object] = kept[parent] != 0 && n_of_class[objects.class_id[object]]++ < most ? 1 : 0;
    }
  }
  std::vector<CoreIndex> cores;
  for (std::int32_t core = 0; core < machine.n_cores(); ++core) {
    const std::int32_t object = objects.first[lowest] + machine.group(lowest, CoreIndex{core});
    if (kept[object] != 0) cores.push_back(CoreIndex{core});
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
