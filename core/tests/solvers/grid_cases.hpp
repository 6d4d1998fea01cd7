/// Traffic of grids, tori and stencils of any shape.
#pragma once

#include <cstdlib>
#include <vector>

#include "mapping_cases.hpp"
#include "solvers/patterns/grid_bound.hpp"
#include "solvers/patterns/stencil_bound.hpp"

namespace corewise::testing {

template <typename Side>
std::int32_t volume(const std::vector<Side>& axes) {
  std::int32_t n = 1;
  for (const Side& axis : axes) n *= axis.side;
  return n;
}

/// Messages between neighbours of a grid whose ranks are numbered row by row, the slowest axis first. A ring
/// of two has only one pair.
inline std::vector<Message> grid_messages(const std::vector<patterns::GridSide>& axes) {
  const std::int32_t n = volume(axes);
  std::vector<Message> messages;
  std::int32_t stride = n;
  for (const patterns::GridSide& axis : axes) {
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

/// A stencil: boxes that touch exchange the size of their contact, the product of the lengths of its axes.
inline std::vector<Message> stencil_messages(const std::vector<patterns::StencilSide>& axes) {
  const std::int32_t n = volume(axes);
  std::vector<Message> messages;
  for (std::int32_t a = 0; a < n; ++a) {
    for (std::int32_t b = a + 1; b < n; ++b) {
      Cost weight = 1;
      std::int32_t stride = n;
      for (const auto& [length, side] : axes) {
        stride /= side;
        const std::int32_t apart = std::abs(a / stride % side - b / stride % side);
        weight *= apart == 0 ? length : apart == 1 ? 1 : 0;
      }
      if (weight > 0) messages.push_back({a, b, static_cast<std::uint64_t>(weight)});
    }
  }
  return messages;
}

}  // namespace corewise::testing
