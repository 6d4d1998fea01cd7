/// SetSearch: the best placement of up to 16 ranks by dynamic programming over sets of ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "corewise/traffic.hpp"
#include "solvers/problem/core_tree.hpp"
#include "solvers/problem/cost.hpp"

namespace corewise::exact {

/// A set of ranks as the bits of one number.
using Subset = std::uint32_t;

/// The most ranks that SetSearch divides: its tables have an entry for each set of them.
inline constexpr int kMostRanks = 16;

/// The bytes inside each set of ranks and between a set and all other ranks.
class SetWeights {
 public:
  explicit SetWeights(const PairGraph& graph);
  [[nodiscard]] Cost inside(Subset set) const { return inside_[set]; }
  [[nodiscard]] Cost cut(Subset set) const { return degrees_[set] - 2 * inside_[set]; }

 private:
  std::vector<Cost> inside_;   ///< [set]
  std::vector<Cost> degrees_;  ///< [set] bytes of its ranks, those of pairs inside the set twice
};

/// The cost of a placement, put together from the sets of ranks that share an object of the machine.
struct SetCost {
  enum class Join { sum, greatest, least };

  Join join = Join::sum;  ///< how the costs of all objects form the cost of the placement
  /// The cost of an object with these ranks; kNever if the placement is not allowed.
  std::function<Cost(int level, Subset set)> of;
  /// A bit for each goal that the object reaches. Each goal must be reached by some object of the placement.
  std::function<unsigned(int level, Subset set)> reached = [](int, Subset) { return 0u; };
  unsigned n_goals = 0;
  int lowest = 0;  ///< objects below this level have neither costs nor goals
};

inline constexpr Cost kNever = Cost{1} << 62;

/// The cost depends only on which ranks share an object, so the least cost of an object with a set of ranks
/// is found once and kept. Objects of the same class share their tables.
class SetSearch {
 public:
  /// @pre at most kMostRanks ranks, and a place for each.
  SetSearch(const CoreTree& tree, int n_ranks, SetCost cost);

  /// The least cost of a placement, or kNever.
  [[nodiscard]] Cost least() { return of_object(root().class_id, all(), all_goals()); }

  /// A placement of least cost. @pre least() is not kNever.
  [[nodiscard]] std::vector<CoreIndex> placement();

 private:
  struct Part {
    Subset set;
    unsigned goals;
    Cost cost;
  };

  [[nodiscard]] const CoreTree::Object& root() const { return tree_.objects().back(); }
  [[nodiscard]] Subset all() const { return (Subset{1} << n_ranks_) - 1; }
  [[nodiscard]] unsigned all_goals() const { return (1u << cost_.n_goals) - 1; }
  [[nodiscard]] Cost joined(Cost a, Cost b) const;

  Cost of_object(int class_id, Subset set, unsigned goals);
  Cost of_children(int class_id, std::size_t first, Subset set, unsigned goals);
  Part best_part(int class_id, std::size_t first, Subset set, unsigned goals);
  void place(const CoreTree::Object& object, Subset set, unsigned goals,
             std::vector<CoreIndex>& core_of_rank);

  const CoreTree& tree_;
  int n_ranks_;
  SetCost cost_;
  /// [class] classes of an object's children, ascending. Of each class, no more than there are ranks.
  std::vector<std::vector<int>> children_;
  std::vector<std::vector<int>> places_;  ///< [class][i] of the children from i on
  /// [class, first child, goals][set] least cost of the children from `first` on; -kNever: not known
  std::map<std::tuple<int, std::size_t, unsigned>, std::vector<Cost>> known_;
};

}  // namespace corewise::exact
