/// ClockComparison: a clock that runs evenly is a point in the plane of lead and drift. Each message excludes
/// a half-plane, so the possible clocks form a convex polygon.
#include "traffic/node_clocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace corewise {
namespace {

/// Greatest drift. Quartz clocks deviate by less than 1e-4; Linux corrects by up to 5e-4 (adjtimex(2)).
constexpr double kMostDrift = 1e-3;
constexpr double kMostTime = 1e12;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// False for absurd times, which a damaged file may contain.
bool is_time(double time_s) { return std::abs(time_s) < kMostTime; }

/// A clock that is `lead_s` ahead at time 0 and gains `drift` seconds per second.
struct Lead {
  double lead_s;
  double drift;

  [[nodiscard]] double at(double time_s) const { return lead_s + drift * time_s; }
};

/// A bound on the lead at a time: sign * lead <= limit_s. The sign is -1 for a lower bound.
struct HalfPlane {
  double time_s;
  double sign;
  double limit_s;

  [[nodiscard]] double excess(const Lead& lead) const { return sign * lead.at(time_s) - limit_s; }
};

/// The part of a convex polygon where the bound's excess is at most `slack` (Sutherland, Hodgman, CACM 1974).
std::vector<Lead> clipped(const std::vector<Lead>& corners, const HalfPlane& bound, double slack) {
  std::vector<Lead> kept;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Lead& from = corners[i];
    const Lead& to = corners[(i + 1) % corners.size()];
    const double from_excess = bound.excess(from) - slack;
    const double to_excess = bound.excess(to) - slack;
    if (from_excess <= 0) kept.push_back(from);
    if ((from_excess < 0 && to_excess > 0) || (from_excess > 0 && to_excess < 0)) {
      const double part = from_excess / (from_excess - to_excess);
      kept.push_back(
          {from.lead_s + part * (to.lead_s - from.lead_s), from.drift + part * (to.drift - from.drift)});
    }
  }
  return kept;
}

/// Corners of the polygon of clocks that violate no bound by more than `slack`.
std::vector<Lead> feasible(const std::vector<HalfPlane>& bounds, double greatest_s, double slack) {
  std::vector<Lead> corners = {{-greatest_s, -kMostDrift},
                               {greatest_s, -kMostDrift},
                               {greatest_s, kMostDrift},
                               {-greatest_s, kMostDrift}};
  for (const HalfPlane& bound : bounds) {
    corners = clipped(corners, bound, slack);
    if (corners.empty()) break;
  }
  return corners;
}

/// The least slack with which the polygon is not empty, to 0.1 %.
double least_slack(const std::vector<HalfPlane>& bounds, double greatest_s) {
  double enough = 1e-12;  // for rounding errors
  if (!feasible(bounds, greatest_s, enough).empty()) return enough;
  double too_small = enough;
  while (feasible(bounds, greatest_s, enough).empty()) {
    too_small = enough;
    enough *= 2;
  }
  while (enough - too_small > 1e-3 * enough) {
    const double middle = (enough + too_small) / 2;
    (feasible(bounds, greatest_s, middle).empty() ? too_small : enough) = middle;
  }
  return enough;
}

}  // namespace

void ClockComparison::add(const CrossingMessage& message) {
  if (!is_time(message.sent_s) || !is_time(message.received_s)) return;
  const double ahead_s = message.received_s - message.sent_s;
  add_bound(message.dst, message.src, true, {message.received_s, ahead_s});
  add_bound(message.src, message.dst, false, {message.sent_s, -ahead_s});
}

void ClockComparison::add_bound(std::size_t node, std::size_t other, bool upper, Bound bound) {
  Pair& pair = pairs_[{node, other}];
  const std::size_t side = upper ? 0 : 1;
  Bounds& bounds = pair.bounds[side];
  bounds.push_back(bound);
  if (bounds.size() < pair.limit[side]) return;
  keep_hull(bounds, upper);
  pair.limit[side] = std::max(kFirstLimit, 2 * bounds.size());
}

/// Andrew's monotone chain: keeps the lower hull of upper bounds, the upper hull of lower bounds.
void ClockComparison::keep_hull(Bounds& bounds, bool upper) {
  const double sign = upper ? 1 : -1;
  std::sort(bounds.begin(), bounds.end(), [&](const Bound& a, const Bound& b) {
    return a.time_s != b.time_s ? a.time_s < b.time_s : sign * a.ahead_s < sign * b.ahead_s;
  });
  const auto turns_inwards = [&](const Bound& a, const Bound& b, const Bound& c) {
    return sign * ((b.time_s - a.time_s) * (c.ahead_s - a.ahead_s) -
                   (b.ahead_s - a.ahead_s) * (c.time_s - a.time_s)) >
           0;
  };
  Bounds hull;
  for (const Bound& bound : bounds) {
    if (!hull.empty() && hull.back().time_s == bound.time_s) continue;
    while (hull.size() >= 2 && !turns_inwards(hull[hull.size() - 2], hull.back(), bound)) hull.pop_back();
    hull.push_back(bound);
  }
  bounds = std::move(hull);
}

std::optional<NodeClock> ClockComparison::compare(const Pair& pair, const NodeSpan& span) {
  const auto& [upper, lower] = pair.bounds;
  if (upper.empty() || lower.empty() || !is_time(span.begin_s) || !is_time(span.end_s)) return std::nullopt;
  // Leads relative to base_s and times relative to middle_s are small enough for a double's precision.
  const double middle_s = (span.begin_s + span.end_s) / 2;
  const double base_s = (upper.front().ahead_s + lower.front().ahead_s) / 2;
  std::vector<HalfPlane> bounds;
  double greatest_s = 1e-6;
  for (const auto& [side, sign] : {std::pair(&upper, 1.0), std::pair(&lower, -1.0)}) {
    for (const Bound& bound : *side) {
      bounds.push_back({bound.time_s - middle_s, sign, sign * (bound.ahead_s - base_s)});
      greatest_s = std::max(
          greatest_s, std::abs(bound.ahead_s - base_s) + 2 * kMostDrift * std::abs(bound.time_s - middle_s));
    }
  }
  const double slack = least_slack(bounds, greatest_s);
  const std::vector<Lead> corners = feasible(bounds, greatest_s, slack);
  Lead chosen{0, 0};
  for (const Lead& corner : corners) {
    chosen.lead_s += corner.lead_s / static_cast<double>(corners.size());
    chosen.drift += corner.drift / static_cast<double>(corners.size());
  }
  double error_s = 0;
  for (const Lead& corner : corners) {
    for (const double end_s : {span.begin_s - middle_s, span.end_s - middle_s})
      error_s = std::max(error_s, std::abs(corner.at(end_s) - chosen.at(end_s)));
  }
  // As origin_s + rate * t: t - lead(t), with lead(t) = base + lead + drift * (t - middle).
  return NodeClock{chosen.drift * middle_s - chosen.lead_s - base_s, 1 - chosen.drift, error_s + slack};
}

std::vector<NodeClock> ClockComparison::clocks(const std::vector<NodeSpan>& spans) {
  struct Edge {
    std::size_t node, other;
    NodeClock clock;
  };
  std::vector<Edge> edges;
  for (auto& [nodes, pair] : pairs_) {
    for (const std::size_t side : {0u, 1u}) keep_hull(pair.bounds[side], side == 0);
    if (const auto clock = compare(pair, spans.at(nodes.first)))
      edges.push_back({nodes.first, nodes.second, *clock});
  }
  std::vector<NodeClock> found(spans.size());
  std::vector<bool> reached(spans.size(), false);
  if (!spans.empty()) found[0].error_s = 0;
  // Dijkstra's algorithm with errors as distances: they add up along a chain of nodes.
  for (;;) {
    std::size_t next = spans.size();
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const double best = next < spans.size() ? *found[next].error_s : kInfinity;
      if (!reached[i] && found[i].error_s.value_or(kInfinity) < best) next = i;
    }
    if (next == spans.size()) return found;
    reached[next] = true;
    for (const Edge& edge : edges) {
      const double error_s = *edge.clock.error_s + *found[next].error_s;
      if (edge.other != next || reached[edge.node] || error_s >= found[edge.node].error_s.value_or(kInfinity))
        continue;
      found[edge.node] = {found[next].at(edge.clock.origin_s), found[next].rate * edge.clock.rate, error_s};
    }
  }
}

}  // namespace corewise
