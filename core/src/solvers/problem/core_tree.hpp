/// CoreTree: the tree above the cores of a node or machine, for a search that places ranks one by one. Equal
/// subtrees without ranks are interchangeable, so the search tries only one of them, and tables of
/// SetSearch are shared by all objects of an isomorphism class.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "corewise/machine.hpp"

namespace corewise {

/// Objects with equal subtrees and places. The score doesn't change if two of them exchange their ranks.
struct IsomorphismClass {
  int level = 0;
  int size = 0;                               ///< number of places in one object
  std::vector<std::pair<int, int>> children;  ///< class and number; children without places are left out
};

/// A core to try for the next rank.
struct CoreChoice {
  CoreIndex core;
  std::uint64_t n_equal = 1;  ///< cores that are interchangeable with it now, itself included
};

class CoreTree {
 public:
  /// @param capacity  [core of the machine] number of ranks that it may take.
  /// @param level     the root of the tree is the object of this level that contains `first`.
  /// @param class_of  [core of the machine] only cores of the same class are interchangeable; empty: all are.
  CoreTree(const Machine& machine, std::span<const std::int32_t> capacity, int level, CoreIndex first,
           std::span<const std::int32_t> class_of = {});

  /// Cores that can take another rank, ascending; of interchangeable cores only the first. The product of
  /// n_equal along a search path is the number of equivalent placements that the path represents.
  void list_choices(std::vector<CoreChoice>& choices) const;

  void occupy(CoreIndex core) { add(core, 1); }
  void release(CoreIndex core) { add(core, -1); }

  struct Object {
    std::int32_t parent = -1;
    int class_id = -1;  ///< index into classes(); -1 if no rank can be placed below
    std::int32_t capacity = 0;
    std::int32_t used = 0;
    CoreIndex core{-1};  ///< -1 unless a leaf
    std::vector<std::int32_t> children;
  };
  /// Children before parents; the root last.
  [[nodiscard]] std::span<const Object> objects() const { return objects_; }

  /// Level by level, the root's class last. Cores of different class_of are in different classes.
  [[nodiscard]] const std::vector<IsomorphismClass>& classes() const { return classes_; }

 private:
  void add(CoreIndex core, std::int32_t amount);
  void find_classes(std::span<const std::int32_t> class_of);
  void visit(std::int32_t object, std::uint64_t n_equal, std::vector<CoreChoice>& choices) const;

  std::vector<Object> objects_;
  std::vector<IsomorphismClass> classes_;
  std::int32_t first_core_ = 0;
  std::vector<std::int32_t> leaf_of_core_;  ///< [core - first_core_]
};

}  // namespace corewise
