/// Look: goes through all sets of a class's size at given duals.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "solvers/exact/duals.hpp"

namespace corewise::exact {

struct PricedSet {
  Cost reduced_cost = Pricing::kNoSet;  ///< cost beyond the duals
  Subset members = 0;                   ///< 0 where there is none
};

/// Depth first, members ascending, the last one in a tight loop.
class SubsetPricing {
 public:
  SubsetPricing(const SetPartitioning& partitioning, int class_id, const Duals& duals);

  /// [vertex]: the cheapest set that holds it.
  [[nodiscard]] std::vector<PricedSet> cheapest();
  /// The cheapest set of all, if its net cost is below zero, and of some vertices such sets that are nearly
  /// as cheap; branches without any are left out.
  [[nodiscard]] std::vector<PricedSet> overdrawn();
  /// Keeps every set of a net cost up to a limit.
  /// @return false where the limits don't suffice.
  bool list(const ListLimits& limits, std::vector<Column>& sets);

  /// Vertices let in so far.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  using Row = std::array<Cost, 64>;

  void run();
  void prune_above(Cost most_reduced_cost);
  PricedSet descend(int depth, int first, Cost reduced_cost, Subset members);
  PricedSet last_member(int first, const Cost* vertex_cost, Cost reduced_cost, Subset members);
  void keep(int first, const Cost* vertex_cost, Cost reduced_cost, Subset members);
  [[nodiscard]] bool exceeds_limit(int depth, int first, Cost reduced_cost) const;

  int class_id_;
  int size_;
  int n_;
  Cost alone_;                         // what the class costs, net
  std::array<Row, 64> together_;       // [u][v]: what a pair costs that shares a group
  std::array<Row, 64> vertex_cost_{};  // [depth][vertex]: what joining the set would cost
  std::vector<PricedSet> found_;
  std::uint64_t steps_ = 0;
  std::vector<Cost>
      half_incident_;  // [(first * n + v) * size + i]: half of the cheapest i of first... with v
  Cost most_reduced_cost_ = std::numeric_limits<Cost>::max();
  std::vector<Column>* listed_ = nullptr;
  std::size_t most_sets_ = 0;
  const Deadline* deadline_ = nullptr;
  std::uint64_t n_asked_ = 0;
  std::uint64_t most_steps_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace corewise::exact
