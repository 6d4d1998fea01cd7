/// Checks of node shapes, and the alignment of different ones to a common list of levels.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corewise/machine.hpp"

namespace corewise {

/// Level names that all shapes share, and every shape's groups on them.
struct AlignedShapes {
  std::vector<std::string> level_names;                       ///< bottom-up, above the core, the node last
  std::vector<std::vector<std::vector<std::int32_t>>> group;  ///< [shape][level - 1][core on node]
  std::vector<std::vector<std::int32_t>> n_without_object;    ///< [shape][level - 1] groups that are none
};

/// @throws Error(bad_input) unless objects are numbered in core order, levels nest, and each PU appears once.
void check(const NodeShape& shape);

/// @throws Error(bad_input) when two shapes order their levels differently or call their node differently.
[[nodiscard]] AlignedShapes align(std::span<const NodeShape> shapes);

}  // namespace corewise
