/// PartialScore: sums and greatest values over the pairs whose ranks are placed.
#include "solvers/exact/partial_score.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "checked.hpp"

namespace corewise {
namespace {

constexpr CoreIndex kNowhere{-1};

/// Greatest link loads and rank times of one phase.
struct PhaseState {
  std::uint64_t repeat = 1;
  PairGraph graph;
  LinkLoads loads;
  std::vector<std::uint64_t> messages;  ///< [rank * (n_levels + 1) + meeting level]
  std::vector<std::uint64_t> greatest;  ///< [class - 1] bytes
  double slowest_rank_s = 0;
  std::uint64_t open_bytes = 0;     ///< of pairs with a rank that is not placed
  std::uint64_t open_messages = 0;  ///< likewise
};

class PartialPairs : public PartialScore {
 public:
  /// @param top_level  pairs that meet above this level don't count.
  /// @param times      empty: the score is the list of loads, or the sum of distances.
  /// @param distance   [meeting level]; empty: the score is no sum of distances.
  PartialPairs(const Traffic& traffic, const Machine& machine, int top_level, std::optional<PhaseTimes> times,
               std::vector<std::uint64_t> distance = {})
      : machine_(machine),
        top_level_(top_level),
        times_(std::move(times)),
        distance_(std::move(distance)),
        core_of_rank_(traffic.n_ranks(), kNowhere) {
    for (std::size_t i = 0; times_ && i < times_->link.size(); ++i)
      greatest_latency_s_ = std::max(greatest_latency_s_, times_->link[i].latency_s);
    std::uint64_t most = 0;
    for (const Phase& phase : traffic.phases) {
      add_product(most, phase.repeat, phase.matrix.bytes());
      if (!distance_.empty()) add_product(most, phase.matrix.bytes(), distance_.back());
      PhaseState& state = phases_.emplace_back();
      state.repeat = phase.repeat;
      state.graph = PairGraph(phase.matrix);
      for (int level = 0; level < machine.n_levels(); ++level)
        state.loads.emplace_back(machine.n_groups(level), 0);
      state.greatest.assign(machine.n_levels(), 0);
      state.messages.assign(core_of_rank_.size() * (machine.n_levels() + 1), 0);
      state.open_bytes = phase.matrix.bytes();
      state.open_messages = phase.matrix.messages();
    }
  }

  void place(Rank rank, CoreIndex core) override {
    core_of_rank_[raw(rank)] = core;
    placed_.push_back(rank);
    for (PhaseState& phase : phases_) {
      greatest_before_.insert(greatest_before_.end(), phase.greatest.begin(), phase.greatest.end());
      slowest_before_.push_back(phase.slowest_rank_s);
      change(phase, rank, 1);
    }
  }

  void take_back() override {
    const Rank rank = placed_.back();
    for (auto phase = phases_.rbegin(); phase != phases_.rend(); ++phase) {
      change(*phase, rank, -1);
      const auto saved = greatest_before_.end() - static_cast<std::ptrdiff_t>(phase->greatest.size());
      std::copy(saved, greatest_before_.end(), phase->greatest.begin());
      greatest_before_.erase(saved, greatest_before_.end());
      phase->slowest_rank_s = slowest_before_.back();
      slowest_before_.pop_back();
    }
    core_of_rank_[raw(rank)] = kNowhere;
    placed_.pop_back();
  }

  /// The upper bound assumes that every pair with an unplaced rank crosses the fullest link of each class.
  void bound(Side side, std::vector<double>& values) const override {
    const bool with_open = side == Side::upper;
    values.clear();
    if (!distance_.empty()) {
      const std::uint64_t open = with_open ? phases_.front().open_bytes * distance_.back() : 0;
      values.push_back(static_cast<double>(sum_ + open));
      return;
    }
    if (times_) {
      double sum_s = 0;
      for (const PhaseState& phase : phases_) {
        sum_s += static_cast<double>(phase.repeat) * phase_time_s(phase, with_open);
      }
      values.push_back(sum_s);
      return;
    }
    for (int level = top_level_; level >= 2; --level) {
      std::uint64_t sum = 0;
      for (const PhaseState& phase : phases_) {
        sum += phase.repeat * (phase.greatest[level - 1] + (with_open ? phase.open_bytes : 0));
      }
      values.push_back(static_cast<double>(sum));
    }
  }

 private:
  /// Adds (sign 1) or subtracts (sign -1) the rank's pairs with placed ranks. Maxima only grow here;
  /// take_back() restores them.
  void change(PhaseState& phase, Rank rank, int sign) {
    const CoreIndex here = core_of_rank_[raw(rank)];
    for (const PairTraffic& pair : phase.graph.partners(rank)) {
      const CoreIndex there = core_of_rank_[raw(pair.peer)];
      if (there == kNowhere) continue;
      phase.open_bytes -= sign * pair.bytes;
      phase.open_messages -= sign * pair.messages;
      const int meeting = machine_.meeting_level(here, there);
      if (!distance_.empty()) sum_ += sign * pair.bytes * distance_[meeting];
      if (meeting > top_level_) continue;
      for (int level = 1; level <= meeting; ++level) {
        for (const CoreIndex side : {here, there}) {
          std::uint64_t& load = phase.loads[level - 1][machine_.group(level - 1, side)];
          load += sign * pair.bytes;
          phase.greatest[level - 1] = std::max(phase.greatest[level - 1], load);
        }
      }
      if (!times_) continue;
      for (const Rank end : {rank, pair.peer}) {
        messages_of(phase, end)[meeting] += sign * pair.messages;
        phase.slowest_rank_s = std::max(phase.slowest_rank_s, rank_time_s(phase, end));
      }
    }
  }

  std::uint64_t* messages_of(PhaseState& phase, Rank rank) const {
    return &phase.messages[static_cast<std::size_t>(raw(rank)) * (machine_.n_levels() + 1)];
  }

  /// Adds the levels in the same order as the objective does, so that both round alike.
  double rank_time_s(PhaseState& phase, Rank rank) const {
    const std::uint64_t* messages = messages_of(phase, rank);
    double sum = 0;
    for (int level = 1; level <= machine_.n_levels(); ++level) {
      const std::uint64_t count = messages[level] + (level == 1 ? messages[0] : 0);
      sum += static_cast<double>(count) * times_->link[level - 1].latency_s;
    }
    return sum;
  }

  double phase_time_s(const PhaseState& phase, bool with_open) const {
    double slowest = phase.slowest_rank_s;
    if (with_open) slowest += static_cast<double>(phase.open_messages) * greatest_latency_s_;
    for (int level = 1; level <= machine_.n_levels(); ++level) {
      const std::uint64_t bytes = phase.greatest[level - 1] + (with_open ? phase.open_bytes : 0);
      slowest = std::max(slowest, static_cast<double>(bytes) / times_->link[level - 1].bandwidth_bytes_per_s);
    }
    return slowest;
  }

  const Machine& machine_;
  int top_level_;
  std::optional<PhaseTimes> times_;
  double greatest_latency_s_ = 0;
  std::vector<std::uint64_t> distance_;
  std::uint64_t sum_ = 0;  ///< of bytes times distances
  std::vector<CoreIndex> core_of_rank_;
  std::vector<PhaseState> phases_;
  std::vector<Rank> placed_;
  std::vector<std::uint64_t> greatest_before_;  ///< stack of values for take_back(), phase after phase
  std::vector<double> slowest_before_;
};

using Owned = std::unique_ptr<PartialScore>;

Owned partial(const DistanceSum& form, const PlacedProblem& problem, const Traffic& traffic) {
  std::vector<std::uint64_t> distance{0};
  distance.insert(distance.end(), form.distance.begin(), form.distance.end());
  return std::make_unique<PartialPairs>(Traffic::of(traffic.folded()), problem.machine, 0, std::nullopt,
                                        std::move(distance));
}
Owned partial(const GreatestLoads& /*form*/, const PlacedProblem& problem, const Traffic& traffic) {
  return std::make_unique<PartialPairs>(traffic, problem.machine, problem.top_level(), std::nullopt);
}
Owned partial(const PhaseTimes& form, const PlacedProblem& problem, const Traffic& traffic) {
  return std::make_unique<PartialPairs>(traffic, problem.machine, problem.machine.n_levels(), form);
}

}  // namespace

std::unique_ptr<PartialScore> partial_score(const PlacedProblem& problem, const Traffic& traffic) {
  return std::visit([&](const auto& form) { return partial(form, problem, traffic); }, problem.form);
}

}  // namespace corewise
