/// TreeInstance: a weighted graph and a tree of any shape. A solution puts each vertex on its own leaf.
#pragma once

#include <vector>

#include "solvers/problem/cost.hpp"
#include "solvers/problem/isomorphism_classes.hpp"
#include "solvers/problem/subset.hpp"

namespace corewise {

struct TreeInstance {
  int n = 0;                 ///< vertices and places (at most 64): ranks, then padding without traffic
  std::vector<Cost> weight;  ///< [u * n + v] bytes, both directions added; negated if the worst is wanted
  std::vector<IsomorphismClass> classes;  ///< of the tree's objects, level by level; the root's class last

  [[nodiscard]] int root() const { return static_cast<int>(classes.size()) - 1; }
  [[nodiscard]] int n_levels() const { return classes.back().level; }
  [[nodiscard]] Cost between(int u, int v) const { return weight[u * n + v]; }
  [[nodiscard]] Subset all() const { return first_vertices(n); }
  /// Weight of the pairs inside a set.
  [[nodiscard]] Cost inside(Subset set) const;
  /// Weight of the pairs with one end in a set.
  [[nodiscard]] Cost cut(Subset set) const;
  /// Classes of a level, ascending.
  [[nodiscard]] std::vector<int> classes_of(int level) const;
  /// [class] number of objects.
  [[nodiscard]] std::vector<int> counts() const;
};

/// The vertices and children of an object that remain while vertices are divided among its children.
struct Remainder {
  Subset vertices;
  int class_id;  ///< of the object
  ChildrenLeft left;
  friend bool operator==(const Remainder&, const Remainder&) = default;
};

}  // namespace corewise
