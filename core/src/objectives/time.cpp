/// Objective `time`: estimated seconds of communication; in each phase the slowest link or the slowest rank.
#include "objectives/time.hpp"

#include <algorithm>

#include "checked.hpp"
#include "corewise/error.hpp"
#include "objectives/rows.hpp"
#include "text.hpp"

namespace corewise {
namespace {

/// Raises each time to that of the slowest link.
void raise_to_slowest_link(const PairGraph& graph, const Machine& machine, std::span<const LinkCosts> costs,
                           const Placement& placement, std::vector<double>& times_s) {
  const LinkLoads loads = link_loads(graph, machine, placement, machine.n_levels());
  for (int level = 1; level <= machine.n_levels(); ++level) {
    const auto greatest = static_cast<double>(std::ranges::max(loads[level - 1]));
    for (std::size_t i = 0; i < costs.size(); ++i) {
      times_s[i] = std::max(times_s[i], greatest / costs[i][level - 1].bandwidth_bytes_per_s);
    }
  }
}

/// Raises each time to that of the slowest rank. Messages are counted per level first, so that the sum
/// doesn't depend on the order of the partners.
void raise_to_slowest_rank(const PairGraph& graph, const Machine& machine, std::span<const LinkCosts> costs,
                           const Placement& placement, std::vector<double>& times_s) {
  std::vector<std::uint64_t> messages(machine.n_levels() + 1);
  for (std::int32_t rank = 0; rank < graph.n_ranks(); ++rank) {
    std::ranges::fill(messages, 0);
    for (const PairTraffic& pair : graph.partners(Rank{rank})) {
      messages[machine.meeting_level(placement.core(Rank{rank}), placement.core(pair.peer))] += pair.messages;
    }
    // Ranks that share a core still pass messages through memory, at the latency of the lowest level.
    messages[1] += messages[0];
    for (std::size_t i = 0; i < costs.size(); ++i) {
      double sum = 0;
      for (int level = 1; level <= machine.n_levels(); ++level) {
        sum += static_cast<double>(messages[level]) * costs[i][level - 1].latency_s;
      }
      times_s[i] = std::max(times_s[i], sum);
    }
  }
}

void require_figures(const Machine& machine) {
  if (machine.has_figures()) return;
  throw Error(ErrorCode::unsupported,
              concat("machine '", machine.name(),
                     "' has no latencies and bandwidths; use the objective hop-bytes or congestion"));
}

}  // namespace

LinkCosts costs_of(const Machine& machine) {
  require_figures(machine);
  LinkCosts costs;
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

std::vector<double> times_with(const Traffic& traffic, const Machine& machine,
                               std::span<const LinkCosts> costs, const Placement& placement) {
  require_same_ranks(traffic.n_ranks(), placement.n_ranks());
  std::vector<double> total_s(costs.size(), 0);
  if (machine.n_levels() == 0) return total_s;
  for (const Phase& phase : traffic.phases) {
    const PairGraph graph(phase.matrix);
    std::vector<double> times_s(costs.size(), 0);
    raise_to_slowest_link(graph, machine, costs, placement, times_s);
    raise_to_slowest_rank(graph, machine, costs, placement, times_s);
    for (std::size_t i = 0; i < costs.size(); ++i) {
      total_s[i] += static_cast<double>(phase.repeat) * times_s[i];
    }
  }
  return total_s;
}

Score evaluate_time(const Traffic& traffic, const Machine& machine, const Placement& placement) {
  const LinkCosts costs = costs_of(machine);
  return Score{times_with(traffic, machine, {&costs, 1}, placement)};
}

}  // namespace corewise
