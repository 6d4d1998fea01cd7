/// LoadInstance: ranks shared out over the objects of a tree, whatever their shapes: what proofs of loads
/// see.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "corewise/solver.hpp"
#include "solvers/bounds/cut_bounds.hpp"
#include "solvers/problem/hop_instance.hpp"
#include "solvers/problem/isomorphism_classes.hpp"

namespace corewise::exact {

struct LoadInstance {
  int n = 0;  ///< vertices, as many as places: ranks by falling bytes, then padding ones; at most 64
  std::vector<Cost> weight;               ///< [u * n + v]: bytes both ways
  std::vector<IsomorphismClass> classes;  ///< level by level; the root's is the last
  std::vector<Rank> rank;                 ///< [vertex], of those that are not padding
  std::vector<int> class_of_object;       ///< [object of the CoreTree], -1 without places

  [[nodiscard]] Cost between(int u, int v) const { return weight[u * n + v]; }
  [[nodiscard]] Subset all() const { return n == 64 ? ~Subset{0} : (Subset{1} << n) - 1; }
  [[nodiscard]] Subset padding() const { return all() & ~first(std::ssize(rank)); }
  [[nodiscard]] int root() const { return static_cast<int>(classes.size()) - 1; }
  /// Weight of the pairs with one end in the set.
  [[nodiscard]] Cost cut(Subset set) const;

  [[nodiscard]] static Subset first(std::ptrdiff_t count) {
    return count >= 64 ? ~Subset{0} : (Subset{1} << count) - 1;
  }
};

/// @param tree  of the domain's object.
/// @return absent beyond 64 places or 2^50 bytes.
[[nodiscard]] std::optional<LoadInstance> load_instance(const CoreTree& tree, const bounds::Domain& domain,
                                                        const PairGraph& graph);

}  // namespace corewise::exact
