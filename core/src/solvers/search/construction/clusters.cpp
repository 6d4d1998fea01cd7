/// Unit starts: joining, mapping the units, splitting their groups.
#include "solvers/search/construction/clusters.hpp"

#include <utility>

#include "solvers/search/anneal_hops.hpp"
#include "solvers/search/construction/bottom_up.hpp"
#include "solvers/search/construction/coarsen.hpp"
#include "solvers/search/construction/multisection.hpp"
#include "solvers/search/temperature_scale.hpp"

namespace corewise::search {
namespace {

using Slots = std::vector<std::int32_t>;

constexpr std::uint64_t proposals_per_unit = 700;
constexpr Cost initial_percent = 100;

bool fills_groups(const SlotTree& tree, const ClusterScheme& kind) {
  for (std::int32_t group = 0; group < tree.n_groups(kind.level); ++group) {
    if (tree.group_size(kind.level, group) % kind.size != 0) return false;
  }
  return true;
}

}  // namespace

std::vector<ClusterScheme> cluster_schemes(const SlotTree& tree) {
  std::vector<ClusterScheme> kinds;
  for (int level = tree.lowest_level(); level < tree.n_levels(); ++level) {
    if (tree.n_groups(level) == tree.n_groups(level + 1)) continue;
    for (const std::int32_t size : {2, 3, 4}) {
      if (fills_groups(tree, {size, level})) kinds.push_back({size, level});
    }
  }
  return kinds;
}

Slots place_clusters(const Graph& graph, const SlotTree& tree, const ClusterScheme& kind, Random& random,
                     WorkMeter& work) {
  const Slots unit_of = group_vertices(graph, kind.size, random, work);
  const Graph units = contract({graph, Slots(graph.n(), 1)}, unit_of, work).graph;
  const SlotTree unit_tree = tree.of_clusters(kind.size, kind.level);
  Slots place_of_unit = multisection(units, unit_tree, random, work);
  const bool all_equal = unit_tree.lowest_level() == unit_tree.n_levels();
  if (!units.edges.empty() && !all_equal) {
    const CoolingSchedule schedule =
        TemperatureScale(units, unit_tree).schedule(initial_percent, proposals_per_unit * units.n_active());
    place_of_unit = anneal_hops({units, unit_tree}, std::move(place_of_unit), schedule, random, work);
  }
  Slots slot_of(graph.n()), n_members(units.n(), 0);
  for (std::int32_t v = 0; v < graph.n(); ++v) {
    slot_of[v] = place_of_unit[unit_of[v]] * kind.size + n_members[unit_of[v]]++;
  }
  return multisection_inside(graph, tree, std::move(slot_of), kind.level, random, work);
}

}  // namespace corewise::search
