/// MultilevelOptions: groups as vertices of a coarse graph; regions as graphs of their own.
#include "solvers/search/multilevel_refinement.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "solvers/search/anneal_hops.hpp"
#include "solvers/search/construction/coarsen.hpp"
#include "solvers/search/parallel.hpp"
#include "solvers/search/temperature_scale.hpp"

namespace corewise::search {
namespace {

using Slots = std::vector<std::int32_t>;

constexpr std::int32_t largest_region = 4096;

Cost value_of(const Graph& graph, const SlotTree& tree, const Slots& slot_of, int sign) {
  Cost twice = 0;
  for (std::int32_t v = 0; v < graph.n(); ++v) {
    for (const Edge& edge : graph.row(v)) twice += edge.weight * tree.distance(slot_of[v], slot_of[edge.to]);
  }
  return sign * twice / 2;
}

/// Anneals a whole graph.
Slots anneal_all(const Graph& graph, const SlotTree& tree, Slots slot_of, const MultilevelOptions& zoom,
                 Random& random, WorkMeter& work) {
  if (graph.edges.empty() || tree.lowest_level() >= tree.n_levels()) return slot_of;
  const CoolingSchedule schedule =
      TemperatureScale(graph, tree)
          .schedule(zoom.initial_percent, zoom.proposals_per_vertex * graph.n_active());
  return anneal_hops({graph, tree, zoom.sign}, std::move(slot_of), schedule, random, work);
}

/// What talks inside one group of `level`, on the group's own tree.
struct Region {
  SlotTree tree;
  Graph graph;
  Slots vertices;  ///< [local vertex]; in the order of their slots

  Region(const Graph& whole, const SlotTree& whole_tree, int level, std::int32_t group, const Slots& slot_of,
         const Slots& vertex_at)
      : tree(whole_tree.inside(level, group)) {
    const std::int32_t first = whole_tree.first_slot(level, group);
    vertices.assign(vertex_at.begin() + first, vertex_at.begin() + first + tree.n_slots());
    for (const std::int32_t v : vertices) {
      for (const Edge& edge : whole.row(v)) {
        const std::int32_t local = slot_of[edge.to] - first;
        if (local >= 0 && local < tree.n_slots()) graph.edges.push_back({local, edge.weight});
      }
      graph.start.push_back(static_cast<std::uint32_t>(graph.edges.size()));
    }
  }
};

}  // namespace

Slots refine_groups(const Graph& graph, const SlotTree& tree, Slots slot_of, const MultilevelOptions& zoom,
                    Random& random, WorkMeter& work) {
  Cost value = value_of(graph, tree, slot_of, zoom.sign);
  const SizedGraph fine{graph, Slots(graph.n(), 1)};
  for (int level = tree.n_levels() - 1; level >= tree.lowest_level() && !work.out_of_time(); --level) {
    if (!tree.is_even(level)) continue;
    Slots group_of(graph.n()), group_at(tree.n_groups(level));
    for (std::int32_t v = 0; v < graph.n(); ++v) group_of[v] = tree.group(level, slot_of[v]);
    std::iota(group_at.begin(), group_at.end(), 0);
    const SizedGraph coarse = contract(fine, group_of, work);
    group_at = anneal_all(coarse.graph, tree.of_clusters(tree.group_size(level, 0), level + 1),
                          std::move(group_at), zoom, random, work);
    Slots moved(graph.n());
    for (std::int32_t v = 0; v < graph.n(); ++v) {
      moved[v] =
          slot_of[v] + tree.first_slot(level, group_at[group_of[v]]) - tree.first_slot(level, group_of[v]);
    }
    // Groups of one size may still differ inside.
    const Cost value_moved = value_of(graph, tree, moved, zoom.sign);
    if (value_moved < value) slot_of = std::move(moved), value = value_moved;
  }
  return slot_of;
}

Slots refine_regions(const Graph& graph, const SlotTree& tree, Slots slot_of, const MultilevelOptions& zoom,
                     Random& random, WorkMeter& work) {
  int level = tree.n_levels();
  while (level > tree.lowest_level() && tree.group_size(level, 0) > largest_region) --level;
  Slots vertex_at(slot_of.size());
  for (std::size_t v = 0; v < slot_of.size(); ++v) vertex_at[slot_of[v]] = static_cast<std::int32_t>(v);
  const auto n_regions = static_cast<std::size_t>(tree.n_groups(level));
  std::vector<WorkMeter> meters(n_regions, work.branch());
  const std::uint64_t seed = random.next();
  Slots refined(slot_of.size());
  run_parallel(n_regions, zoom.n_threads, [&](std::size_t i) {
    Random own_random(seed + i);
    const auto group = static_cast<std::int32_t>(i);
    const Region region(graph, tree, level, group, slot_of, vertex_at);
    Slots in_order(region.vertices.size());
    std::iota(in_order.begin(), in_order.end(), 0);
    const Slots local =
        anneal_all(region.graph, region.tree, std::move(in_order), zoom, own_random, meters[i]);
    for (std::size_t v = 0; v < local.size(); ++v)
      refined[region.vertices[v]] = tree.first_slot(level, group) + local[v];
  });
  for (const WorkMeter& meter : meters) work.join(meter);
  return refined;
}

}  // namespace corewise::search
