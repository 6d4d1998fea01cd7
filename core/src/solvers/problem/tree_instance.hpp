/// TreeInstance: a weighted graph and a tree of any shape. A solution puts each vertex on its own place.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "corewise/traffic.hpp"
#include "solvers/problem/core_tree.hpp"
#include "solvers/problem/cost.hpp"
#include "solvers/problem/subset.hpp"

namespace corewise {

/// Vertices that share an object of the tree.
struct VertexGroup {
  int class_id = 0;  ///< the object's isomorphism class
  Subset members = 0;
};

/// Vertices are ranks and, after them, padding for the places that stay free. A core of capacity k counts as
/// k places.
struct TreeInstance {
  CoreTree tree;
  std::vector<IsomorphismClass> classes;  ///< of the tree's objects, level by level; the root's class last
  std::vector<Rank> rank;                 ///< [vertex], padding left out
  int n;                                  ///< vertices and places, at most 64
  std::vector<Cost> weight;               ///< [u * n + v] bytes, both directions added

  /// @param graph  pairs with a rank that is no vertex are left out.
  /// @pre the tree has at most 64 places.
  TreeInstance(CoreTree of, std::vector<Rank> ranks, const PairGraph& graph);

  [[nodiscard]] int root() const { return static_cast<int>(classes.size()) - 1; }
  [[nodiscard]] int n_levels() const { return classes.back().level; }
  [[nodiscard]] Cost between(int u, int v) const { return weight[u * n + v]; }
  [[nodiscard]] Subset all() const { return first_vertices(n); }
  [[nodiscard]] Subset padding() const { return all() & ~first_vertices(std::ssize(rank)); }
  /// Weight of the pairs inside a set.
  [[nodiscard]] Cost inside(Subset set) const;
  /// Weight of the pairs with one end in a set.
  [[nodiscard]] Cost cut(Subset set) const;
  /// Classes of a level, ascending.
  [[nodiscard]] std::vector<int> classes_of(int level) const;
  /// [class] number of objects.
  [[nodiscard]] std::vector<int> counts() const;

  /// The objects of a level and the vertices on the cores below each.
  [[nodiscard]] std::vector<VertexGroup> groups(int level, std::span<const CoreIndex> core_of_vertex) const;

  /// Divides the vertices of an object of a class into one group for each of its children with places.
  using Divide = std::function<std::vector<VertexGroup>(int class_id, Subset set)>;
  /// Puts all vertices that `core_of_vertex` has on cores, by dividing them from the root down.
  /// @return false if `divide` gives no groups.
  [[nodiscard]] bool place(const Divide& divide, std::vector<CoreIndex>& core_of_vertex) const;
};

/// The vertices and children of an object that remain while vertices are divided among its children.
struct Remainder {
  Subset vertices;
  int class_id;  ///< of the object
  ChildrenLeft left;
  friend bool operator==(const Remainder&, const Remainder&) = default;
};

}  // namespace corewise
