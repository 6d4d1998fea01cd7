/// Objectives: what a placement costs. Each is one row of the registry in src/objectives/registry.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "corewise/machine.hpp"
#include "corewise/placement.hpp"
#include "corewise/traffic.hpp"

namespace corewise {

/// One number, or a list compared lexicographically. Lower is better for every objective.
struct Score {
  std::vector<double> values;
  friend auto operator<=>(const Score&, const Score&) = default;
};

/// One row of the table of objectives.
struct ObjectiveInfo {
  std::string_view name;
  std::string_view unit;
  std::string_view sentence;  ///< for `--list` and the docs
  std::string_view source;    ///< the paper or section that defines it
  bool is_list;               ///< lexicographic list, one value per level top down
  Score (*evaluate)(const Traffic&, const Machine&, const Placement&);
};

/// Bytes over every link, both directions summed: [k - 1][g] is the link of class k that joins object g of
/// level k - 1 to its parent. Every message counts on each link of its path.
using LinkLoads = std::vector<std::vector<std::uint64_t>>;

/// @param up_to_level  pairs that meet above it are left out: `node_level()` for traffic inside nodes only,
///                     `n_levels()` for all of it. Links above it stay empty.
/// @throws Error(size_mismatch) when graph and placement differ in n.
[[nodiscard]] LinkLoads link_loads(const PairGraph& graph, const Machine& machine, const Placement& placement,
                                   int up_to_level);

/// All objectives, sorted by name.
[[nodiscard]] std::span<const ObjectiveInfo> objectives();
/// @throws Error(bad_input) naming the nearest objective.
[[nodiscard]] const ObjectiveInfo& objective(std::string_view name);

}  // namespace corewise
