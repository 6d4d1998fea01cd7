/// objective_bound(): crossings summed for hop-bytes, their greatest loads for the other objectives.
#include "solvers/bounds/bound.hpp"

#include <algorithm>
#include <functional>

#include "checked.hpp"
#include "solvers/bounds/cut_bounds.hpp"

namespace corewise::bounds {
namespace {

/// Times are rounded sums and products of few numbers.
constexpr double kRounding = 1e-12;
/// About 0.1 s each; many phases have less time.
constexpr CutBoundLimits kLimits{128, 4096};
constexpr CutBoundLimits kLimitsOfPhases{32, 256};
/// Milliseconds.
constexpr CutBoundLimits kQuickLimits{0, 1024};
constexpr std::size_t kFewPhases = 4;

double hop_bytes_bound(const PlacedProblem& problem, const CutBoundLimits& limits) {
  const std::vector<Domain> machine = domains(problem, false);
  if (machine.empty()) return 0;
  const PairGraph graph(problem.traffic.folded());
  const std::vector<CutBounds> cut = cut_bounds(machine, graph, limits).front();
  std::uint64_t sum = 0;
  std::uint32_t nearer = 0;
  for (int level = 1; level <= problem.machine.n_levels(); ++level) {
    const std::uint32_t distance = problem.machine.levels()[level - 1].distance;
    const CutBounds& below = cut[level - 1];
    add_product(sum, distance - nearer, problem.worst ? below.most : below.least);
    nearer = distance;
  }
  return static_cast<double>(sum);
}

/// [level]: the load of the fullest link from a group of that level upwards.
std::vector<std::uint64_t> load_bounds(const PlacedProblem& problem, std::span<const Domain> domains,
                                       const PairGraph& graph) {
  const bool few = problem.traffic.phases.size() <= kFewPhases;
  std::vector<std::uint64_t> loads;
  for (const auto& cut : cut_bounds(domains, graph, few ? kLimits : kLimitsOfPhases)) {
    loads.resize(cut.size(), 0);
    for (std::size_t level = 0; level < cut.size(); ++level) {
      const CutBounds& at = cut[level];
      loads[level] = std::max(loads[level], problem.worst ? at.most_load : at.least_load);
    }
  }
  return loads;
}

Score loads_bound(const PlacedProblem& problem, int top_level) {
  const std::vector<Domain> parts = domains(problem, problem.objective.name == "link-load");
  std::vector<std::uint64_t> sums(std::max(top_level - 1, 0), 0);
  for (const Phase& phase : problem.traffic.phases) {
    const std::vector<std::uint64_t> loads = load_bounds(problem, parts, PairGraph(phase.matrix));
    for (int level = loads.empty() ? 0 : top_level; level >= 2; --level) {
      add_product(sums[top_level - level], phase.repeat, loads[level - 1]);
    }
  }
  return Score{{sums.begin(), sums.end()}};
}

/// What a rank's messages cost at least (at most), place by place from the nearest.
class Latencies {
 public:
  Latencies(const PlacedProblem& problem, const Domain& machine) : worst_(problem.worst) {
    for (const Level& level : problem.machine.levels()) latency_s_.push_back(level.link.latency_s);
    for (const auto& places : machine.places) beside_.push_back(places.front() - 1);
    // Farther places never count as faster than nearer ones, whatever the figures say.
    for (std::size_t i = latency_s_.size(); i-- > 1;) {
      latency_s_[i - 1] = std::min(latency_s_[i - 1], latency_s_[i]);
    }
    for (const Level& level : problem.machine.levels()) most_s_ = std::max(most_s_, level.link.latency_s);
  }

  /// @param messages  of each partner; sorted here.
  double of_rank(std::vector<std::uint64_t>& messages) const {
    std::ranges::sort(messages, std::greater{});
    double sum_s = 0;
    std::size_t level = 1;
    for (std::size_t i = 0; i < messages.size(); ++i) {
      while (level < latency_s_.size() && static_cast<std::int64_t>(i) >= beside_[level]) ++level;
      sum_s += static_cast<double>(messages[i]) * (worst_ ? most_s_ : latency_s_[level - 1]);
    }
    return sum_s;
  }

 private:
  bool worst_;
  std::vector<double> latency_s_;     ///< [level - 1]
  std::vector<std::int64_t> beside_;  ///< [level]: places that a rank can have within it, its own left out
  double most_s_ = 0;
};

double time_bound(const PlacedProblem& problem) {
  const Machine& machine = problem.machine;
  const std::vector<Domain> whole = domains(problem, false);
  if (machine.n_levels() == 0 || whole.empty()) return 0;
  const Latencies latencies(problem, whole.front());
  double total_s = 0;
  std::vector<std::uint64_t> messages;
  for (const Phase& phase : problem.traffic.phases) {
    const PairGraph graph(phase.matrix);
    const std::vector<std::uint64_t> loads = load_bounds(problem, whole, graph);
    double slowest_s = 0;
    for (int level = 1; level <= machine.n_levels(); ++level) {
      const double bandwidth = machine.levels()[level - 1].link.bandwidth_bytes_per_s;
      slowest_s = std::max(slowest_s, static_cast<double>(loads[level - 1]) / bandwidth);
    }
    for (std::int32_t rank = 0; rank < graph.n_ranks(); ++rank) {
      messages.clear();
      for (const PairTraffic& pair : graph.partners(Rank{rank})) messages.push_back(pair.messages);
      slowest_s = std::max(slowest_s, latencies.of_rank(messages));
    }
    total_s += static_cast<double>(phase.repeat) * slowest_s;
  }
  return total_s * (problem.worst ? 1 + kRounding : 1 - kRounding);
}

}  // namespace

Score objective_bound(const PlacedProblem& problem) {
  if (problem.objective.name == "hop-bytes") return Score{{hop_bytes_bound(problem, kLimits)}};
  if (problem.objective.name == "time") return Score{{time_bound(problem)}};
  return loads_bound(problem, problem.objective.name == "link-load" ? problem.machine.node_level()
                                                                    : problem.machine.n_levels());
}

double quick_hop_bytes_bound(const PlacedProblem& problem) { return hop_bytes_bound(problem, kQuickLimits); }

void tighten(const PlacedProblem& problem, Solution& solution) {
  if (solution.proven) {
    solution.bound = solution.score;
    return;
  }
  Score bound = objective_bound(problem);
  if (solution.bound && (problem.worst ? *solution.bound < bound : *solution.bound > bound)) {
    bound = *solution.bound;
  }
  const double doubt = problem.objective.name == "time" ? 2 * kRounding : 0;
  bool reached = true;
  for (std::size_t i = 0; i < bound.values.size(); ++i) {
    const double gap = solution.score.values[i] - bound.values[i];
    reached &= (problem.worst ? -gap : gap) <= doubt * solution.score.values[i];
  }
  solution.proven = reached;
  solution.bound = reached ? solution.score : std::move(bound);
}

}  // namespace corewise::bounds
