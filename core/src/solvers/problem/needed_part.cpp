/// NeededPart: chooses objects of the machine's tree from the root down.
#include "solvers/problem/needed_part.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "solvers/problem/core_tree.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise {
namespace {

/// Machines with up to this number of cores are searched whole: this takes well under a second, and exact
/// solvers can count all optimal placements.
constexpr std::int32_t kSmallMachine = 1 << 16;

std::vector<CoreIndex> needed_cores(const PlacedProblem& problem) {
  const Machine& machine = problem.machine;
  const CoreTree tree(machine, problem.places.capacity, machine.n_levels(), CoreIndex{0},
                      core_classes(problem));
  // At least two, so that some cores still meet at every level.
  const std::int32_t most = std::max(2, problem.traffic.n_ranks());
  // If the objective keeps nodes, nodes stay whole: block order depends on their number of cores.
  const int lowest = problem.objective.keeps_nodes ? machine.node_level() : 0;
  std::vector<CoreIndex> cores;
  const auto add = [&](const auto& add_below, std::int32_t index, int level) -> void {
    const CoreTree::Object& object = tree.objects()[index];
    if (object.children.empty()) cores.push_back(object.core);
    std::map<int, std::int32_t> n_of_class;  // of the children of this object
    for (const std::int32_t child : object.children) {
      const bool needed = level <= lowest || n_of_class[tree.objects()[child].class_id]++ < most;
      if (needed) add_below(add_below, child, level - 1);
    }
  };
  add(add, static_cast<std::int32_t>(tree.objects().size()) - 1, machine.n_levels());
  std::ranges::sort(cores);
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
