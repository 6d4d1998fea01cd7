/// Placement: the cores of each rank on a machine, stored in columns.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "corewise/index.hpp"
#include "corewise/machine.hpp"

namespace corewise {

/// Maps every rank to one or more cores. Ranks share a core only if oversubscription was requested.
class Placement {
 public:
  Placement() = default;
  /// One core for each rank.
  explicit Placement(std::vector<CoreIndex> core_of_rank);
  /// Several cores for some ranks: rank r has cores[cores_start[r]] to cores[cores_start[r + 1] - 1], all on
  /// one node.
  /// @throws Error(bad_input) when a rank has no core.
  Placement(std::vector<std::size_t> cores_start, std::vector<CoreIndex> cores);

  [[nodiscard]] std::int32_t n_ranks() const { return static_cast<std::int32_t>(core_of_rank_.size()); }
  /// The rank's first core, the only one that objectives use.
  [[nodiscard]] CoreIndex core(Rank rank) const { return core_of_rank_[raw(rank)]; }
  [[nodiscard]] std::span<const CoreIndex> core_of_rank() const { return core_of_rank_; }
  /// All cores of the rank, in logical order.
  [[nodiscard]] std::span<const CoreIndex> cores(Rank rank) const;
  [[nodiscard]] bool one_core_each() const { return cores_.empty(); }

  friend bool operator==(const Placement&, const Placement&) = default;

 private:
  std::vector<CoreIndex> core_of_rank_;
  std::vector<std::size_t> cores_start_;  ///< empty when every rank has one core
  std::vector<CoreIndex> cores_;
};

/// Checks that every core exists and that no core holds more ranks than its capacity.
/// @param core_capacity  [core] number of ranks that the core may take (0: forbidden); empty: 1 everywhere.
/// @throws Error(bad_input) naming the first rank and core that break the rule.
void validate(const Placement& placement, const Machine& machine,
              std::span<const std::int32_t> core_capacity);

}  // namespace corewise
