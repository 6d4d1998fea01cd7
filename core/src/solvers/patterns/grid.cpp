/// find_grid(): finds the chain of strides, each a multiple of the one before, whose axes have most traffic.
#include "solvers/patterns/grid.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace corewise::patterns {
namespace {

/// Enough for a torus of three dimensions: the 26 neighbours of its ranks are at 49 different strides.
constexpr std::size_t most_strides = 64;

/// Calls its argument with every pair of ranks a < b and its bytes.
using EachPair = std::function<void(const std::function<void(std::int32_t, std::int32_t, std::uint64_t)>&)>;

using Bytes = std::map<std::int32_t, std::uint64_t>;  ///< [stride]

/// Counts the bytes of every axis that two strides can form, then finds the best chain of axes.
class Chains {
 public:
  Chains(const EachPair& each_pair, const Bytes& bytes, std::int32_t n) {
    for (auto fast = bytes.begin(); fast != bytes.end(); ++fast) {
      for (auto slow = std::next(fast); slow != bytes.end(); ++slow) {
        if (slow->first % fast->first == 0) add(fast->first, slow->first / fast->first, slow->first);
      }
      // The slowest axis, which contains all ranks.
      add(fast->first, (n + fast->first - 1) / fast->first, whole);
    }
    each_pair([&](std::int32_t a, std::int32_t b, std::uint64_t bytes_of_pair) {
      for (const std::size_t i : of_difference_[b - a]) {
        Link& link = links_[i];
        if (link.axis.steps(a, b)) link.axis.bytes += bytes_of_pair;
        if (link.axis.ends(a, b)) link.bytes_of_ends += bytes_of_pair;
      }
    });
    for (Link& link : links_) close(link);
  }

  /// Axes of the best chain, slowest first. Empty if no stride is 1.
  [[nodiscard]] std::vector<GridAxis> best() const {
    struct Best {
      std::uint64_t bytes = 0;
      std::size_t n_axes = 0;
      std::size_t link = 0;
    };
    std::map<std::int32_t, Best> from{{whole, {}}};
    for (std::size_t i = links_.size(); i-- > 0;) {  // strides descend
      const Best& rest = from.at(links_[i].next);
      const Best with{rest.bytes + links_[i].axis.bytes, rest.n_axes + 1, i};
      Best& best = from[links_[i].axis.stride];
      if (best.n_axes == 0 || with.bytes > best.bytes ||
          (with.bytes == best.bytes && with.n_axes < best.n_axes)) {
        best = with;
      }
    }
    std::vector<GridAxis> axes;
    for (std::int32_t stride = from.contains(1) ? 1 : whole; stride != whole;) {
      const Link& link = links_[from.at(stride).link];
      axes.insert(axes.begin(), link.axis);
      stride = link.next;
    }
    return axes;
  }

 private:
  static constexpr std::int32_t whole = 0;

  /// An axis and the stride of the next slower one, or `whole`.
  struct Link {
    GridAxis axis;
    std::int32_t next;
    std::uint64_t bytes_of_ends = 0;
  };

  /// Makes the axis a ring if its ends exchange more than half as much as other neighbours. With less
  /// traffic, they are more likely diagonal neighbours in a smaller grid.
  static void close(Link& link) {
    const std::uint64_t of_a_step = link.axis.bytes / static_cast<std::uint64_t>(link.axis.side - 1);
    link.axis.ring = link.bytes_of_ends > of_a_step / 2;
    if (link.axis.ring) link.axis.bytes += std::min(link.bytes_of_ends, of_a_step);
  }

  void add(std::int32_t stride, std::int32_t side, std::int32_t next) {
    of_difference_[stride].push_back(links_.size());
    if (side > 2) of_difference_[stride * (side - 1)].push_back(links_.size());
    links_.push_back({{stride, side}, next});
  }

  std::vector<Link> links_;  ///< by stride, ascending
  std::map<std::int32_t, std::vector<std::size_t>> of_difference_;
};

std::optional<RankGrid> find_grid(const EachPair& each_pair) {
  Bytes bytes;
  RankGrid grid;
  each_pair([&](std::int32_t a, std::int32_t b, std::uint64_t bytes_of_pair) {
    if (bytes_of_pair == 0 || bytes.size() > most_strides) return;
    bytes[b - a] += bytes_of_pair;
    grid.bytes += bytes_of_pair;
    grid.n_ranks = std::max(grid.n_ranks, b + 1);
  });
  if (bytes.size() > most_strides) return std::nullopt;
  grid.axes = Chains(each_pair, bytes, grid.n_ranks).best();
  for (const GridAxis& axis : grid.axes) grid.bytes_of_axes += axis.bytes;
  if (grid.axes.empty() || grid.bytes_of_axes < grid.bytes - grid.bytes / 2) return std::nullopt;
  return grid;
}

}  // namespace

std::optional<RankGrid> find_grid(const Graph& graph) {
  return find_grid([&](const auto& use) {
    for (std::int32_t a = 0; a < graph.n(); ++a) {
      for (const Edge& edge : graph.row(a)) {
        if (edge.to > a) use(a, edge.to, static_cast<std::uint64_t>(edge.weight));
      }
    }
  });
}

}  // namespace corewise::patterns
