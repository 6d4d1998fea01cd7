/// The pattern of halo exchanges with diagonal neighbours, 8 in two dimensions or 26 in three.
#pragma once

#include <optional>

#include "solvers/patterns/pattern.hpp"

namespace corewise::patterns {

/// Absent where the grid has another number of axes or diagonals are missing or too heavy for a product of
/// lengths; see most_inside_stencil().
[[nodiscard]] std::optional<Pattern> stencil_pattern(const RankGrid& grid, const PairGraph& graph,
                                                     std::int64_t n_places, std::int64_t largest_group);

}  // namespace corewise::patterns
