/// Assumed latency and bandwidth for links that were not measured.
#pragma once

#include <string_view>

#include "corewise/machine.hpp"

namespace corewise {

/// Assumed figures of a level. `is_network` is true for levels above the node.
[[nodiscard]] LinkFigures assumed_figures(std::string_view level_name, bool is_network);

}  // namespace corewise
