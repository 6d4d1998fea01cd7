/// PlacedProblem: where each rank may start, and all cores of a rank.
#include "solvers/problem/placed_problem.hpp"

#include <array>
#include <map>
#include <set>
#include <utility>

#include "solvers/problem/slots.hpp"

namespace corewise {

PlacedProblem with_places(const MappingProblem& problem) {
  Places places = make_places(problem);
  return {problem, std::move(places), problem.objective.form(problem.machine)};
}

PlacedProblem with_nodes_kept(PlacedProblem problem) {
  if (!problem.objective.keeps_nodes) return problem;
  problem.constraints.node_of_rank = given_nodes(problem);
  problem.places.constrained = true;
  return problem;
}

bool may_start(const PlacedProblem& problem, Rank rank, CoreIndex core) {
  const Constraints& constraints = problem.constraints;
  const Places& places = problem.places;
  if (!places.constrained) return true;
  if (!constraints.core_of_rank.empty() && constraints.core_of_rank[raw(rank)] != kAnyCore) {
    return constraints.core_of_rank[raw(rank)] == core;
  }
  if (!constraints.node_of_rank.empty()) {
    const NodeIndex node = constraints.node_of_rank[raw(rank)];
    if (node != kAnyNode && node != problem.machine.node_of(core)) return false;
  }
  if (!places.kept.empty() && places.kept[raw(core)] >= places.capacity[raw(core)]) return false;
  return constraints.cores_per_rank.empty() || constraints.cores_per_rank[raw(rank)] <= places.width(core);
}

std::vector<std::int32_t> core_classes(const PlacedProblem& problem) {
  const Places& places = problem.places;
  if (!places.constrained) return {};
  std::vector<std::int32_t> classes(problem.machine.n_cores(), 0);
  std::set<NodeIndex> named(problem.constraints.node_of_rank.begin(), problem.constraints.node_of_rank.end());
  std::map<std::array<std::int32_t, 3>, std::int32_t> numbers;
  for (std::int32_t core = 0; core < problem.machine.n_cores(); ++core) {
    const NodeIndex node = problem.machine.node_of(CoreIndex{core});
    const bool kept = !places.kept.empty() && places.kept[core] > 0;
    const std::array<std::int32_t, 3> key{kept ? core : -1, named.contains(node) ? raw(node) : -1,
                                          places.width(CoreIndex{core})};
    classes[core] = numbers.emplace(key, static_cast<std::int32_t>(numbers.size())).first->second;
  }
  return classes;
}

bool keeps_constraints(const PlacedProblem& problem, const Placement& first_cores) {
  std::vector<std::int32_t> load(problem.machine.n_cores(), 0);
  for (std::int32_t rank = 0; rank < first_cores.n_ranks(); ++rank) {
    const CoreIndex core = first_cores.core(Rank{rank});
    if (++load[raw(core)] > problem.places.capacity[raw(core)]) return false;
    if (!may_start(problem, Rank{rank}, core)) return false;
  }
  return true;
}

Placement with_all_cores(const PlacedProblem& problem, Placement first_cores) {
  const Places& places = problem.places;
  if (places.cores_start.empty()) return first_cores;
  std::vector<std::size_t> start{0};
  std::vector<CoreIndex> cores;
  for (std::int32_t rank = 0; rank < first_cores.n_ranks(); ++rank) {
    const auto first = places.cores.begin() +
                       static_cast<std::ptrdiff_t>(places.cores_start[raw(first_cores.core(Rank{rank}))]);
    cores.insert(cores.end(), first, first + problem.constraints.cores_per_rank[rank]);
    start.push_back(cores.size());
  }
  return {std::move(start), std::move(cores)};
}

}  // namespace corewise
