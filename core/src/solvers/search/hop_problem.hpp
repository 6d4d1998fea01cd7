/// HopModel and HopProblem: the input of the heuristic search for hop-bytes.
#pragma once

#include "solvers/problem/graph.hpp"
#include "solvers/problem/mapping.hpp"
#include "solvers/problem/slot_rules.hpp"
#include "solvers/problem/slot_tree.hpp"

namespace corewise::search {

/// A graph to be mapped onto a tree, to minimise or maximise hop-bytes.
struct HopModel {
  const Graph& graph;  ///< one vertex for each slot of the tree
  const SlotTree& tree;
  int sign = 1;                      ///< 1 minimises, -1 maximises: every distance is multiplied by it
  const SlotRules* rules = nullptr;  ///< null: every vertex may take every slot

  /// False if all mappings cost the same: no edges, or all slots equally far apart.
  [[nodiscard]] bool has_choice() const {
    return !graph.edges.empty() && tree.lowest_level() < tree.n_levels();
  }
};

/// Sum over all edges of weight x distance x sign.
[[nodiscard]] inline Cost hop_bytes(const HopModel& model, const SlotOfVertex& slot_of) {
  Cost twice = 0;
  for (std::int32_t v = 0; v < model.graph.n(); ++v) {
    for (const Edge& edge : model.graph.row(v)) {
      twice += edge.weight * model.tree.distance(slot_of[v], slot_of[edge.to]);
    }
  }
  return model.sign * twice / 2;
}

struct HopProblem {
  HopModel model;
  SlotOfVertex initial;       ///< the result is never worse
  bool improve_only = false;  ///< search only from `initial`, without constructing other initial mappings
};

}  // namespace corewise::search
