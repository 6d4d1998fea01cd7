/// Traffic of grids and tori of any shape.
#pragma once

#include <vector>

#include "mapping_cases.hpp"
#include "solvers/proof/isoperimetry.hpp"

namespace corewise::testing {

inline std::int32_t volume(const std::vector<proof::GridSide>& axes) {
  std::int32_t n = 1;
  for (const proof::GridSide& axis : axes) n *= axis.side;
  return n;
}

/// Neighbours of a grid numbered row by row, the slowest axis first; an axis of two has no second pair
/// around.
inline std::vector<Message> grid_messages(const std::vector<proof::GridSide>& axes) {
  const std::int32_t n = volume(axes);
  std::vector<Message> messages;
  std::int32_t stride = n;
  for (const proof::GridSide& axis : axes) {
    stride /= axis.side;
    for (std::int32_t rank = 0; rank < n; ++rank) {
      const bool last = rank / stride % axis.side == axis.side - 1;
      if (last && (!axis.ring || axis.side == 2)) continue;
      const std::int32_t next = last ? rank - stride * (axis.side - 1) : rank + stride;
      messages.push_back({rank, next, static_cast<std::uint64_t>(axis.weight)});
    }
  }
  return messages;
}

}  // namespace corewise::testing
