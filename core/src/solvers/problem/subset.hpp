/// Subset: a set of up to 64 vertices as the bits of one number.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace corewise {

using Subset = std::uint64_t;  ///< bit v: vertex v

/// The most vertices that a Subset can contain.
inline constexpr int kMostPlaces = 64;

/// The set of the vertices 0 to n - 1.
[[nodiscard]] constexpr Subset first_vertices(std::ptrdiff_t n) {
  return n >= 64 ? ~Subset{0} : (Subset{1} << n) - 1;
}

/// Calls `use(v)` for each vertex of a set, ascending.
template <typename Use>
void for_each_vertex(Subset set, Use use) {
  for (; set != 0; set &= set - 1) use(std::countr_zero(set));
}

/// Number of subsets of `size` out of `n` <= 64 vertices, limited to 2^62.
[[nodiscard]] constexpr std::uint64_t n_subsets(int n, int size) {
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  const int chosen = std::min(size, n - size);
  std::uint64_t count = 1;
  for (int i = 1; i <= chosen; ++i) {
    if (count > most / static_cast<std::uint64_t>(n)) return most;
    count = count * static_cast<std::uint64_t>(n - chosen + i) / static_cast<std::uint64_t>(i);
  }
  return count;
}

}  // namespace corewise
