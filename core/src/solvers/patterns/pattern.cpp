/// find_patterns() and most_inside_groups().
#include "solvers/patterns/pattern.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "solvers/patterns/grid_bound.hpp"
#include "solvers/patterns/stencil_bound.hpp"

namespace corewise::patterns {
namespace {

/// Some milliseconds.
constexpr std::int64_t most_steps_of_programme = 4'000'000;

/// Exact, by a dynamic programme over groups and ranks.
Cost by_dynamic_programme(std::span<const Cost> most_inside, std::span<const std::int64_t> sizes,
                          std::int64_t n) {
  std::vector<Cost> best(n + 1,
                         std::numeric_limits<Cost>::min() / 2);  // [t] for t ranks in the groups so far
  best[0] = 0;
  for (const std::int64_t size : sizes) {
    for (std::int64_t t = n; t > 0; --t) {
      for (std::int64_t s = 1; s <= std::min(size, t); ++s)
        best[t] = std::max(best[t], best[t - s] + most_inside[s]);
    }
  }
  return best[n];
}

/// An upper bound on by_dynamic_programme() in far fewer steps: Lagrangian relaxation of the condition that
/// the groups contain n ranks. For every multiplier, the sum is at most n multipliers plus, for each group,
/// the maximum of its weight minus one multiplier for each of its ranks.
Cost by_lagrangian(std::span<const Cost> most_inside, std::span<const std::int64_t> sizes, std::int64_t n) {
  std::map<std::int64_t, std::int64_t> n_groups;
  for (const std::int64_t size : sizes) ++n_groups[size];
  // A multiplier counts in 1 / (largest size) byte, so that the mean weight in a largest group is whole.
  const std::int64_t unit = sizes.front();
  const auto bound = [&](std::int64_t multiplier) {
    __int128 sum = static_cast<__int128>(multiplier) * n;
    __int128 best = 0;
    std::int64_t s = 0;
    for (const auto& [size, count] : n_groups) {
      for (; s <= size; ++s) {
        best = std::max(best,
                        static_cast<__int128>(most_inside[s]) * unit - static_cast<__int128>(multiplier) * s);
      }
      sum += count * best;
    }
    return sum;
  };
  std::int64_t low = 0;
  std::int64_t high = 0;  // above the greatest mean weight per rank, groups stay empty
  for (std::int64_t s = 1; s <= unit; ++s) high = std::max(high, (most_inside[s] / s + 1) * unit);
  while (low < high) {  // the bound is convex in the multiplier
    const std::int64_t middle = low + (high - low) / 2;
    if (bound(middle) <= bound(middle + 1)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return static_cast<Cost>(bound(low) / unit);
}

}  // namespace

std::vector<Pattern> find_patterns(const PairGraph& graph, std::int64_t n_places,
                                   std::int64_t largest_group) {
  const std::optional<RankGrid> grid = find_grid(graph);
  if (!grid) return {};
  std::vector<Pattern> patterns = grid_patterns(*grid, graph, n_places, largest_group);
  if (auto stencil = stencil_pattern(*grid, graph, n_places, largest_group)) {
    patterns.push_back(std::move(*stencil));
  }
  return patterns;
}

Cost most_inside_groups(std::span<const Cost> most_inside, std::span<const std::int64_t> sizes,
                        std::int64_t n) {
  const std::int64_t n_places = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  return n * n_places <= most_steps_of_programme ? by_dynamic_programme(most_inside, sizes, n)
                                                 : by_lagrangian(most_inside, sizes, n);
}

}  // namespace corewise::patterns
