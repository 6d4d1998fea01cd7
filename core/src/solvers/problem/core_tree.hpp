/// CoreTree: the cores of a node or a machine while ranks are put on them; empty equal subtrees are
/// interchangeable.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corewise/machine.hpp"
#include "solvers/problem/isomorphism_classes.hpp"

namespace corewise {

/// One core to try for the next rank, and how many cores are no different from it so far.
struct CoreChoice {
  CoreIndex core;
  std::uint64_t n_equal = 1;
};

class CoreTree {
 public:
  /// @param capacity  [core of the machine] ranks that it may take.
  /// @param level     the tree hangs from the object at this level that holds `first`.
  /// @param class_of  [core of the machine] cores of different classes can't be swapped; empty: all are
  /// alike.
  CoreTree(const Machine& machine, std::span<const std::int32_t> capacity, int level, CoreIndex first,
           std::span<const std::int32_t> class_of = {});

  /// Cores that take another rank, ascending. Of cores that can be swapped without anyone noticing (empty
  /// subtrees of one shape below one parent) only the first is listed; the product of n_equal along a search
  /// path is the number of placements that the path stands for.
  void list_choices(std::vector<CoreChoice>& choices) const;

  void occupy(CoreIndex core) { add(core, 1); }
  void release(CoreIndex core) { add(core, -1); }

  struct Object {
    std::int32_t parent = -1;
    int class_id = -1;  ///< of classes(); -1 without places
    std::int32_t capacity = 0;
    std::int32_t used = 0;
    CoreIndex core{-1};  ///< of a leaf
    std::vector<std::int32_t> children;
  };
  /// Children before parents; the root last.
  [[nodiscard]] std::span<const Object> objects() const { return objects_; }

  /// Level by level; the root's is the last. Cores that can't be swapped are in different ones.
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
