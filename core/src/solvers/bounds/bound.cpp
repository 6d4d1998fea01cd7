/// objective_bound(): derives the bounds of each form of objective from cut_bounds().
#include "solvers/bounds/bound.hpp"

#include <algorithm>
#include <functional>

#include "checked.hpp"
#include "overloads.hpp"
#include "solvers/bounds/cut_bounds.hpp"

namespace corewise::bounds {
namespace {

/// Relative rounding error of times, which are sums and products of few numbers.
constexpr double kRounding = 1e-12;

Score distance_bound(const DistanceSum& form, const PlacedProblem& problem) {
  const std::vector<Domain> machine = domains(problem, false);
  if (machine.empty()) return {{0.0}};
  const PairGraph graph(problem.traffic.folded());
  const std::vector<CutBounds> cut = cut_bounds(machine, graph).front();
  std::uint64_t sum = 0;
  std::uint32_t nearer = 0;
  for (int level = 1; level <= problem.machine.n_levels(); ++level) {
    const std::uint32_t distance = form.distance[level - 1];
    const CutBounds& below = cut[level - 1];
    add_product(sum, distance - nearer, problem.worst ? below.most : below.least);
    nearer = distance;
  }
  return {{static_cast<double>(sum)}};
}

/// [level] bound on the greatest load of the links from groups of this level upwards.
std::vector<std::uint64_t> load_bounds(const PlacedProblem& problem, std::span<const Domain> domains,
                                       const PairGraph& graph) {
  std::vector<std::uint64_t> loads;
  for (const auto& cut : cut_bounds(domains, graph)) {
    loads.resize(cut.size(), 0);
    for (std::size_t level = 0; level < cut.size(); ++level) {
      const CutBounds& at = cut[level];
      loads[level] = std::max(loads[level], problem.worst ? at.most_load : at.least_load);
    }
  }
  return loads;
}

Score loads_bound(const PlacedProblem& problem) {
  const int top_level = problem.top_level();
  const std::vector<Domain> parts = domains(problem, problem.objective.keeps_nodes);
  std::vector<std::uint64_t> sums(std::max(top_level - 1, 0), 0);
  for (const Phase& phase : problem.traffic.phases) {
    const std::vector<std::uint64_t> loads = load_bounds(problem, parts, PairGraph(phase.matrix));
    for (int level = loads.empty() ? 0 : top_level; level >= 2; --level) {
      add_product(sums[top_level - level], phase.repeat, loads[level - 1]);
    }
  }
  return Score{{sums.begin(), sums.end()}};
}

/// A bound on the latencies of a rank's messages: partners with most messages take the nearest places. If the
/// worst placement is wanted, every message takes the greatest latency.
class Latencies {
 public:
  Latencies(const PhaseTimes& form, const Domain& machine, bool worst) : worst_(worst) {
    for (const LinkFigures& link : form.link) latency_s_.push_back(link.latency_s);
    for (const auto& places : machine.places) beside_.push_back(places.front() - 1);
    most_s_ = std::ranges::max(latency_s_);
    // The nearest places must be the fastest, so a level gets at most the latency of every farther level.
    for (std::size_t i = latency_s_.size(); i-- > 1;) {
      latency_s_[i - 1] = std::min(latency_s_[i - 1], latency_s_[i]);
    }
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
  std::vector<std::int64_t> beside_;  ///< [level] number of other places in the rank's group, at most
  double most_s_ = 0;
};

double time_bound(const PhaseTimes& form, const PlacedProblem& problem) {
  const std::vector<Domain> whole = domains(problem, false);
  if (form.link.empty() || whole.empty()) return 0;
  const Latencies latencies(form, whole.front(), problem.worst);
  double total_s = 0;
  std::vector<std::uint64_t> messages;
  for (const Phase& phase : problem.traffic.phases) {
    const PairGraph graph(phase.matrix);
    const std::vector<std::uint64_t> loads = load_bounds(problem, whole, graph);
    double slowest_s = 0;
    for (std::size_t i = 0; i < form.link.size(); ++i) {
      slowest_s = std::max(slowest_s, static_cast<double>(loads[i]) / form.link[i].bandwidth_bytes_per_s);
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

/// Relative rounding error of a score.
double doubt_of(const ObjectiveForm& form) {
  return std::visit(
      Overloads{[](const DistanceSum&) { return 0.0; }, [](const GreatestLoads&) { return 0.0; },
                [](const PhaseTimes&) { return 2 * kRounding; }},
      form);
}

}  // namespace

Score objective_bound(const PlacedProblem& problem) {
  return std::visit(Overloads{[&](const DistanceSum& form) { return distance_bound(form, problem); },
                              [&](const GreatestLoads&) { return loads_bound(problem); },
                              [&](const PhaseTimes& form) { return Score{{time_bound(form, problem)}}; }},
                    problem.form);
}

void tighten(const PlacedProblem& problem, Solution& solution) {
  if (solution.proven) {
    solution.bound = solution.score;
    return;
  }
  Score bound = objective_bound(problem);
  if (solution.bound && (problem.worst ? *solution.bound < bound : *solution.bound > bound)) {
    bound = *std::move(solution.bound);
  }
  const double doubt = doubt_of(problem.form);
  bool reached = true;
  for (std::size_t i = 0; i < bound.values.size(); ++i) {
    const double gap = solution.score.values[i] - bound.values[i];
    reached &= (problem.worst ? -gap : gap) <= doubt * solution.score.values[i];
  }
  solution.proven = reached;
  solution.bound = reached ? solution.score : std::move(bound);
}

}  // namespace corewise::bounds
