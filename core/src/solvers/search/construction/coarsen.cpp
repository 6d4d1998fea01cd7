/// Coarsening: heavy-edge matching and contraction.
#include "solvers/search/construction/coarsen.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace corewise::search {

std::vector<std::int32_t> match_heavy_edges(const SizedGraph& fine, std::int32_t largest, Random& random) {
  const std::int32_t n = fine.graph.n();
  std::vector<std::int32_t> order(n), group_of(n, -1);
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(std::span(order));
  std::int32_t n_groups = 0, lonely = -1;
  for (const std::int32_t v : order) {
    if (group_of[v] >= 0) continue;
    std::int32_t best = -1, best_weight = 0;
    for (const Edge& edge : fine.graph.row(v)) {
      const bool free = group_of[edge.to] < 0 && edge.to != v && fine.size[v] + fine.size[edge.to] <= largest;
      if (!free || edge.weight < best_weight) continue;
      if (edge.weight > best_weight || fine.size[edge.to] < fine.size[best])
        best = edge.to, best_weight = edge.weight;
    }
    if (best < 0 && fine.graph.row(v).empty()) {
      const bool fits = lonely >= 0 && fine.size[lonely] + fine.size[v] <= largest;
      if (fits) {
        group_of[v] = group_of[lonely];
        lonely = -1;
        continue;
      }
      lonely = v;
    }
    group_of[v] = n_groups;
    if (best >= 0) group_of[best] = n_groups;
    ++n_groups;
  }
  return group_of;
}

SizedGraph contract(const SizedGraph& fine, const std::vector<std::int32_t>& group_of, WorkMeter& work) {
  const std::int32_t n_groups = group_of.empty() ? 0 : *std::ranges::max_element(group_of) + 1;
  std::vector<std::int32_t> first(n_groups + 1, 0), members(group_of.size());
  for (const std::int32_t group : group_of) ++first[group + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::int32_t> next(first.begin(), first.end() - 1);
  for (std::int32_t v = 0; v < fine.graph.n(); ++v) members[next[group_of[v]]++] = v;

  SizedGraph coarse;
  coarse.size.assign(n_groups, 0);
  coarse.graph.edges.reserve(fine.graph.edges.size() / 2);
  std::vector<std::int64_t> edge_to(n_groups, -1);  // [group] -> its edge in the row being built
  for (std::int32_t group = 0; group < n_groups; ++group) {
    const std::size_t row_start = coarse.graph.edges.size();
    for (std::int32_t i = first[group]; i < first[group + 1]; ++i) {
      coarse.size[group] += fine.size[members[i]];
      for (const Edge& edge : fine.graph.row(members[i])) {
        const std::int32_t peer = group_of[edge.to];
        if (peer == group) continue;
        if (edge_to[peer] < static_cast<std::int64_t>(row_start)) {
          edge_to[peer] = static_cast<std::int64_t>(coarse.graph.edges.size());
          coarse.graph.edges.push_back({peer, edge.weight});
        } else {
          std::int32_t& weight = coarse.graph.edges[edge_to[peer]].weight;
          const std::int64_t sum = static_cast<std::int64_t>(weight) + edge.weight;
          weight = static_cast<std::int32_t>(
              std::min<std::int64_t>(sum, std::numeric_limits<std::int32_t>::max()));
        }
      }
    }
    coarse.graph.start.push_back(static_cast<std::uint32_t>(coarse.graph.edges.size()));
  }
  work.add(fine.graph.edges.size() + group_of.size());
  return coarse;
}

}  // namespace corewise::search
