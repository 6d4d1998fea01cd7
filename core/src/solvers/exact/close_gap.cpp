/// close_gap(): converts placements for the proofs and back, and limits the work of each form of objective.
#include "solvers/exact/close_gap.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "overloads.hpp"
#include "solvers/exact/hop_bytes_proof.hpp"
#include "solvers/exact/load_proof.hpp"
#include "solvers/problem/core_tree.hpp"
#include "solvers/problem/placed_problem.hpp"
#include "solvers/search/search_parameters.hpp"

namespace corewise::exact {
namespace {

/// Relative rounding error of times, which are products and quotients of few numbers.
constexpr double kRounding = 1e-12;
/// First limit of steps. Most proofs finish within it; the others start again with a higher limit.
constexpr std::uint64_t kFirstSteps = 300'000'000;

/// For all bounds on cuts: proofs have at most 64 places.
constexpr bounds::CutBoundLimits kCutLimits{kMostPlaces, kMostPlaces};
/// The most bytes whose sums are safe in proofs of loads.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50;

/// [vertex] its core. Padding takes the remaining cores, in order.
std::vector<CoreIndex> cores_of_vertices(const Placement& placement, const CoreTree& tree) {
  std::vector<CoreIndex> cores(placement.core_of_rank().begin(), placement.core_of_rank().end());
  for (const CoreTree::Object& at : tree.objects()) {
    const bool place = at.children.empty() && at.capacity > 0;
    if (place && std::ranges::find(cores, at.core) == cores.end()) cores.push_back(at.core);
  }
  return cores;
}

/// The ranks of a domain, by descending bytes, and the tree of its object. Empty if there are more than 64
/// places or 2^50 bytes.
std::optional<TreeInstance> load_instance(CoreTree tree, const bounds::Domain& domain,
                                          const PairGraph& graph) {
  if (tree.objects().back().capacity > kMostPlaces) return std::nullopt;
  const std::set<Rank> inside(domain.ranks.begin(), domain.ranks.end());
  const auto degree = [&](Rank rank) {
    std::uint64_t sum = 0;
    for (const PairTraffic& pair : graph.partners(rank)) sum += inside.contains(pair.peer) ? pair.bytes : 0;
    return sum;
  };
  std::uint64_t total = 0;
  for (const Rank rank : domain.ranks) total += degree(rank);
  if (total > kMostBytes) return std::nullopt;
  std::vector<Rank> ranks = domain.ranks;
  std::ranges::stable_sort(ranks, std::greater{}, degree);
  return TreeInstance(std::move(tree), std::move(ranks), graph);
}

/// Bounds of loads: the proven loads, then bounds from cuts for the remaining ones.
Score bound_of(const LoadProof& found, std::span<const bounds::CutBounds> cut, std::uint64_t repeat,
               bool worst) {
  Score bound;
  for (std::size_t i = 0; i < found.load.size(); ++i) {
    const bounds::CutBounds& at = cut[found.load.size() - i];
    const std::uint64_t limit = worst ? at.most_load : at.least_load;
    const auto load = i < found.n_proven ? static_cast<std::uint64_t>(found.load[i]) : limit;
    bound.values.push_back(static_cast<double>(repeat * load));
  }
  return bound;
}

/// Proven loads give only a bound on a time, never a proof, so they get fewer steps.
constexpr std::uint64_t kLoadStepsPerTimeStep = 16;

}  // namespace

void close_gap(const PlacedProblem& problem, Effort effort, const Deadline& deadline, Solution& solution) {
  const search::SearchParameters& parameters = search::search_parameters(effort);
  const std::int32_t n_ranks = problem.traffic.n_ranks();
  const std::uint64_t sets = parameters.distance_sets[n_ranks <= 24 ? 0 : 1];
  const std::uint64_t decisions = parameters.load_decisions[n_ranks <= 32 ? 0 : 1];
  std::visit(
      Overloads{[](const NoForm&) {},
                [&](const DistanceSum& form) { close_distance_gap(form, problem, sets, deadline, solution); },
                [&](const GreatestLoads&) { close_load_gap(problem, decisions, deadline, solution); },
                [&](const PhaseTimes& form) {
                  close_time_gap(form, problem, decisions / kLoadStepsPerTimeStep, deadline, solution);
                }},
      problem.form);
}

bool can_close_distance_gap(const DistanceSum& form, const PlacedProblem& problem) {
  return hop_instance(form, problem).has_value();
}

void close_distance_gap(const DistanceSum& form, const PlacedProblem& problem, std::uint64_t most_steps,
                        const Deadline& deadline, Solution& solution) {
  const auto instance = hop_instance(form, problem);
  if (!instance) return;
  std::vector<Cost> least_cut(problem.machine.n_levels() + 1, 0);
  const PairGraph graph(problem.traffic.folded());
  for (const auto& cut : bounds::cut_bounds(bounds::domains(problem, false), graph, kCutLimits)) {
    std::ranges::transform(cut, least_cut.begin(), [&](const bounds::CutBounds& at) {
      return problem.worst ? -static_cast<Cost>(at.most) : static_cast<Cost>(at.least);
    });
  }
  HopProof proof;
  for (std::uint64_t steps = std::min(most_steps, kFirstSteps);; steps = std::min(most_steps, 10 * steps)) {
    proof = prove_hop_bytes(*instance, cores_of_vertices(solution.placement, instance->tree), least_cut,
                            {steps, deadline});
    if (proof.better) {
      proof.better->resize(problem.traffic.n_ranks());
      solution.placement = Placement(*std::move(proof.better));
    }
    if (proof.proven || steps == most_steps || deadline.passed()) break;
  }
  solution.proven = proof.proven;
  solution.bound = Score{{static_cast<double>((problem.worst ? -1 : 1) * (proof.bound / kCostScale))}};
  solution.cut_short |= !proof.proven && deadline.passed();
}

void close_load_gap(const PlacedProblem& problem, std::uint64_t most_steps, const Deadline& deadline,
                    Solution& solution) {
  const bool by_node = problem.objective.keeps_nodes;
  const bool nodes_alone = by_node && problem.places.kept.empty() && !widths_differ(problem.constraints);
  if (problem.traffic.phases.size() != 1 || (problem.places.constrained && !nodes_alone)) return;
  const Phase& phase = problem.traffic.phases.front();
  const PairGraph graph(phase.matrix);
  const std::vector<bounds::Domain> parts = bounds::domains(problem, by_node);
  const std::vector<std::vector<bounds::CutBounds>> cut = bounds::cut_bounds(parts, graph, kCutLimits);
  std::vector<CoreIndex> core_of_rank(solution.placement.core_of_rank().begin(),
                                      solution.placement.core_of_rank().end());
  bool proven = true;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const CoreIndex first = core_of_rank[raw(parts[i].ranks.front())];
    const auto instance = load_instance(
        CoreTree(problem.machine, problem.places.capacity, problem.top_level(), first), parts[i], graph);
    if (!instance) return;
    std::vector<CoreIndex> known;
    for (const Rank rank : instance->rank) known.push_back(core_of_rank[raw(rank)]);
    const LoadProof found =
        prove_loads(*instance, std::move(known), cut[i], problem.worst, {most_steps, deadline});
    for (std::size_t v = 0; v < instance->rank.size(); ++v) {
      core_of_rank[raw(instance->rank[v])] = found.core_of_vertex[v];
    }
    proven &= found.n_proven == found.load.size();
    if (parts.size() == 1) solution.bound = bound_of(found, cut[i], phase.repeat, problem.worst);
  }
  solution.placement = Placement(std::move(core_of_rank));
  solution.proven = proven;
  solution.cut_short |= !proven && deadline.passed();
}

void close_time_gap(const PhaseTimes& form, const PlacedProblem& problem, std::uint64_t most_steps,
                    const Deadline& deadline, Solution& solution) {
  if (problem.worst || form.link.size() < 2 || problem.objective.keeps_nodes) return;
  PlacedProblem loads = problem;
  loads.form = GreatestLoads{};
  Solution least = solution;
  close_load_gap(loads, most_steps, deadline, least);
  if (!least.bound) return;
  const double bandwidth = form.link.back().bandwidth_bytes_per_s;
  solution.bound = Score{{least.bound->values.front() / bandwidth * (1 - kRounding)}};
}

}  // namespace corewise::exact
