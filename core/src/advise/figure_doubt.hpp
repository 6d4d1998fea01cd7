/// FigureDoubt: the uncertainty of a predicted time that follows from the bounds of measured figures.
#pragma once

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
  FigureDoubt(const Traffic& traffic, const Machine& machine);

  /// For the time of one placement.
  [[nodiscard]] double of(const Placement& placement) const;
  /// For the time of `a` over the time of `b`.
  [[nodiscard]] double of_ratio(const Placement& a, const Placement& b) const;

 private:
  /// The costs of all levels, with one level at the slow and at the fast end of its bounds.
  struct Ends {
    std::vector<LinkCost> slow, fast;
  };

  void add_level(std::size_t level, const LinkFigures& link);
  template <typename Logarithm>
  [[nodiscard]] double moves(const Logarithm& logarithm) const;
  [[nodiscard]] double log_time(const std::vector<LinkCost>& costs, const Placement& placement) const;

  const Traffic& traffic_;
  const Machine& machine_;
  std::vector<LinkCost> costs_;
  std::vector<Ends> ends_;  ///< one for each level with bounds
};

}  // namespace corewise
