/// Solver `spread`: puts the ranks of pairs with most bytes on different nodes.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "solvers/problem/slots.hpp"
#include "solvers/rows.hpp"

namespace corewise {
namespace {

/// Ranks by the bytes of their heaviest pair, descending, ties in rank order.
std::vector<Rank> by_heaviest_pair(const PairGraph& graph) {
  std::vector<std::pair<std::uint64_t, Rank>> heaviest;
  for (std::int32_t rank = 0; rank < graph.n_ranks(); ++rank) {
    std::uint64_t bytes = 0;
    for (const PairTraffic& pair : graph.partners(Rank{rank})) bytes = std::max(bytes, pair.bytes);
    heaviest.emplace_back(bytes, Rank{rank});
  }
  std::ranges::stable_sort(heaviest, std::ranges::greater{}, [](const auto& entry) { return entry.first; });
  std::vector<Rank> order;
  for (const auto& [bytes, rank] : heaviest) order.push_back(rank);
  return order;
}

/// Gives each rank the node whose ranks exchange the fewest bytes with it; of equal nodes the one with the
/// fewest ranks, then the first.
class Spreader {
 public:
  Spreader(const PairGraph& graph, std::vector<std::int32_t> node_capacity)
      : graph_(graph),
        free_(std::move(node_capacity)),
        used_(free_.size(), 0),
        node_of_rank_(graph.n_ranks(), kNone) {
    for (std::size_t node = 0; node < free_.size(); ++node) {
      if (free_[node] > 0) open_.emplace(0, static_cast<std::int32_t>(node));
    }
  }

  void place(Rank rank) {
    std::unordered_map<std::int32_t, std::uint64_t> met;
    for (const PairTraffic& pair : graph_.partners(rank)) {
      if (node_of_rank_[raw(pair.peer)] != kNone) met[raw(node_of_rank_[raw(pair.peer)])] += pair.bytes;
    }
    const std::int32_t node = least_met(met);
    node_of_rank_[raw(rank)] = NodeIndex{node};
    open_.erase({used_[node], node});
    ++used_[node];
    if (--free_[node] > 0) open_.emplace(used_[node], node);
  }

  [[nodiscard]] std::span<const NodeIndex> node_of_rank() const { return node_of_rank_; }

 private:
  static constexpr NodeIndex kNone{-1};

  /// The partners of a rank are on few nodes, so the loop soon reaches a node without partners.
  std::int32_t least_met(const std::unordered_map<std::int32_t, std::uint64_t>& met) const {
    std::int32_t best = open_.begin()->second;
    std::uint64_t best_bytes = ~std::uint64_t{0};
    for (const auto& [used, node] : open_) {
      const auto found = met.find(node);
      const std::uint64_t bytes = found == met.end() ? 0 : found->second;
      if (bytes < best_bytes) {
        best = node;
        best_bytes = bytes;
      }
      if (bytes == 0) break;
    }
    return best;
  }

  const PairGraph& graph_;
  std::vector<std::int32_t> free_;
  std::vector<std::int32_t> used_;
  std::vector<NodeIndex> node_of_rank_;
  std::set<std::pair<std::int32_t, std::int32_t>> open_;  // (ranks on it, node), emptiest first
};

}  // namespace

Solution solve_spread(const PlacedProblem& problem, const SolverOptions& /*options*/) {
  const PairGraph graph(problem.traffic.folded());
  Spreader spreader(graph, node_capacities(problem));
  for (const Rank rank : by_heaviest_pair(graph)) spreader.place(rank);
  Solution solution;
  solution.placement = place_in_order(problem, spreader.node_of_rank());
  return solution;
}

}  // namespace corewise
