/// Look: goes through all sets of a kind's size at given prices.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "solvers/exact/prices.hpp"

namespace corewise::proof {

struct CheapestSet {
  Cost net = CheapestSets::kNoSet;  ///< cost beyond the prices
  Subset members = 0;               ///< 0 where there is none
};

/// Depth first, members ascending, the last one in a tight loop.
class Look {
 public:
  Look(const GroupFamily& family, int kind, const Prices& prices);

  /// [vertex]: the cheapest set that holds it.
  [[nodiscard]] std::vector<CheapestSet> cheapest();
  /// The cheapest set of all, if its net cost is below zero, and of some vertices such sets that are nearly
  /// as cheap; branches without any are left out.
  [[nodiscard]] std::vector<CheapestSet> overdrawn();
  /// Keeps every set of a net cost up to a limit.
  /// @return false where the limits don't suffice.
  bool list(const ListLimits& limits, std::vector<CostedSet>& sets);

  /// Vertices let in so far.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  using Row = std::array<Cost, 64>;

  void run();
  void prune_above(Cost most_net);
  CheapestSet descend(int depth, int first, Cost net, Subset members);
  CheapestSet last_member(int first, const Cost* joining, Cost net, Subset members);
  void keep(int first, const Cost* joining, Cost net, Subset members);
  [[nodiscard]] bool too_dear(int depth, int first, Cost net) const;

  int kind_;
  int size_;
  int n_;
  Cost alone_;                     // what the kind costs, net
  std::array<Row, 64> together_;   // [u][v]: what a pair costs that shares a group
  std::array<Row, 64> joining_{};  // [depth][vertex]: what joining the set would cost
  std::vector<CheapestSet> found_;
  std::uint64_t steps_ = 0;
  std::vector<Cost> half_company_;  // [(first * n + v) * size + i]: half of the cheapest i of first... with v
  Cost most_net_ = std::numeric_limits<Cost>::max();
  std::vector<CostedSet>* listed_ = nullptr;
  std::size_t most_sets_ = 0;
  const Deadline* deadline_ = nullptr;
  std::uint64_t n_asked_ = 0;
  std::uint64_t most_steps_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace corewise::proof
