/// LoadModel: the edges of each phase, and the size of a tick.
#include "solvers/search/load_model.hpp"

#include <algorithm>

namespace corewise::search {
namespace {

/// The total of all ticks: sums of their squares then stay below 2^60.
constexpr double most_ticks = 1 << 30;

LoadPhase make_phase(const Phase& phase, std::int32_t n_vertices) {
  const PairGraph pairs(phase.matrix);
  LoadPhase result;
  result.start.push_back(0);
  for (std::int32_t v = 0; v < n_vertices; ++v) {
    if (v < pairs.n_ranks()) {
      for (const PairTraffic& pair : pairs.partners(Rank{v})) {
        result.edges.push_back({raw(pair.peer), pair.bytes * phase.repeat, pair.messages * phase.repeat});
      }
    }
    result.start.push_back(static_cast<std::uint32_t>(result.edges.size()));
  }
  return result;
}

LoadModel without_ticks(const PlacedProblem& problem, const SlotTree& tree) {
  LoadModel model;
  for (const Phase& phase : problem.traffic.phases) model.phases.push_back(make_phase(phase, tree.n_slots()));
  return model;
}

}  // namespace

LoadModel make_load_model(const GreatestLoads& /*form*/, const PlacedProblem& problem, const SlotTree& tree) {
  LoadModel model = without_ticks(problem, tree);
  model.highest_class = problem.top_level();
  double total = 1;
  for (const LoadPhase& phase : model.phases) {
    for (const LoadEdge& edge : phase.edges) total += static_cast<double>(edge.bytes);
  }
  // At most one tick per byte: small totals are exact.
  model.ticks_per_byte.assign(problem.machine.n_levels() + 1, std::min(1.0, most_ticks / total));
  return model;
}

LoadModel make_load_model(const PhaseTimes& form, const PlacedProblem& problem, const SlotTree& tree) {
  LoadModel model = without_ticks(problem, tree);
  model.counts_time = true;
  model.lowest_class = 1;
  model.highest_class = problem.machine.n_levels();
  model.ticks_per_byte.assign(1, 0);
  model.ticks_per_message.assign(1, form.link[0].latency_s);
  for (const LinkFigures& link : form.link) {
    model.ticks_per_byte.push_back(1 / link.bandwidth_bytes_per_s);
    model.ticks_per_message.push_back(link.latency_s);
  }
  double all_bytes_s = 0, message_s = 0;
  for (const double s : model.ticks_per_byte) all_bytes_s += s;
  for (const double s : model.ticks_per_message) message_s = std::max(message_s, s);
  double total_s = 0;
  for (const LoadPhase& phase : model.phases) {
    for (const LoadEdge& edge : phase.edges) {
      total_s += static_cast<double>(edge.bytes) * all_bytes_s;
      total_s += static_cast<double>(edge.messages) * message_s;
    }
  }
  const double ticks_per_s = total_s > 0 ? most_ticks / total_s : 1;
  for (double& value : model.ticks_per_byte) value *= ticks_per_s;
  for (double& value : model.ticks_per_message) value *= ticks_per_s;
  return model;
}

}  // namespace corewise::search
