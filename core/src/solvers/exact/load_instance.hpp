/// LoadInstance: a domain's ranks and the tree whose links carry their traffic, for proofs of link loads.
#pragma once

#include <optional>
#include <vector>

#include "corewise/solver.hpp"
#include "solvers/bounds/cut_bounds.hpp"
#include "solvers/problem/core_tree.hpp"
#include "solvers/problem/tree_instance.hpp"

namespace corewise::exact {

/// Vertices are the ranks, by descending bytes, then padding. A core of capacity k counts as k places.
struct LoadInstance : TreeInstance {
  std::vector<Rank> rank;  ///< [vertex], padding left out

  [[nodiscard]] Subset padding() const { return all() & ~first_vertices(std::ssize(rank)); }
};

/// @param tree  of the domain's object.
/// @return empty if there are more than 64 places or 2^50 bytes.
[[nodiscard]] std::optional<LoadInstance> load_instance(const CoreTree& tree, const bounds::Domain& domain,
                                                        const PairGraph& graph);

}  // namespace corewise::exact
