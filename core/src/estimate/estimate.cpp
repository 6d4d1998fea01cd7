/// estimate(): from a replay, or from a sum of phases, to an Estimate with an interval.
#include "corewise/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "checked.hpp"
#include "corewise/error.hpp"
#include "corewise/link_figures.hpp"
#include "estimate/link_paths.hpp"
#include "estimate/replay.hpp"
#include "estimate/traffic_times.hpp"
#include "text.hpp"

namespace corewise {
namespace {

/// Is this the measured limit of both directions of one link?
bool limits_both_ways(const SharedLoad& load) { return load.links == 1 && load.both_ways; }

bool has_bounds(const LinkFigures& link) {
  return link.latency_bounds_s || link.bandwidth_bounds_bytes_per_s || !link.curve.empty() ||
         std::ranges::any_of(link.loads, limits_both_ways);
}

LinkFigures at_end(const LinkFigures& link, bool slow) {
  LinkFigures moved = link;
  const auto longer = [&](const Bounds& bounds) { return slow ? bounds.high : bounds.low; };
  if (link.latency_bounds_s) moved.latency_s = longer(*link.latency_bounds_s);
  if (const auto& bounds = link.bandwidth_bounds_bytes_per_s) {
    moved.bandwidth_bytes_per_s = slow ? bounds->low : bounds->high;
  }
  for (CurvePoint& point : moved.curve) point.time_s = longer(point.bounds_s);
  for (SharedLoad& load : moved.loads) {
    if (limits_both_ways(load)) {
      load.bandwidth_bytes_per_s = slow ? load.bounds_bytes_per_s.low : load.bounds_bytes_per_s.high;
    }
  }
  return moved;
}

/// [level - 1] figures of a machine. A single core gets one level on which messages take no time.
/// @throws Error(unsupported) on a machine without figures.
std::vector<LinkFigures> figures_of(const Machine& machine) {
  if (machine.n_levels() == 0) {
    return {LinkFigures{.bandwidth_bytes_per_s = std::numeric_limits<double>::infinity(), .source = "none"}};
  }
  if (!machine.has_figures()) {
    throw Error(ErrorCode::unsupported, concat("machine '", machine.name(),
                                               "' has no latencies and bandwidths; expected one with figures "
                                               "for every level: a preset or a machine file"));
  }
  std::vector<LinkFigures> figures;
  for (const Level& level : machine.levels()) figures.push_back(level.link);
  return figures;
}

/// For each level that has bounds: `time_with` the figures of that level at the fast ends of their bounds
/// (low) and at the slow ends (high).
std::vector<Bounds> at_figure_ends(const std::vector<LinkFigures>& figures,
                                   const std::function<double(const std::vector<LinkFigures>&)>& time_with) {
  std::vector<Bounds> ends;
  for (std::size_t level = 0; level < figures.size(); ++level) {
    if (!has_bounds(figures[level])) continue;
    std::vector<LinkFigures> moved = figures;
    moved[level] = at_end(figures[level], false);
    const double fast_s = time_with(moved);
    moved[level] = at_end(figures[level], true);
    ends.push_back({fast_s, time_with(moved)});
  }
  return ends;
}

double mean(const std::vector<double>& values) {
  return values.empty()
             ? 0
             : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The interval of a makespan. For each level, the figures at the ends of their bounds multiply the
/// communication time (makespan - computing time `floor_s`) by a factor. The levels count as independent
/// errors: the squares of the factors' logarithms add up.
/// @param at_ends  makespans with one level's figures at the ends of their bounds, one entry per level.
Bounds interval(double makespan_s, double floor_s, const std::vector<Bounds>& at_ends) {
  const double beyond_s = makespan_s - floor_s;
  if (beyond_s <= 0) return {makespan_s, makespan_s};
  double squares = 0;
  for (const Bounds& ends : at_ends) {
    double move = 0;
    for (const double end_s : {ends.low, ends.high}) {
      if (end_s > floor_s) move = std::max(move, std::abs(std::log((end_s - floor_s) / beyond_s)));
    }
    squares += move * move;
  }
  const double factor = std::exp(std::sqrt(squares));
  // min and max, because floor_s + beyond_s can differ from makespan_s in the last bit.
  return {std::min(makespan_s, floor_s + beyond_s / factor),
          std::max(makespan_s, floor_s + beyond_s * factor)};
}

BusiestLink busiest(const LinkPaths& paths, const std::vector<double>& link_bytes) {
  BusiestLink found;
  for (std::size_t link = 0; link < link_bytes.size(); ++link) {
    const double busy_s = link_bytes[link] / paths.capacities()[link];
    if (busy_s <= found.busy_s) continue;
    const LinkName name = paths.name(static_cast<std::int32_t>(link));
    found = {name.level, name.group, name.down, name.bus, name.axis, name.both_ways, busy_s};
  }
  return found;
}

std::vector<TimePart> longest_first(std::vector<TimePart> parts) {
  std::erase_if(parts, [](const TimePart& part) { return part.time_s <= 0; });
  std::ranges::stable_sort(parts, std::ranges::greater(), &TimePart::time_s);
  return parts;
}

/// [rank] end of its last process, and the greatest computing time of its processes.
struct RankTimes {
  std::vector<double> end_s, compute_s;
};

RankTimes times_of_ranks(const Schedule& schedule, const Replayed& replayed) {
  RankTimes times{std::vector<double>(static_cast<std::size_t>(schedule.n_ranks)), {}};
  times.compute_s = times.end_s;
  for (std::size_t i = 0; i < schedule.processes.size(); ++i) {
    const auto rank = static_cast<std::size_t>(raw(schedule.processes[i].rank));
    times.end_s[rank] = std::max(times.end_s[rank], replayed.end_s[i]);
    times.compute_s[rank] = std::max(times.compute_s[rank], replayed.compute_s[i]);
  }
  return times;
}

}  // namespace

Estimate estimate(const Schedule& schedule, const Machine& machine, const Placement& placement,
                  const Watch& watch) {
  require_same_ranks(schedule.n_ranks, placement.n_ranks());
  const std::vector<LinkFigures> figures = figures_of(machine);
  const LinkPaths paths(machine, figures);
  const Replayed replayed = replay(schedule, machine, paths, figures, placement, watch);
  const RankTimes times = times_of_ranks(schedule, replayed);
  Estimate found;
  if (times.end_s.empty()) return found;
  const auto last = std::ranges::max_element(times.end_s);
  found.makespan_s = *last;
  found.last_rank = Rank{static_cast<std::int32_t>(last - times.end_s.begin())};
  found.comm_s = mean(times.end_s) - mean(times.compute_s);
  found.busiest = busiest(paths, replayed.link_bytes);
  for (std::size_t call = 0; call < schedule.calls.size(); ++call) {
    found.parts.push_back({schedule.calls[call], replayed.wait_s[call] / schedule.n_ranks});
  }
  found.parts = longest_first(std::move(found.parts));
  const auto makespan_with = [&](const std::vector<LinkFigures>& other) {
    const LinkPaths moved(machine, other);
    return std::ranges::max(replay(schedule, machine, moved, other, placement, watch).end_s);
  };
  found.makespan_range_s =
      interval(found.makespan_s, std::ranges::max(times.compute_s), at_figure_ends(figures, makespan_with));
  return found;
}

Estimate estimate(const Traffic& traffic, const std::vector<double>& compute_s, const Machine& machine,
                  const Placement& placement, const std::stop_token& stop) {
  require_same_ranks(traffic.n_ranks(), placement.n_ranks());
  const std::vector<LinkFigures> figures = figures_of(machine);
  const LinkPaths paths(machine, figures);
  const TrafficTimes phases = traffic_times(traffic, machine, paths, figures, placement, stop);
  Estimate found;
  found.comm_s = std::accumulate(phases.phase_s.begin(), phases.phase_s.end(), 0.0);
  const double floor_s = compute_s.empty() ? 0 : std::ranges::max(compute_s);
  found.makespan_s = floor_s + found.comm_s;
  const std::vector<double>& of_last = compute_s.empty() ? phases.latency_s : compute_s;
  if (!of_last.empty()) {
    found.last_rank = Rank{static_cast<std::int32_t>(std::ranges::max_element(of_last) - of_last.begin())};
  }
  found.busiest = busiest(paths, phases.link_bytes);
  for (std::size_t phase = 0; phase < phases.phase_s.size(); ++phase) {
    found.parts.push_back({concat("phase ", phase + 1), phases.phase_s[phase]});
  }
  found.parts = longest_first(std::move(found.parts));
  const auto makespan_with = [&](const std::vector<LinkFigures>& other) {
    const LinkPaths moved(machine, other);
    const std::vector<double> times = traffic_times(traffic, machine, moved, other, placement, stop).phase_s;
    return floor_s + std::accumulate(times.begin(), times.end(), 0.0);
  };
  found.makespan_range_s = interval(found.makespan_s, floor_s, at_figure_ends(figures, makespan_with));
  return found;
}

}  // namespace corewise
