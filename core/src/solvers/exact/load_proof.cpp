/// close_load_gap(): the same loop over the levels for least and greatest loads; only the search differs.
#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "solvers/exact/close_gap.hpp"
#include "solvers/exact/load_search.hpp"

namespace corewise::exact {
namespace {

/// Relative rounding error of times, which are products and quotients of few numbers.
constexpr double kRounding = 1e-12;
/// The most bytes whose sums are safe in proofs of loads.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50;

/// A placement of a domain's ranks and how much of its score is proven.
struct LoadProof {
  std::vector<CoreIndex> core_of_vertex;  ///< of the ranks
  std::vector<Cost> load;    ///< greatest link load of each class, from the highest down to class 2
  std::size_t n_proven = 0;  ///< number of loads, from the first on, that are proven optimal
};

/// For each level from the top down: proves that no placement with the same loads above has a better load
/// here, or finds such a placement and continues with it.
class LoadProver {
 public:
  /// @param worst  whether greater loads are better.
  LoadProver(const TreeInstance& instance, bool worst, const ProofLimits& limits)
      : instance_(instance), worst_(worst), limits_(limits), top_(instance.n_levels()) {}

  /// @param known  [vertex] core of each rank in a good placement.
  /// @param cut    [level] bounds of the domain.
  LoadProof run(std::vector<CoreIndex> known, std::span<const bounds::CutBounds> cut) {
    LoadProof proof{std::move(known), {}, 0};
    proof.load = fullest_links(proof.core_of_vertex);
    while (proof.n_proven < proof.load.size()) {
      const int level = top_ - 1 - static_cast<int>(proof.n_proven);
      const Cost load = proof.load[proof.n_proven];
      if (worst_ ? load < static_cast<Cost>(cut[level].most_load)
                 : load > static_cast<Cost>(cut[level].least_load)) {
        const std::unique_ptr<LoadSearch> search = search_for_better(proof.load, level);
        const std::optional<bool> found = search->find();
        steps_ = std::min(limits_.most_steps, steps_ + search->steps());
        if (!found || (*found && !improve(*search, proof))) return proof;
        if (*found) continue;
      }
      ++proof.n_proven;
    }
    return proof;
  }

 private:
  /// A search for placements with the known loads above `level` and a better load there.
  std::unique_ptr<LoadSearch> search_for_better(const std::vector<Cost>& known, int level) const {
    std::vector<Cost> load(top_, worst_ ? 0 : std::numeric_limits<Cost>::max() / 4);
    for (int at = level; at < top_; ++at) load[at] = known[top_ - 1 - at];
    load[level] += worst_ ? 1 : -1;
    const ProofLimits limits{limits_.most_steps - steps_, limits_.deadline};
    if (worst_) return std::make_unique<HeavyCuts>(instance_, std::move(load), level, limits);
    return std::make_unique<LoadFeasibility>(instance_, std::move(load), limits);
  }

  /// Takes over the placement that a search has found. @return false if it is not known or not better
  bool improve(LoadSearch& search, LoadProof& proof) const {
    std::vector<CoreIndex> core_of_vertex = proof.core_of_vertex;
    const auto divide = [&](int class_id, Subset set) { return search.divide(class_id, set); };
    if (!instance_.place(divide, core_of_vertex)) return false;
    std::vector<Cost> load = fullest_links(core_of_vertex);
    if (worst_ ? load <= proof.load : load >= proof.load) return false;
    proof.core_of_vertex = std::move(core_of_vertex);
    proof.load = std::move(load);
    return true;
  }

  /// LoadProof::load of a placement.
  std::vector<Cost> fullest_links(std::span<const CoreIndex> core_of_vertex) const {
    std::vector<Cost> from_top;
    for (int level = top_ - 1; level >= 1; --level) {
      from_top.push_back(0);
      for (const VertexGroup& group : instance_.groups(level, core_of_vertex))
        from_top.back() = std::max(from_top.back(), instance_.cut(group.members));
    }
    return from_top;
  }

  const TreeInstance& instance_;
  bool worst_;
  ProofLimits limits_;
  int top_;
  std::uint64_t steps_ = 0;
};

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

}  // namespace

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
        LoadProver(*instance, problem.worst, {most_steps, deadline}).run(std::move(known), cut[i]);
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
