/// Estimates pi from the number of random points of the unit square in the quarter circle.
#pragma once

#include <cstdint>

#include "kernels/random.hpp"

namespace corewise::workloads {

/// How many of the points first, ..., last - 1 of a stream are in the circle. Coordinates have 31 bits, so
/// that the sum of their squares is exact.
[[nodiscard]] inline std::uint64_t points_in_circle(Stream stream, std::uint64_t first, std::uint64_t last) {
  constexpr std::uint64_t radius_squared = std::uint64_t{1} << 62;
  std::uint64_t inside = 0;
  for (std::uint64_t i = first; i < last; ++i) {
    const std::uint64_t bits = stream.bits(i);
    const std::uint64_t x = bits >> 33, y = bits & 0x7fffffff;
    inside += x * x + y * y < radius_squared;
  }
  return inside;
}

/// The estimate of pi from the number of points inside.
[[nodiscard]] inline double pi_from(std::uint64_t inside, std::uint64_t points) {
  return 4.0 * static_cast<double>(inside) / static_cast<double>(points);
}

}  // namespace corewise::workloads
