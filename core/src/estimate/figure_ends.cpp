/// Evaluates a time with the figures of one level at the ends of their bounds.
#include "estimate/figure_ends.hpp"

#include <algorithm>
#include <limits>

#include "corewise/error.hpp"
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

}  // namespace

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

}  // namespace corewise
