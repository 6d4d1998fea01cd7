/// Relative losses of phases, and the greatest of them.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "corewise/objective.hpp"

namespace corewise {

/// By how much each value misses the phase's own best one, relative to that.
/// @param values  may be better than `own` only where `own` isn't proven: that counts as no loss.
[[nodiscard]] inline std::vector<double> relative_loss(std::span<const double> values,
                                                       std::span<const double> own, bool worst) {
  std::vector<double> loss;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double lost = worst ? own[i] - values[i] : values[i] - own[i];
    if (own[i] != 0) {
      loss.push_back(lost / own[i]);
    } else {
      loss.push_back(lost > 0 ? std::numeric_limits<double>::infinity() : 0.0);
    }
  }
  return loss;
}

}  // namespace corewise
