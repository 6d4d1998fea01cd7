/// Objectives: what a placement costs. Each is one row of the registry in src/objectives/registry.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "corewise/machine.hpp"
#include "corewise/objective_form.hpp"
#include "corewise/placement.hpp"
#include "corewise/traffic.hpp"

namespace corewise {

/// One number, or a list compared lexicographically. Lower is better for every objective.
struct Score {
  std::vector<double> values;
  friend auto operator<=>(const Score&, const Score&) = default;
};

/// One row of the table of objectives: all that the rest of corewise knows of one.
struct ObjectiveInfo {
  std::string_view name;
  std::string_view unit;
  std::string_view sentence;  ///< for `--list` and the docs
  std::string_view source;    ///< the paper or section that defines it
  bool is_list = false;       ///< lexicographic list, one value per level top down
  /// Defined only on machines whose levels all have latency and bandwidth.
  bool needs_figures = false;
  /// Compares placements that leave every rank on its node: solvers that optimise move ranks inside nodes
  /// alone.
  bool keeps_nodes = false;
  /// The score of a placement of all ranks.
  ///
  /// As many values for every placement, none of them negative. They depend on where in the machine's tree
  /// the ranks are and on nothing else of the placement: a score stays unchanged when the ranks of two equal
  /// subtrees of one parent change places. Proofs rely on that.
  /// @throws Error(size_mismatch) when traffic and placement differ in n; Error(unsupported) on a machine
  /// without the figures that it needs.
  Score (*evaluate)(const Traffic&, const Machine&, const Placement&) = nullptr;
  /// What solvers may rely on in addition to the value; null: NoForm. @throws Error(unsupported) as evaluate
  /// does.
  ObjectiveForm (*form)(const Machine&) = nullptr;
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
/// Where none is asked for: `time` on machines that have figures, else `hop-bytes`.
[[nodiscard]] const ObjectiveInfo& default_objective(const Machine& machine);

}  // namespace corewise
