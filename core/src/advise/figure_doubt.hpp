/// FigureDoubt: the uncertainty of a predicted time that follows from the bounds of measured figures.
#pragma once

#include <stop_token>
#include <vector>

#include "corewise/machine.hpp"
#include "corewise/placement.hpp"
#include "corewise/traffic.hpp"
#include "objectives/time.hpp"

namespace corewise {

/// The change of the logarithm of a predicted time, or of the ratio of two, when a level's figures are set to
/// their bounds. Each level is measured separately, so the errors of levels are independent and their squares
/// add up. Zero if no figure has bounds. Traffic and machine must outlive this object.
class FigureDoubt {
 public:
  FigureDoubt(const Traffic& traffic, const Machine& machine, const std::stop_token& stop);

  /// Predicted times of a placement, s: with the machine's own figures, then for each level with bounds with
  /// the slow and with the fast end of that level. On a machine without figures, its hop-bytes alone.
  /// @throws Stopped once a stop was requested.
  [[nodiscard]] std::vector<double> values(const Placement& placement) const;
  /// For the time of one placement, from its values().
  [[nodiscard]] static double of(const std::vector<double>& values);
  /// For the time of `a` over the time of `b`, from their values().
  [[nodiscard]] static double of_ratio(const std::vector<double>& a, const std::vector<double>& b);

 private:
  void add_level(std::size_t level, const LinkFigures& link);

  const Traffic& traffic_;
  const Machine& machine_;
  const std::stop_token& stop_;
  std::vector<LinkCosts> costs_;
};

}  // namespace corewise
