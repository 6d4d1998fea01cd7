/// What links can carry where nobody measured: the table of assumed figures.
#pragma once

#include <string_view>

#include "corewise/machine.hpp"

namespace corewise {

/// Assumed figures for a level by its name; `is_network` for every level above the node.
[[nodiscard]] LinkFigures assumed_figures(std::string_view level_name, bool is_network);

}  // namespace corewise
