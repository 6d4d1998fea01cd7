/// A slow, simple simulation of steps, to test replay(): it recomputes all rates at every change.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "corewise/machine.hpp"
#include "corewise/placement.hpp"
#include "corewise/schedule.hpp"

namespace corewise::testing {

/// The messages of one rank in one step.
struct ReferenceStep {
  std::vector<std::size_t> sends, receives;  ///< indices of transfers
};

/// The state of a message. Its latency passes first, then its bytes.
struct ReferenceMessage {
  bool sent = false, received = false, under_way = false, arrived = false;
  double latency_left_s = 0;
  double bytes_left = 0;
  double rate = 0;
};

/// All rates rise together. When a link is full, the rates of its flows stay. The only measured load that a
/// level may have is the common limit of both directions of a link.
class FluidReference {
 public:
  FluidReference(const Machine& machine, const Placement& placement, std::vector<Transfer> transfers,
                 std::uint64_t eager_bytes)
      : machine_(machine),
        placement_(placement),
        transfers_(std::move(transfers)),
        eager_bytes_(eager_bytes),
        messages_(transfers_.size()),
        steps_(static_cast<std::size_t>(placement.n_ranks())),
        at_(steps_.size(), -1) {
    for (std::size_t i = 0; i < transfers_.size(); ++i) {
      messages_[i].bytes_left = static_cast<double>(transfers_[i].bytes);
      steps_[static_cast<std::size_t>(transfers_[i].src)][transfers_[i].step].sends.push_back(i);
      steps_[static_cast<std::size_t>(transfers_[i].dst)][transfers_[i].step].receives.push_back(i);
    }
    for (auto& of_rank : steps_) order_.emplace_back(of_rank.begin(), of_rank.end());
  }

  double makespan_s() {
    double now_s = 0;
    while (true) {
      while (advance_ranks()) {
      }
      set_rates();
      const double wait_s = next_change_s();
      if (wait_s == kNever) return now_s;
      now_s += wait_s;
      for (ReferenceMessage& message : messages_) move(message, wait_s);
    }
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  static constexpr double kNoBytes = 1e-6;
  static constexpr double kNoTime = 1e-15;

  [[nodiscard]] bool step_is_over(std::size_t rank) const {
    if (at_[rank] < 0) return true;
    const ReferenceStep& step = order_[rank][static_cast<std::size_t>(at_[rank])].second;
    const auto is_over = [&](std::size_t i) {
      return messages_[i].arrived || (transfers_[i].bytes <= eager_bytes_ && messages_[i].sent);
    };
    return std::ranges::all_of(step.sends, is_over) &&
           std::ranges::all_of(step.receives, [&](std::size_t i) { return messages_[i].arrived; });
  }

  /// Returns whether a rank advanced or a message started.
  bool advance_ranks() {
    bool changed = false;
    for (std::size_t rank = 0; rank < steps_.size(); ++rank) {
      if (at_[rank] + 1 >= static_cast<std::int64_t>(order_[rank].size()) || !step_is_over(rank)) continue;
      const ReferenceStep& step = order_[rank][static_cast<std::size_t>(++at_[rank])].second;
      for (const std::size_t i : step.sends) messages_[i].sent = true;
      for (const std::size_t i : step.receives) messages_[i].received = true;
      changed = true;
    }
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      ReferenceMessage& message = messages_[i];
      const bool ready = message.sent && (message.received || transfers_[i].bytes <= eager_bytes_);
      if (!ready || message.under_way) continue;
      message.under_way = changed = true;
      message.latency_left_s = figures(meeting(i)).latency_s;
    }
    return changed;
  }

  [[nodiscard]] int meeting(std::size_t i) const {
    return machine_.meeting_level(core(i, true), core(i, false));
  }
  [[nodiscard]] CoreIndex core(std::size_t i, bool of_src) const {
    return placement_.core(Rank{of_src ? transfers_[i].src : transfers_[i].dst});
  }

  [[nodiscard]] static bool flows(const ReferenceMessage& message) {
    return message.under_way && !message.arrived && message.latency_left_s <= kNoTime;
  }

  enum class Part : std::uint8_t { up, down, both_ways };
  using Link = std::tuple<int, std::int32_t, Part>;  // level, group, part

  /// The links on the path, and the measured common limits of both directions.
  [[nodiscard]] std::vector<Link> links(std::size_t i) const {
    std::vector<Link> found;
    for (int level = 1; level <= meeting(i); ++level) {
      for (const bool of_src : {true, false}) {
        const std::int32_t group = machine_.group(level - 1, core(i, of_src));
        found.emplace_back(level, group, of_src ? Part::up : Part::down);
        if (!figures(level).loads.empty()) found.emplace_back(level, group, Part::both_ways);
      }
    }
    return found;
  }
  [[nodiscard]] const LinkFigures& figures(int level) const {
    return machine_.levels()[static_cast<std::size_t>(level - 1)].link;
  }
  [[nodiscard]] double capacity(const Link& link) const {
    const LinkFigures& own = figures(std::get<0>(link));
    return std::get<2>(link) == Part::both_ways ? own.loads.front().bandwidth_bytes_per_s
                                                : own.bandwidth_bytes_per_s;
  }

  void set_rates() {
    std::map<Link, std::pair<double, int>> of_link;  // left, rising
    std::vector<bool> rises(messages_.size());
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      rises[i] = flows(messages_[i]);
      messages_[i].rate = 0;
      if (!rises[i]) continue;
      for (const auto& link : links(i)) {
        auto& own = of_link.try_emplace(link, capacity(link), 0).first->second;
        ++own.second;
      }
    }
    while (std::ranges::count(rises, true) > 0) {
      double more = kNever;
      for (const auto& [link, own] : of_link) {
        if (own.second > 0) more = std::min(more, own.first / own.second);
      }
      for (auto& [link, own] : of_link) own.first -= more * own.second;
      for (std::size_t i = 0; i < messages_.size(); ++i) {
        if (rises[i]) messages_[i].rate += more;
      }
      for (std::size_t i = 0; i < messages_.size(); ++i) {
        if (!rises[i]) continue;
        const auto own_links = links(i);
        rises[i] = std::ranges::none_of(
            own_links, [&](const auto& link) { return of_link[link].first < 1e-9 * messages_[i].rate; });
        for (const auto& link : own_links) of_link[link].second -= rises[i] ? 0 : 1;
      }
    }
  }

  [[nodiscard]] double next_change_s() const {
    double next_s = kNever;
    for (const ReferenceMessage& message : messages_) {
      if (!message.under_way || message.arrived) continue;
      next_s = std::min(next_s, message.latency_left_s > kNoTime ? message.latency_left_s
                                                                 : message.bytes_left / message.rate);
    }
    return next_s;
  }

  static void move(ReferenceMessage& message, double wait_s) {
    if (!message.under_way || message.arrived) return;
    if (message.latency_left_s > kNoTime) {
      message.latency_left_s -= wait_s;
      message.arrived = message.latency_left_s <= kNoTime && message.bytes_left <= kNoBytes;
      return;
    }
    message.bytes_left -= message.rate * wait_s;
    message.arrived = message.bytes_left <= kNoBytes;
  }

  const Machine& machine_;
  const Placement& placement_;
  std::vector<Transfer> transfers_;
  std::uint64_t eager_bytes_;
  std::vector<ReferenceMessage> messages_;
  std::vector<std::map<std::int32_t, ReferenceStep>> steps_;
  std::vector<std::vector<std::pair<std::int32_t, ReferenceStep>>> order_;
  std::vector<std::int64_t> at_;  ///< [rank] its step
};

}  // namespace corewise::testing
