/// A machine's figures for an estimate, and the effect of one level's figures at the ends of their bounds.
#pragma once

#include <functional>
#include <vector>

#include "corewise/link_figures.hpp"
#include "corewise/machine.hpp"

namespace corewise {

/// [level - 1] figures of a machine. A single core gets one level on which messages take no time.
/// @throws Error(unsupported) on a machine without figures.
[[nodiscard]] std::vector<LinkFigures> figures_of(const Machine& machine);

/// For each level that has bounds: `time_with` the figures of that level at the fast ends of their bounds
/// (low) and at the slow ends (high).
[[nodiscard]] std::vector<Bounds> at_figure_ends(
    const std::vector<LinkFigures>& figures,
    const std::function<double(const std::vector<LinkFigures>&)>& time_with);

}  // namespace corewise
