/// Figures of a machine for an estimate, and the same with one level's at their bounds.
#pragma once

#include <functional>
#include <vector>

#include "corewise/link_figures.hpp"
#include "corewise/machine.hpp"

namespace corewise {

/// Of each level, [level - 1]; for a machine of a single core those of a level where messages take no time.
/// @throws Error(unsupported) on a machine without figures.
[[nodiscard]] std::vector<LinkFigures> figures_of(const Machine& machine);

/// What a time becomes with one level's figures at the fast end of their bounds (low) and at the slow one
/// (high): one entry for each level that has bounds.
[[nodiscard]] std::vector<Bounds> at_figure_ends(
    const std::vector<LinkFigures>& figures,
    const std::function<double(const std::vector<LinkFigures>&)>& time_with);

}  // namespace corewise
