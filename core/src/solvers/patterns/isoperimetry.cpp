/// most_inside(), most_inside_stencil(): dynamic programmes over layers, axis by axis.
#include "solvers/patterns/isoperimetry.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "solvers/problem/fixed_point.hpp"

namespace corewise::patterns {
namespace {

constexpr Cost impossible = std::numeric_limits<Cost>::min() / 2;
/// Of the axes of four dimensions; in more the first order must do.
constexpr int most_orders = 24;
/// About 50 ms.
constexpr std::int64_t most_steps = 50'000'000;
/// Some milliseconds.
constexpr std::int64_t most_steps_of_sharing = 4'000'000;

/// Tables of ever more axes.
class Layers {
 public:
  explicit Layers(std::int64_t most) : most_(most) {}

  void stack(const GridSide& axis) {
    const std::int64_t layer = std::ssize(inside_) - 1;
    const std::int64_t all = std::min(most_, layer * axis.side);
    const bool ring = axis.ring && axis.side > 2;
    std::vector<Cost> packed(all + 1, impossible);  // [t]: in layers of at most m vertices, t in all
    std::vector<Cost> beyond(all + 1, 0);  // [t]: the same in layers that have one more, which t leaves out
    std::vector<Cost> stacked(all + 1, 0);
    packed[0] = 0;
    for (std::int64_t m = 1; m <= std::min(layer, all); ++m) {
      for (std::int64_t t = m - 1; ring && m > 1 && t <= all; ++t) {
        beyond[t] = std::max(beyond[t], beyond[t - (m - 1)] + inside_[m]);
      }
      for (std::int64_t t = m; t <= all; ++t) {
        const Cost in_layers = packed[t - m] + inside_[m];
        packed[t] = std::max(packed[t], in_layers);
        if (t > m * axis.side) continue;
        stacked[t] = std::max(stacked[t], in_layers + axis.weight * (t - m));
        if (!ring || t < m + axis.side - 1) continue;
        // Closed: the smallest layer has one vertex at least and the mean of all but the largest at most.
        const Cost closed = std::min(in_layers, beyond[t - m - (axis.side - 1)] + inside_[m]);
        stacked[t] = std::max(stacked[t], closed + axis.weight * (t - m + (t - m) / (axis.side - 1)));
      }
      steps_ += all - m;
    }
    inside_ = std::move(stacked);
  }

  [[nodiscard]] std::vector<Cost>& inside() { return inside_; }
  [[nodiscard]] std::int64_t steps() const { return steps_; }

 private:
  std::int64_t most_;
  std::int64_t steps_ = 0;
  std::vector<Cost> inside_{0, 0};  ///< a point's
};

/// The same for stencils, in sequences of layers.
class StencilLayers {
 public:
  explicit StencilLayers(std::int64_t most) : most_(most) {}

  void stack(const StencilSide& axis) {
    const std::int64_t layer = std::ssize(inside_) - 1;
    const std::int64_t all = std::min(most_, layer * axis.side);
    const std::vector<Cost> across = most_across(layer);
    // [t * (layer + 1) + b]: t in all, b of them in the last layer
    std::vector<Cost> ending((all + 1) * (layer + 1), impossible);
    std::vector<Cost> stacked(all + 1, 0);
    for (std::int64_t t = 1; t <= all; ++t) {
      for (std::int64_t b = 1; b <= std::min(layer, t); ++b) {
        Cost before = t == b ? 0 : impossible;
        for (std::int64_t a = 1; a <= std::min(layer, t - b); ++a) {
          before = std::max(before, ending[(t - b) * (layer + 1) + a] + across[a * (layer + 1) + b]);
        }
        ending[t * (layer + 1) + b] = before + axis.length * inside_[b];
        stacked[t] = std::max(stacked[t], before + axis.length * inside_[b]);
      }
      steps_ += layer * layer;
    }
    inside_ = std::move(stacked);
    itself_ *= axis.length;
    around_ *= axis.length + 2;
  }

  [[nodiscard]] std::vector<Cost>& inside() { return inside_; }
  [[nodiscard]] std::int64_t steps() const { return steps_; }

 private:
  /// [a * (layer + 1) + b]: between a and b boxes of neighbouring layers.
  [[nodiscard]] std::vector<Cost> most_across(std::int64_t layer) const {
    std::vector<Cost> across((layer + 1) * (layer + 1), 0);
    for (std::int64_t a = 1; a <= layer; ++a) {
      for (std::int64_t b = 1; b <= layer; ++b) {
        const auto product = static_cast<__int128>(with_itself(a)) * with_itself(b);
        const Cost greatest = std::min(a, b) * around_;
        across[a * (layer + 1) + b] =
            product >= static_cast<__int128>(greatest) * greatest
                ? greatest
                : static_cast<Cost>(integer_root(static_cast<std::uint64_t>(product)));
      }
    }
    return across;
  }
  /// <A, KA> of a boxes in a layer.
  [[nodiscard]] Cost with_itself(std::int64_t a) const { return a * itself_ + 2 * inside_[a]; }

  std::int64_t most_;
  std::int64_t steps_ = 0;
  Cost itself_ = 1;                 ///< what a box would exchange with one at its own place in the next layer
  Cost around_ = 1;                 ///< with all of that layer
  std::vector<Cost> inside_{0, 0};  ///< a point's
};

/// The least over orders of the axes, while time permits.
template <typename Layers, typename Side>
std::vector<Cost> least_over_orders(std::vector<Side> axes, std::int64_t most) {
  std::ranges::sort(axes, std::greater{});  // heavy pairs fill layers: usually the best order
  std::vector<Cost> least;
  std::int64_t steps = 0;
  int n_orders = 0;
  do {
    Layers layers(most);
    for (const Side& axis : axes) layers.stack(axis);
    const std::vector<Cost>& inside = layers.inside();
    if (least.empty()) least = inside;
    std::ranges::transform(least, inside, least.begin(), [](Cost a, Cost b) { return std::min(a, b); });
    steps += layers.steps();
    if (++n_orders == most_orders || steps + layers.steps() > most_steps) break;
  } while (std::ranges::prev_permutation(axes).found);
  return least;
}

/// The most that n ranks hold in groups of these sizes, group by group.
Cost shared_out(std::span<const Cost> inside, std::span<const std::int64_t> sizes, std::int64_t n) {
  std::vector<Cost> best(n + 1, impossible);  // [t]: of t ranks in the groups so far
  best[0] = 0;
  for (const std::int64_t size : sizes) {
    for (std::int64_t t = n; t > 0; --t) {
      for (std::int64_t s = 1; s <= std::min(size, t); ++s)
        best[t] = std::max(best[t], best[t - s] + inside[s]);
    }
  }
  return best[n];
}

/// No less than that, in far fewer steps (Lagrange): whatever a rank is charged, groups of n ranks hold no
/// more than their best net and all charges.
Cost charged(std::span<const Cost> inside, std::span<const std::int64_t> sizes, std::int64_t n) {
  std::map<std::int64_t, std::int64_t> n_groups;
  for (const std::int64_t size : sizes) ++n_groups[size];
  // Charges are counted in parts of the largest size, so that they can be what each rank in it holds.
  const std::int64_t parts = sizes.front();
  const auto total = [&](std::int64_t charge) {
    __int128 sum = static_cast<__int128>(charge) * n;
    __int128 best = 0;
    std::int64_t s = 0;
    for (const auto& [size, count] : n_groups) {
      for (; s <= size; ++s) {
        best = std::max(best, static_cast<__int128>(inside[s]) * parts - static_cast<__int128>(charge) * s);
      }
      sum += count * best;
    }
    return sum;
  };
  std::int64_t low = 0;
  std::int64_t high = 0;  // from the greatest share of a rank on nobody joins a group
  for (std::int64_t s = 1; s <= parts; ++s) high = std::max(high, (inside[s] / s + 1) * parts);
  while (low < high) {  // convex in the charge
    const std::int64_t middle = low + (high - low) / 2;
    if (total(middle) <= total(middle + 1)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return static_cast<Cost>(total(low) / parts);
}

}  // namespace

std::vector<Cost> most_inside(std::vector<GridSide> axes, std::int64_t most) {
  return least_over_orders<Layers>(std::move(axes), most);
}

std::vector<Cost> most_inside_stencil(std::vector<StencilSide> axes, std::int64_t most) {
  return least_over_orders<StencilLayers>(std::move(axes), most);
}

Cost most_inside_groups(std::span<const Cost> inside, std::span<const std::int64_t> sizes, std::int64_t n) {
  const std::int64_t n_places = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  return n * n_places <= most_steps_of_sharing ? shared_out(inside, sizes, n) : charged(inside, sizes, n);
}

}  // namespace corewise::patterns
