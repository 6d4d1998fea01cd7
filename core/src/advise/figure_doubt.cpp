/// FigureDoubt: predicts times again with the figures of one level at a time set to their bounds.
#include "advise/figure_doubt.hpp"

#include <algorithm>
#include <cmath>

#include "corewise/stop.hpp"

namespace corewise {
namespace {

/// @param logarithms  [0] of the own figures, then of pairs of ends.
double moved_by(const std::vector<double>& logarithms) {
  double squares = 0;
  for (std::size_t i = 1; i + 1 < logarithms.size(); i += 2) {
    const double move =
        std::max(std::abs(logarithms[i] - logarithms[0]), std::abs(logarithms[i + 1] - logarithms[0]));
    if (std::isfinite(move)) squares += move * move;  // a time of 0 has no logarithm and no uncertainty
  }
  return std::sqrt(squares);
}

}  // namespace

FigureDoubt::FigureDoubt(const Traffic& traffic, const Machine& machine, const std::stop_token& stop)
    : traffic_(traffic), machine_(machine), stop_(stop) {
  if (!machine.has_figures()) return;
  costs_.push_back(costs_of(machine));
  for (int level = 1; level <= machine.n_levels(); ++level) {
    add_level(static_cast<std::size_t>(level - 1), machine.levels()[level - 1].link);
  }
}

void FigureDoubt::add_level(std::size_t level, const LinkFigures& link) {
  if (!link.latency_bounds_s && !link.bandwidth_bounds_bytes_per_s) return;
  const LinkCost own = costs_.front()[level];
  const Bounds latency = link.latency_bounds_s.value_or(Bounds{own.latency_s, own.latency_s});
  const Bounds bandwidth = link.bandwidth_bounds_bytes_per_s.value_or(
      Bounds{own.bandwidth_bytes_per_s, own.bandwidth_bytes_per_s});
  LinkCosts slow = costs_.front(), fast = slow;
  slow[level] = {latency.high, bandwidth.low};
  fast[level] = {latency.low, bandwidth.high};
  costs_.push_back(std::move(slow));
  costs_.push_back(std::move(fast));
}

std::vector<double> FigureDoubt::values(const Placement& placement) const {
  check_stop(stop_);
  if (costs_.empty()) return default_objective(machine_).evaluate(traffic_, machine_, placement).values;
  return times_with(traffic_, machine_, costs_, placement);
}

double FigureDoubt::of(const std::vector<double>& values) {
  std::vector<double> logarithms;
  for (const double value : values) logarithms.push_back(std::log(value));
  return moved_by(logarithms);
}

double FigureDoubt::of_ratio(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> logarithms;
  for (std::size_t i = 0; i < a.size(); ++i) logarithms.push_back(std::log(a[i]) - std::log(b[i]));
  return moved_by(logarithms);
}

}  // namespace corewise
