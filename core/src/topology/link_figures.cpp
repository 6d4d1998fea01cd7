/// LinkFigures: checks, and properties that follow from measured figures.
#include "corewise/link_figures.hpp"

#include <algorithm>
#include <cmath>

#include "corewise/error.hpp"
#include "text.hpp"

namespace corewise {
namespace {

/// In the middle between half duplex (1 times the bandwidth of one direction) and full duplex (2 times).
constexpr double kDuplexFrom = 1.5;
/// In the middle between a bus that one pair fills (half of all bandwidth) and separate links (all of it).
constexpr double kSharedBelow = 0.75;

bool encloses(const Bounds& bounds, double figure, double least) {
  return std::isfinite(bounds.high) && bounds.low >= least && bounds.low <= figure && figure <= bounds.high;
}

[[noreturn]] void refuse(std::string_view level, const std::string& found, std::string_view expected) {
  throw Error(ErrorCode::bad_input, concat("level '", level, "' has ", found, "; expected ", expected));
}

std::string bounds_text(const Bounds& bounds, double figure) {
  return concat("bounds ", bounds.low, " to ", bounds.high, " for ", figure);
}

void check_bounds(std::string_view level, const Bounds& bounds, double figure) {
  if (!encloses(bounds, figure, 0)) {
    refuse(level, bounds_text(bounds, figure), "bounds that enclose their figure, from 0");
  }
}

void check_curve(std::string_view level, const std::vector<CurvePoint>& curve) {
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const CurvePoint& point = curve[i];
    if (i > 0 && point.size_bytes <= curve[i - 1].size_bytes) {
      refuse(level,
             concat("a curve with ", point.size_bytes, " bytes after ", curve[i - 1].size_bytes, " bytes"),
             "sizes that ascend");
    }
    if (!std::isfinite(point.time_s) || point.time_s <= 0) {
      refuse(level, concat("a message of ", point.time_s, " s"), "times above 0");
    }
    check_bounds(level, point.bounds_s, point.time_s);
  }
}

void check_loads(std::string_view level, const std::vector<SharedLoad>& loads) {
  for (const SharedLoad& load : loads) {
    if (load.links < 1 || load.pairs < load.links) {
      refuse(level, concat("a load of ", load.pairs, " pairs on ", load.links, " links"),
             "at least one link, and a pair on each");
    }
    if (!std::isfinite(load.bandwidth_bytes_per_s) || load.bandwidth_bytes_per_s <= 0) {
      refuse(level, concat("a load of ", load.bandwidth_bytes_per_s, " bytes/s"), "more than 0");
    }
    check_bounds(level, load.bounds_bytes_per_s, load.bandwidth_bytes_per_s);
  }
}

const SharedLoad* find_load(const LinkFigures& figures, std::int32_t pairs, std::int32_t links,
                            bool both_ways) {
  const auto found = std::ranges::find_if(figures.loads, [&](const SharedLoad& load) {
    return load.pairs == pairs && load.links == links && load.both_ways == both_ways;
  });
  return found == figures.loads.end() ? nullptr : &*found;
}

}  // namespace

std::optional<bool> LinkFigures::duplex() const {
  const SharedLoad* one_way = find_load(*this, 1, 1, false);
  const SharedLoad* both = find_load(*this, 1, 1, true);
  if (one_way == nullptr || both == nullptr) return std::nullopt;
  return both->bandwidth_bytes_per_s >= kDuplexFrom * one_way->bandwidth_bytes_per_s;
}

std::optional<bool> LinkFigures::shares_bus() const {
  std::optional<bool> shares;
  for (const SharedLoad& load : loads) {
    if (load.links < 2 || load.both_ways || load.pairs % load.links != 0) continue;
    const SharedLoad* alone = find_load(*this, load.pairs / load.links, 1, false);
    if (alone == nullptr) continue;
    const double apart = static_cast<double>(load.links) * alone->bandwidth_bytes_per_s;
    shares = shares.value_or(false) || load.bandwidth_bytes_per_s < kSharedBelow * apart;
  }
  return shares;
}

double LinkFigures::message_s(double size_bytes) const {
  if (curve.empty()) return latency_s + size_bytes / bandwidth_bytes_per_s;
  const auto size_of = [](const CurvePoint& point) { return static_cast<double>(point.size_bytes); };
  const auto after = std::ranges::upper_bound(curve, size_bytes, {}, size_of);
  if (after == curve.begin()) return after->time_s;
  const CurvePoint& before = *std::prev(after);
  const double more = size_bytes - size_of(before);
  if (after == curve.end()) return before.time_s + more / bandwidth_bytes_per_s;
  return before.time_s + more * (after->time_s - before.time_s) / (size_of(*after) - size_of(before));
}

void check_figures(std::string_view level, const LinkFigures& figures) {
  const bool good = std::isfinite(figures.latency_s) && figures.latency_s >= 0 &&
                    std::isfinite(figures.bandwidth_bytes_per_s) && figures.bandwidth_bytes_per_s > 0;
  if (!good) {
    throw Error(ErrorCode::bad_input,
                concat("level '", level, "' has latency ", figures.latency_s, " s and bandwidth ",
                       figures.bandwidth_bytes_per_s, " bytes/s; expected 0 or more, and more than 0"));
  }
  if (figures.latency_bounds_s) check_bounds(level, *figures.latency_bounds_s, figures.latency_s);
  if (const auto& bounds = figures.bandwidth_bounds_bytes_per_s) {
    if (!encloses(*bounds, figures.bandwidth_bytes_per_s, 0) || bounds->low <= 0) {
      refuse(level, bounds_text(*bounds, figures.bandwidth_bytes_per_s),
             "bounds that enclose their figure, above 0");
    }
  }
  if (figures.rdma && figures.tcp) refuse(level, "rdma and tcp", "one of them at most");
  check_curve(level, figures.curve);
  check_loads(level, figures.loads);
}

}  // namespace corewise
