/// LoadModel: the size of a tick. LoadCost: adds each pair to the links on its path, and updates these when a
/// vertex moves.
#include "solvers/search/load_cost.hpp"

#include <algorithm>
#include <utility>

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

LoadCost::LoadCost(const LoadModel& model, Mapping mapping, int sign, WorkMeter& work)
    : model_(&model), work_(&work), mapping_(std::move(mapping)), sign_(sign) {
  const SlotTree& tree = mapping_.tree();
  const int n_classes = std::max(0, model.highest_class - model.lowest_class + 1);
  vectors_per_phase_ = model.counts_time ? 1 : static_cast<std::size_t>(n_classes);
  first_value_.assign(model.highest_class + 2, 0);
  std::size_t n_values = 0;
  for (int k = model.lowest_class; k <= model.highest_class; ++k) {
    first_value_[k] = n_values;
    if (model.counts_time) n_values += static_cast<std::size_t>(tree.n_groups(k - 1));
  }
  first_value_.back() = n_values;
  for (std::size_t phase = 0; phase < model.phases.size(); ++phase) {
    for (std::size_t i = 0; i < vectors_per_phase_; ++i) {
      const int k = model.lowest_class + static_cast<int>(i);
      loads_.emplace_back(model.counts_time ? n_values + tree.n_slots() : tree.n_groups(k - 1));
      weight_.push_back(model.counts_time ? 1 : Cost{1} << std::min<std::size_t>(4 * i, 24));
    }
    add_all(phase);
  }
  for (const LoadVector& loads : loads_) square_unit_.push_back(std::max<Cost>(1, loads.sum()));
  value_ = evaluate();
}

Cost LoadCost::latency(std::size_t phase, const PairTraffic& pair, int level) const {
  return static_cast<Cost>(model_->phases[phase].messages(pair) * model_->ticks_per_message[level]);
}

void LoadCost::add_all(std::size_t phase) {
  for (std::int32_t v = 0; v < mapping_.n(); ++v) {
    for (const PairTraffic& pair : model_->phases[phase].row(v)) {
      const int meeting = mapping_.meeting_level(v, raw(pair.peer));
      add_path(phase, mapping_.slot(v), meeting, pair, 1);
      if (model_->counts_time) loads_[phase].add(first_value_.back() + v, latency(phase, pair, meeting));
    }
  }
}

/// Adds a pair's bytes to the links above `slot` up to class up_to, or subtracts them if sign is -1. Pairs
/// that meet above the highest class don't count.
void LoadCost::add_path(std::size_t phase, std::int32_t slot, int up_to, const PairTraffic& pair, int sign) {
  if (up_to > model_->highest_class) return;
  const SlotTree& tree = mapping_.tree();
  const double bytes = model_->phases[phase].bytes(pair);
  for (int k = model_->lowest_class; k <= up_to; ++k) {
    const Cost change = sign * static_cast<Cost>(bytes * model_->ticks_per_byte[k]);
    const auto group = static_cast<std::size_t>(tree.group(k - 1, slot));
    if (model_->counts_time) {
      loads_[phase].add(first_value_[k] + group, change);
    } else {
      loads_[phase * vectors_per_phase_ + static_cast<std::size_t>(k - model_->lowest_class)].add(group,
                                                                                                  change);
    }
  }
}

/// Moves the pairs of v from one slot to another. `other` moves the opposite way, so the load of the pair
/// of both stays the same.
void LoadCost::move_pairs(std::size_t phase, std::int32_t v, std::int32_t other, std::int32_t from,
                          std::int32_t target) {
  const SlotTree& tree = mapping_.tree();
  for (const PairTraffic& pair : model_->phases[phase].row(v)) {
    if (raw(pair.peer) == other) continue;
    const std::int32_t slot = mapping_.slot(raw(pair.peer));
    const int before = tree.meeting_level(from, slot), after = tree.meeting_level(target, slot);
    add_path(phase, from, before, pair, -1);
    add_path(phase, target, after, pair, 1);
    add_path(phase, slot, before, pair, -1);
    add_path(phase, slot, after, pair, 1);
    if (model_->counts_time && before != after) {
      const Cost change = latency(phase, pair, after) - latency(phase, pair, before);
      loads_[phase].add(first_value_.back() + v, change);
      loads_[phase].add(first_value_.back() + raw(pair.peer), change);
    }
    work_->add(static_cast<std::uint64_t>(2 * (before + after)));
  }
}

void LoadCost::apply(std::int32_t u, std::int32_t v) {
  const std::int32_t slot_of_u = mapping_.slot(u), slot_of_v = mapping_.slot(v);
  for (std::size_t phase = 0; phase < model_->phases.size(); ++phase) {
    move_pairs(phase, u, v, slot_of_u, slot_of_v);
    move_pairs(phase, v, u, slot_of_v, slot_of_u);
  }
  mapping_.swap(u, v);
}

void LoadCost::undo_trial() {
  if (trial_.u < 0) return;
  apply(trial_.u, trial_.v);
  trial_ = {-1, -1};
}

Cost LoadCost::delta(std::int32_t u, std::int32_t v, Cost /*threshold*/) {
  undo_trial();
  apply(u, v);
  trial_ = {u, v};
  return evaluate() - value_;
}

void LoadCost::swap(std::int32_t, std::int32_t, Cost delta) {
  value_ += delta;
  trial_ = {-1, -1};
}

Cost LoadCost::evaluate() {
  Cost sum = 0;
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    sum += weight_[i] * (4 * loads_[i].max() + loads_[i].squares() / square_unit_[i]);
  }
  work_->add(loads_.size());
  return sign_ * sum;
}

}  // namespace corewise::search
