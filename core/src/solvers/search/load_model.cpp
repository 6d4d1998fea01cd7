/// LoadModel: the pairs of each phase, and the size of a tick.
#include "solvers/search/load_model.hpp"

#include <algorithm>

namespace corewise::search {
namespace {

/// The total of all ticks: sums of their squares then stay below 2^60.
constexpr double most_ticks = 1 << 30;

LoadModel without_ticks(const PlacedProblem& problem) {
  LoadModel model;
  for (const Phase& phase : problem.traffic.phases) {
    model.phases.push_back({phase.repeat, PairGraph(phase.matrix)});
  }
  return model;
}

/// Calls use(phase, pair) for every rank of every pair.
template <typename Use>
void for_each_end(const LoadModel& model, Use use) {
  for (const LoadPhase& phase : model.phases) {
    for (std::int32_t rank = 0; rank < phase.pairs.n_ranks(); ++rank) {
      for (const PairTraffic& pair : phase.row(rank)) use(phase, pair);
    }
  }
}

}  // namespace

LoadModel make_load_model(const GreatestLoads& /*form*/, const PlacedProblem& problem) {
  LoadModel model = without_ticks(problem);
  model.highest_class = problem.top_level();
  double total = 1;
  for_each_end(model, [&](const LoadPhase& phase, const PairTraffic& pair) { total += phase.bytes(pair); });
  // At most one tick per byte: small totals are exact.
  model.ticks_per_byte.assign(problem.machine.n_levels() + 1, std::min(1.0, most_ticks / total));
  return model;
}

LoadModel make_load_model(const PhaseTimes& form, const PlacedProblem& problem) {
  LoadModel model = without_ticks(problem);
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
  for_each_end(model, [&](const LoadPhase& phase, const PairTraffic& pair) {
    total_s += phase.bytes(pair) * all_bytes_s;
    total_s += phase.messages(pair) * message_s;
  });
  const double ticks_per_s = total_s > 0 ? most_ticks / total_s : 1;
  for (double& value : model.ticks_per_byte) value *= ticks_per_s;
  for (double& value : model.ticks_per_message) value *= ticks_per_s;
  return model;
}

}  // namespace corewise::search
