/// FigureDoubt: predicts times again with the figures of one level at a time set to their bounds.
#include "advise/figure_doubt.hpp"

#include <algorithm>
#include <cmath>

namespace corewise {

FigureDoubt::FigureDoubt(const Traffic& traffic, const Machine& machine)
    : traffic_(traffic), machine_(machine) {
  if (!machine.has_figures()) return;
  costs_ = costs_of(machine);
  for (std::size_t i = 0; i < costs_.size(); ++i) add_level(i, machine.levels()[i].link);
}

void FigureDoubt::add_level(std::size_t level, const LinkFigures& link) {
  if (!link.latency_bounds_s && !link.bandwidth_bounds_bytes_per_s) return;
  const LinkCost own = costs_[level];
  const Bounds latency = link.latency_bounds_s.value_or(Bounds{own.latency_s, own.latency_s});
  const Bounds bandwidth = link.bandwidth_bounds_bytes_per_s.value_or(
      Bounds{own.bandwidth_bytes_per_s, own.bandwidth_bytes_per_s});
  Ends& ends = ends_.emplace_back(Ends{costs_, costs_});
  ends.slow[level] = {latency.high, bandwidth.low};
  ends.fast[level] = {latency.low, bandwidth.high};
}

template <typename Logarithm>
double FigureDoubt::moves(const Logarithm& logarithm) const {
  double squares = 0;
  for (const Ends& ends : ends_) {
    const double middle = logarithm(costs_);
    const double move =
        std::max(std::abs(logarithm(ends.slow) - middle), std::abs(logarithm(ends.fast) - middle));
    if (std::isfinite(move)) squares += move * move;  // a time of 0 has no logarithm and no uncertainty
  }
  return std::sqrt(squares);
}

double FigureDoubt::of(const Placement& placement) const {
  return moves([&](const std::vector<LinkCost>& costs) { return log_time(costs, placement); });
}

double FigureDoubt::of_ratio(const Placement& a, const Placement& b) const {
  return moves([&](const std::vector<LinkCost>& costs) { return log_time(costs, a) - log_time(costs, b); });
}

double FigureDoubt::log_time(const std::vector<LinkCost>& costs, const Placement& placement) const {
  return std::log(time_with(traffic_, machine_, costs, placement));
}

}  // namespace corewise
