/// Multilevel refinement: groups as vertices of a coarse graph, regions as separate graphs.
#include "solvers/search/multilevel_refinement.hpp"

#include <span>
#include <utility>
#include <vector>

#include "solvers/search/anneal_hops.hpp"
#include "solvers/search/construction/coarsen.hpp"
#include "solvers/search/search_parameters.hpp"
#include "solvers/search/task_runner.hpp"

namespace corewise::search {
namespace {

/// The mapping after the groups of a level have been annealed.
SlotOfVertex with_groups_swapped(const HopModel& model, const SlotOfVertex& slot_of, int level,
                                 const MultilevelOptions& options, Random& random, WorkMeter& work) {
  const SlotTree& tree = model.tree;
  std::vector<std::int32_t> group_of;
  for (const std::int32_t slot : slot_of) group_of.push_back(tree.group(level, slot));
  const Graph coarse = contract(model.graph, group_of, work);
  const SlotTree coarse_tree = tree.of_clusters(tree.group_size(level, 0), level + 1);
  const SlotOfVertex place_of_group =
      anneal_vertices({coarse, coarse_tree, model.sign}, identity_mapping(coarse.n()),
                      options.initial_percent, options.proposals_per_vertex, random, work);
  SlotOfVertex moved = slot_of;
  for (std::size_t v = 0; v < moved.size(); ++v) {
    moved[v] += tree.first_slot(level, place_of_group[group_of[v]]) - tree.first_slot(level, group_of[v]);
  }
  return moved;
}

/// The highest level whose groups have at most kCommon.max_region_slots slots, but at least lowest_level().
int region_level(const SlotTree& tree) {
  int level = tree.n_levels();
  while (level > tree.lowest_level() && tree.group_size(level, 0) > kCommon.max_region_slots) --level;
  return level;
}

}  // namespace

SlotOfVertex refine_groups(const HopModel& model, SlotOfVertex slot_of, const MultilevelOptions& options,
                           Random& random, WorkMeter& work) {
  Cost cost = hop_bytes(model, slot_of);
  for (int level = model.tree.n_levels() - 1; level >= model.tree.lowest_level() && !work.out_of_time();
       --level) {
    if (!model.tree.is_even(level)) continue;
    SlotOfVertex moved = with_groups_swapped(model, slot_of, level, options, random, work);
    // Groups of equal size may differ in their lower levels, so a swap that improves the coarse mapping can
    // make the mapping worse.
    const Cost cost_moved = hop_bytes(model, moved);
    if (cost_moved < cost) slot_of = std::move(moved), cost = cost_moved;
  }
  return slot_of;
}

SlotOfVertex refine_regions(const HopModel& model, const SlotOfVertex& slot_of,
                            const MultilevelOptions& options, Random& random, WorkMeter& work) {
  const SlotTree& tree = model.tree;
  const int level = region_level(tree);
  const std::vector<std::int32_t> vertex_at = vertex_of_slot(slot_of);
  SlotOfVertex refined(slot_of.size());
  TaskRunner tasks(random.next(), options.n_threads, work);
  tasks.run(
      static_cast<std::size_t>(tree.n_groups(level)), [&](std::size_t i, Random& own, WorkMeter& meter) {
        const auto region = static_cast<std::int32_t>(i);
        const std::int32_t first = tree.first_slot(level, region), size = tree.group_size(level, region);
        const std::span<const std::int32_t> vertices = std::span(vertex_at).subspan(first, size);
        const SlotTree part_tree = tree.inside(level, region);
        const Graph part = induced_subgraph(model.graph, vertices, [&](std::int32_t v) {
          const std::int32_t local = slot_of[v] - first;
          return local >= 0 && local < size ? local : -1;
        });
        const SlotOfVertex found =
            anneal_vertices({part, part_tree, model.sign}, identity_mapping(size), options.initial_percent,
                            options.proposals_per_vertex, own, meter);
        for (std::int32_t v = 0; v < size; ++v) refined[vertices[v]] = first + found[v];
      });
  return refined;
}

}  // namespace corewise::search
