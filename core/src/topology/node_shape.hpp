/// Checks of node shapes, and alignment of different shapes to a common list of levels.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corewise/machine.hpp"

namespace corewise {

/// A list of levels for all shapes, and the groups of each shape at these levels.
struct AlignedShapes {
  std::vector<std::string> level_names;                       ///< bottom-up from above the core; node is last
  std::vector<std::vector<std::vector<std::int32_t>>> group;  ///< [shape][level - 1][core on node]
  std::vector<std::vector<std::int32_t>> n_without_object;    ///< [shape][level - 1] groups without object
};

/// @throws Error(bad_input) unless objects are numbered in core order, levels nest, and each PU appears once.
void check(const NodeShape& shape);

/// @throws Error(bad_input) when shapes have different orders of levels, or different names for the node.
[[nodiscard]] AlignedShapes align(std::span<const NodeShape> shapes);

}  // namespace corewise
