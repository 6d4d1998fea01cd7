/// Objective `time`: estimated seconds of communication; in each phase the slowest link or the slowest rank.
#include "objectives/time.hpp"

#include <algorithm>

#include "checked.hpp"
#include "corewise/error.hpp"
#include "objectives/rows.hpp"
#include "text.hpp"

namespace corewise {
namespace {

using Costs = std::span<const LinkCost>;  // [level - 1]

double slowest_link_s(const PairGraph& graph, const Machine& machine, Costs costs,
                      const Placement& placement) {
  const LinkLoads loads = link_loads(graph, machine, placement, machine.n_levels());
  double slowest = 0;
  for (int level = 1; level <= machine.n_levels(); ++level) {
    const auto greatest = static_cast<double>(std::ranges::max(loads[level - 1]));
    slowest = std::max(slowest, greatest / costs[level - 1].bandwidth_bytes_per_s);
  }
  return slowest;
}

/// Counts messages per level before it multiplies, so that rounding doesn't depend on the partners' order.
double slowest_rank_s(const PairGraph& graph, const Machine& machine, Costs costs,
                      const Placement& placement) {
  double slowest = 0;
  std::vector<std::uint64_t> messages(machine.n_levels() + 1);
  for (std::int32_t rank = 0; rank < graph.n_ranks(); ++rank) {
    std::ranges::fill(messages, 0);
    for (const PairTraffic& pair : graph.partners(Rank{rank})) {
      messages[machine.meeting_level(placement.core(Rank{rank}), placement.core(pair.peer))] += pair.messages;
    }
    // Ranks that share a core still pass messages through memory, at the latency of the lowest level.
    messages[1] += messages[0];
    double sum = 0;
    for (int level = 1; level <= machine.n_levels(); ++level) {
      sum += static_cast<double>(messages[level]) * costs[level - 1].latency_s;
    }
    slowest = std::max(slowest, sum);
  }
  return slowest;
}

void require_figures(const Machine& machine) {
  if (machine.has_figures()) return;
  throw Error(ErrorCode::unsupported,
              concat("machine '", machine.name(),
                     "' has no latencies and bandwidths; use the objective hop-bytes or congestion"));
}

}  // namespace

std::vector<LinkCost> costs_of(const Machine& machine) {
  require_figures(machine);
  std::vector<LinkCost> costs;
  for (const Level& level : machine.levels()) {
    costs.push_back({level.link.latency_s, level.link.bandwidth_bytes_per_s});
  }
  return costs;
}

ObjectiveForm form_of_time(const Machine& machine) {
  require_figures(machine);
  PhaseTimes form;
  for (const Level& level : machine.levels()) form.link.push_back(level.link);
  return form;
}

double time_with(const Traffic& traffic, const Machine& machine, Costs costs, const Placement& placement) {
  require_same_ranks(traffic.n_ranks(), placement.n_ranks());
  double total = 0;
  if (machine.n_levels() == 0) return total;
  for (const Phase& phase : traffic.phases) {
    const PairGraph graph(phase.matrix);
    total += static_cast<double>(phase.repeat) * std::max(slowest_link_s(graph, machine, costs, placement),
                                                          slowest_rank_s(graph, machine, costs, placement));
  }
  return total;
}

Score evaluate_time(const Traffic& traffic, const Machine& machine, const Placement& placement) {
  return Score{{time_with(traffic, machine, costs_of(machine), placement)}};
}

}  // namespace corewise
