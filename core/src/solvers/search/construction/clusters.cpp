/// Mapping by clusters: grows groups of ranks and swaps their members, maps and anneals the groups as
/// clusters, then maps ranks inside the groups of the tree.
#include "solvers/search/construction/clusters.hpp"

#include <algorithm>
#include <queue>
#include <utility>

#include "solvers/search/anneal_hops.hpp"
#include "solvers/search/construction/coarsen.hpp"
#include "solvers/search/construction/multisection.hpp"
#include "solvers/search/search_parameters.hpp"

namespace corewise::search {
namespace {

class Grouping {
 public:
  Grouping(const Graph& graph, std::int32_t group_size, WorkMeter& work)
      : graph_(graph), size_(group_size), work_(work), group_of_(graph.n(), -1) {}

  /// @return [vertex] -> group.
  std::vector<std::int32_t> run(Random& random) {
    grow(random);
    for (int pass = 0; pass < kCommon.max_swap_passes && !work_.out_of_time(); ++pass) {
      if (!swap_members()) break;
    }
    return std::move(group_of_);
  }

 private:
  /// A free vertex next to the growing group, by its weight to this group. Of equal candidates, the one with
  /// the greatest weight to finished groups comes first, so that it isn't left alone among finished groups.
  struct Candidate {
    Cost weight;
    Cost weight_to_finished;
    std::int32_t vertex;
    friend auto operator<=>(const Candidate&, const Candidate&) = default;
  };

  /// Free vertices next to finished groups, by their weight to these groups.
  using Border = std::priority_queue<std::pair<Cost, std::int32_t>>;

  void grow(Random& random) {
    const std::int32_t n = graph_.n();
    weight_.assign(n, 0);
    weight_to_finished_.assign(n, 0);
    next_ = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(n)));
    Border border;
    for (std::int32_t group = 0; group < n / size_; ++group) {
      for (const std::int32_t v : grow_one(group, border)) {
        weight_to_finished_[v] += std::exchange(weight_[v], 0);
        if (group_of_[v] < 0) border.push({weight_to_finished_[v], v});
      }
    }
  }

  /// @return the vertices next to members of the group; some are members themselves.
  std::vector<std::int32_t> grow_one(std::int32_t group, Border& border) {
    std::priority_queue<Candidate> candidates;
    std::vector<std::int32_t> neighbours;
    for (std::int32_t member = 0; member < size_; ++member) {
      const std::int32_t v = next_vertex(candidates, border);
      group_of_[v] = group;
      if (work_.out_of_time()) continue;  // any vertices make a group
      for (const Edge& edge : graph_.row(v)) {
        if (group_of_[edge.to] >= 0) continue;
        if (weight_[edge.to] == 0) neighbours.push_back(edge.to);
        weight_[edge.to] += edge.weight;
        candidates.push({weight_[edge.to], weight_to_finished_[edge.to], edge.to});
      }
      work_.add(graph_.row(v).size() + 1);
    }
    return neighbours;
  }

  /// The best free candidate, else the best free vertex on the border, else the next free vertex by number.
  /// Skips entries whose weight has changed since they were queued.
  std::int32_t next_vertex(std::priority_queue<Candidate>& candidates, Border& border) {
    for (; !candidates.empty(); candidates.pop()) {
      const Candidate& best = candidates.top();
      if (group_of_[best.vertex] < 0 && best.weight == weight_[best.vertex]) return best.vertex;
    }
    for (; !border.empty(); border.pop()) {
      const auto [weight, v] = border.top();
      if (group_of_[v] < 0 && weight == weight_to_finished_[v]) return v;
    }
    while (group_of_[next_] >= 0) next_ = next_ + 1 < graph_.n() ? next_ + 1 : 0;
    return next_;
  }

  /// Tries once to swap each vertex with a member of its neighbours' groups. @return whether any was swapped.
  bool swap_members() {
    std::vector<std::vector<std::int32_t>> members(graph_.n() / size_);
    for (std::int32_t v = 0; v < graph_.n(); ++v) members[group_of_[v]].push_back(v);
    bool swapped = false;
    for (std::int32_t u = 0; u < graph_.n() && !work_.out_of_time(); ++u) {
      for (const Edge& edge : graph_.row(u)) {
        const std::int32_t from = group_of_[u], to = group_of_[edge.to];
        if (from == to) continue;
        const Cost gain_of_u = weight_into(u, to) - weight_into(u, from);
        if (gain_of_u <= 0) continue;
        for (std::int32_t& v : members[to]) {
          if (gain_of_u + weight_into(v, from) - weight_into(v, to) - 2 * weight_between(u, v) <= 0) continue;
          std::swap(group_of_[u], group_of_[v]);
          *std::ranges::find(members[from], u) = v;
          v = u;
          swapped = true;
          break;
        }
      }
    }
    return swapped;
  }

  [[nodiscard]] Cost weight_into(std::int32_t v, std::int32_t group) {
    Cost sum = 0;
    for (const Edge& edge : graph_.row(v)) sum += group_of_[edge.to] == group ? edge.weight : 0;
    work_.add(graph_.row(v).size());
    return sum;
  }

  [[nodiscard]] Cost weight_between(std::int32_t u, std::int32_t v) const {
    Cost sum = 0;
    for (const Edge& edge : graph_.row(u)) sum += edge.to == v ? edge.weight : 0;
    return sum;
  }

  const Graph& graph_;
  std::int32_t size_;
  WorkMeter& work_;
  std::vector<std::int32_t> group_of_;
  std::vector<Cost> weight_;              ///< [vertex] to the growing group
  std::vector<Cost> weight_to_finished_;  ///< [vertex] to all finished groups
  std::int32_t next_ = 0;                 ///< where the search for a free vertex continues
};

bool fills_groups(const SlotTree& tree, const ClusterScheme& scheme) {
  for (std::int32_t group = 0; group < tree.n_groups(scheme.level); ++group) {
    if (tree.group_size(scheme.level, group) % scheme.size != 0) return false;
  }
  return true;
}

}  // namespace

std::vector<std::int32_t> group_vertices(const Graph& graph, std::int32_t size, Random& random,
                                         WorkMeter& work) {
  return Grouping(graph, size, work).run(random);
}

std::vector<ClusterScheme> cluster_schemes(const SlotTree& tree) {
  std::vector<ClusterScheme> schemes;
  for (int level = tree.lowest_level(); level < tree.n_levels(); ++level) {
    if (tree.n_groups(level) == tree.n_groups(level + 1)) continue;
    for (const std::int32_t size : {2, 3, 4}) {
      if (fills_groups(tree, {size, level})) schemes.push_back({size, level});
    }
  }
  return schemes;
}

SlotOfVertex map_clusters(const Graph& graph, const SlotTree& tree, const ClusterScheme& scheme,
                          Random& random, WorkMeter& work) {
  const std::vector<std::int32_t> cluster_of = group_vertices(graph, scheme.size, random, work);
  const Graph clusters = contract(graph, cluster_of, work);
  const SlotTree cluster_tree = tree.of_clusters(scheme.size, scheme.level);
  SlotOfVertex slot_of_cluster = multisection(clusters, cluster_tree, random, work);
  slot_of_cluster = anneal_vertices({clusters, cluster_tree}, std::move(slot_of_cluster),
                                    kCommon.cluster_percent, kCommon.proposals_per_cluster, random, work);
  SlotOfVertex slot_of(graph.n());
  std::vector<std::int32_t> n_members(clusters.n(), 0);
  for (std::int32_t v = 0; v < graph.n(); ++v) {
    slot_of[v] = slot_of_cluster[cluster_of[v]] * scheme.size + n_members[cluster_of[v]]++;
  }
  return multisection_inside(graph, tree, slot_of, scheme.level, random, work);
}

}  // namespace corewise::search
