/// FigureDoubt: what the bounds of measured figures leave open in a predicted time.
#pragma once

#include <vector>

#include "corewise/machine.hpp"
#include "corewise/placement.hpp"
#include "corewise/traffic.hpp"
#include "objectives/time.hpp"

namespace corewise {

/// How far the logarithm of a predicted time, or of the ratio of two, moves where one level's figures go to
/// their bounds. Levels are measured one by one, so that their errors are taken as independent: the moves add
/// up as squares do. Zero where no figure has bounds. Traffic and machine must outlive it.
class FigureDoubt {
 public:
  FigureDoubt(const Traffic& traffic, const Machine& machine);

  /// Of the time of one placement.
  [[nodiscard]] double of(const Placement& placement) const;
  /// Of the time of `a` over that of `b`.
  [[nodiscard]] double of_ratio(const Placement& a, const Placement& b) const;

 private:
  /// All costs with one level's at the slow end of its bounds, and at the fast one.
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
