/// Coarsening: heavy-edge matching and contraction.
#include "solvers/search/construction/coarsen.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

namespace corewise::search {
namespace {

std::int32_t saturated_sum(std::int32_t a, std::int32_t b) {
  const std::int64_t sum = std::int64_t{a} + b;
  return static_cast<std::int32_t>(std::min<std::int64_t>(sum, std::numeric_limits<std::int32_t>::max()));
}

}  // namespace

std::vector<std::int32_t> match_heavy_edges(const SizedGraph& fine, std::int32_t max_size, Random& random) {
  const std::int32_t n = fine.graph.n();
  std::vector<std::int32_t> order(n), group_of(n, -1);
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(std::span(order));
  std::int32_t n_groups = 0;
  std::int32_t isolated = -1;  // the last vertex without edges that waits for another one
  for (const std::int32_t v : order) {
    if (group_of[v] >= 0) continue;
    std::int32_t best = -1, best_weight = 0;
    for (const Edge& edge : fine.graph.row(v)) {
      const bool free =
          group_of[edge.to] < 0 && edge.to != v && fine.size[v] + fine.size[edge.to] <= max_size;
      if (!free || edge.weight < best_weight) continue;
      if (edge.weight > best_weight || fine.size[edge.to] < fine.size[best])
        best = edge.to, best_weight = edge.weight;
    }
    if (best < 0 && fine.graph.row(v).empty()) {
      if (isolated >= 0 && fine.size[isolated] + fine.size[v] <= max_size) {
        group_of[v] = group_of[isolated];
        isolated = -1;
        continue;
      }
      isolated = v;
    }
    group_of[v] = n_groups;
    if (best >= 0) group_of[best] = n_groups;
    ++n_groups;
  }
  return group_of;
}

Graph contract(const Graph& fine, const std::vector<std::int32_t>& group_of, WorkMeter& work) {
  const std::int32_t n_groups = group_of.empty() ? 0 : std::ranges::max(group_of) + 1;
  // Group g has the members members[end[g - 1]] to members[end[g] - 1], ascending.
  std::vector<std::int32_t> end(n_groups, 0), members(group_of.size());
  for (const std::int32_t group : group_of) ++end[group];
  std::exclusive_scan(end.begin(), end.end(), end.begin(), 0);
  for (std::int32_t v = 0; v < fine.n(); ++v) members[end[group_of[v]]++] = v;
  Graph coarse;
  coarse.edges.reserve(fine.edges.size() / 2);
  std::vector<std::int64_t> edge_to(n_groups, -1);  // [group] -> its edge in the row being built
  for (std::int32_t group = 0, next = 0; group < n_groups; ++group) {
    const auto row_start = static_cast<std::int64_t>(coarse.edges.size());
    for (; next < end[group]; ++next) {
      for (const Edge& edge : fine.row(members[next])) {
        const std::int32_t peer = group_of[edge.to];
        if (peer == group) continue;
        if (edge_to[peer] < row_start) {
          edge_to[peer] = static_cast<std::int64_t>(coarse.edges.size());
          coarse.edges.push_back({peer, edge.weight});
        } else {
          std::int32_t& weight = coarse.edges[edge_to[peer]].weight;
          weight = saturated_sum(weight, edge.weight);
        }
      }
    }
    coarse.start.push_back(static_cast<std::uint32_t>(coarse.edges.size()));
  }
  work.add(fine.edges.size() + group_of.size());
  return coarse;
}

SizedGraph contract(const SizedGraph& fine, const std::vector<std::int32_t>& group_of, WorkMeter& work) {
  SizedGraph coarse{contract(fine.graph, group_of, work), {}};
  coarse.size.assign(coarse.graph.n(), 0);
  for (std::size_t v = 0; v < group_of.size(); ++v) coarse.size[group_of[v]] += fine.size[v];
  return coarse;
}

}  // namespace corewise::search
