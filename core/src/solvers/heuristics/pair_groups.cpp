/// Solvers `frequency-major` and `size-major`: the pairs with most messages, or most bytes, share nodes.
#include <algorithm>
#include <numeric>
#include <set>

#include "solvers/problem/graph.hpp"
#include "solvers/problem/slots.hpp"
#include "solvers/rows.hpp"

namespace corewise {
namespace {

using Group = std::vector<std::int32_t>;  // ranks, ascending

struct WeightedPair {
  std::int32_t a;
  std::int32_t b;
  std::uint64_t weight;
};

/// The pairs that have weight, heaviest first. Pairs that count as equally heavy are in rank order.
std::vector<WeightedPair> by_weight(const PairGraph& graph, std::uint64_t PairTraffic::* weight,
                                    double equal_within) {
  std::vector<WeightedPair> pairs;
  for_each_pair(graph, [&](std::int32_t a, std::int32_t b, const PairTraffic& pair) {
    if (pair.*weight > 0) pairs.push_back({a, b, pair.*weight});
  });
  std::ranges::sort(pairs, std::ranges::greater{}, &WeightedPair::weight);
  for (auto first = pairs.begin(); first != pairs.end();) {
    const double least = static_cast<double>(first->weight) / equal_within;
    const auto last = std::find_if(first, pairs.end(), [least](const WeightedPair& pair) {
      return static_cast<double>(pair.weight) < least;
    });
    std::sort(first, last, [](const WeightedPair& left, const WeightedPair& right) {
      return std::pair(left.a, left.b) < std::pair(right.a, right.b);
    });
    first = last;
  }
  return pairs;
}

/// Disjoint sets of ranks (union-find). join() does nothing if the joined set would be too large.
class RankSets {
 public:
  explicit RankSets(std::int32_t n_ranks) : parent_(n_ranks), size_(n_ranks, 1) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  std::int32_t find(std::int32_t rank) {
    while (parent_[rank] != rank) rank = parent_[rank] = parent_[parent_[rank]];
    return rank;
  }
  void join(std::int32_t a, std::int32_t b, std::int32_t largest) {
    a = find(a);
    b = find(b);
    if (a == b || size_[a] + size_[b] > largest) return;
    if (size_[a] < size_[b]) std::swap(a, b);
    parent_[b] = a;
    size_[a] += size_[b];
  }

 private:
  std::vector<std::int32_t> parent_;
  std::vector<std::int32_t> size_;
};

/// The groups, largest first. Groups of equal size are in the order of their lowest ranks.
std::vector<Group> groups_of(RankSets& sets, std::int32_t n_ranks) {
  std::vector<Group> by_root(n_ranks);
  for (std::int32_t rank = 0; rank < n_ranks; ++rank) by_root[sets.find(rank)].push_back(rank);
  std::erase_if(by_root, [](const Group& group) { return group.empty(); });
  std::ranges::sort(by_root, {}, [](const Group& group) {
    return std::pair(-static_cast<std::int64_t>(group.size()), group.front());
  });
  return by_root;
}

std::vector<NodeIndex> pack(const std::vector<Group>& groups, std::span<const std::int32_t> node_capacity,
                            std::int32_t n_ranks) {
  std::set<std::pair<std::int32_t, std::int32_t>> room;  // (free places, node), tightest first
  for (std::size_t node = 0; node < node_capacity.size(); ++node) {
    room.emplace(node_capacity[node], static_cast<std::int32_t>(node));
  }
  std::vector<NodeIndex> node_of_rank(n_ranks);
  for (const Group& group : groups) {
    std::size_t placed = 0;
    while (placed < group.size()) {
      const auto left = static_cast<std::int32_t>(group.size() - placed);
      auto chosen = room.lower_bound({left, 0});
      if (chosen == room.end()) chosen = room.lower_bound({std::prev(chosen)->first, 0});
      const auto [free, node] = *chosen;
      const std::int32_t n_here = std::min(free, left);
      for (std::int32_t i = 0; i < n_here; ++i) node_of_rank[group[placed++]] = NodeIndex{node};
      room.erase(chosen);
      room.emplace(free - n_here, node);
    }
  }
  return node_of_rank;
}

/// Takes the pairs of a matrix from the heaviest on, ties in rank order. For each pair, joins the groups of
/// both ranks if the result fits on the largest node. Then puts the groups on nodes, large groups first, each
/// on the node with the least sufficient room. A group that fits on no node is split in rank order.
/// @param weight        the bytes or the messages of a pair.
/// @param equal_within  at least 1. Pairs count as equally heavy down to 1 / equal_within of the heaviest
///                      remaining pair.
Solution solve_by_pairs(const PlacedProblem& problem, const CommMatrix& matrix,
                        std::uint64_t PairTraffic::* weight, double equal_within) {
  const std::vector<std::int32_t> node_capacity = node_capacities(problem);
  const std::int32_t largest = std::ranges::max(node_capacity);
  const std::int32_t n_ranks = problem.traffic.n_ranks();
  RankSets sets(n_ranks);
  for (const WeightedPair& pair : by_weight(PairGraph(matrix), weight, equal_within)) {
    sets.join(pair.a, pair.b, largest);
  }
  Solution solution;
  solution.placement = place_in_order(problem, pack(groups_of(sets, n_ranks), node_capacity, n_ranks));
  return solution;
}

// Pairs with the same role in a program send nearly the same number of bytes, and chance decides which sends
// most. In HPL (N = 2000 and 4000, 16 and 32 ranks; fixtures/matrices/hpl), panels shrink from step to step,
// so neighbours in a row of the process grid differ by factors of 1.10 to 1.35. The next kind of pairs sends
// less than the heaviest by a factor of 1.54 or more. Strictly by weight, a chain of neighbours would be torn
// apart: ranks 6 and 8 would be joined first, and ranks 4 and 14 would be left over.
constexpr double kEquallyHeavy = 1.4142135623730951;

}  // namespace

Solution solve_frequency_major(const PlacedProblem& problem, const SolverOptions& /*options*/) {
  return solve_by_pairs(problem, problem.traffic.folded(), &PairTraffic::messages, 1);
}

Solution solve_size_major(const PlacedProblem& problem, const SolverOptions& /*options*/) {
  const Traffic& traffic = problem.traffic;
  return solve_by_pairs(problem, traffic.large ? traffic.large->matrix : traffic.folded(),
                        &PairTraffic::bytes, kEquallyHeavy);
}

}  // namespace corewise
