/// Objectives: scores of a placement. Each is one row of src/objectives/registry.cpp.
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

/// One row of the table of objectives. The rest of corewise uses objectives only through their rows.
struct ObjectiveInfo {
  std::string_view name;
  std::string_view unit;
  std::string_view sentence;  ///< for `--list` and the docs
  std::string_view source;    ///< the paper or section that defines it
  bool is_list = false;       ///< the score is a lexicographic list, one value per link class, highest first
  /// Defined only on machines whose levels all have latency and bandwidth.
  bool needs_figures = false;
  /// Compares only placements that leave every rank on its node, so optimising solvers move ranks only within
  /// nodes.
  bool keeps_nodes = false;
  /// Scores a placement of all ranks. Every placement has the same number of values, none of them negative.
  ///
  /// The score may depend only on where in the machine's tree the ranks are. It must not change when two
  /// equal subtrees of one parent exchange their ranks, because proofs rely on this symmetry.
  /// @throws Error(size_mismatch) when traffic and placement differ in n; Error(unsupported) on a machine
  /// without the figures that the objective needs.
  Score (*evaluate)(const Traffic&, const Machine&, const Placement&) = nullptr;
  /// The objective's formula, for solvers. @throws Error(unsupported) as evaluate does.
  ObjectiveForm (*form)(const Machine&) = nullptr;
};

/// Bytes over every link, both directions added: [k - 1][g] is the link of class k that connects object g of
/// level k - 1 to its parent. Every message counts on each link of its path.
using LinkLoads = std::vector<std::vector<std::uint64_t>>;

/// @param up_to_level  pairs that meet above this level are left out, and links above it have load 0. Use
///                     `node_level()` for traffic inside nodes only, `n_levels()` for all traffic.
/// @throws Error(size_mismatch) when graph and placement differ in n.
[[nodiscard]] LinkLoads link_loads(const PairGraph& graph, const Machine& machine, const Placement& placement,
                                   int up_to_level);

/// All objectives, sorted by name.
[[nodiscard]] std::span<const ObjectiveInfo> objectives();
/// @throws Error(bad_input) naming the nearest objective.
[[nodiscard]] const ObjectiveInfo& objective(std::string_view name);
/// The objective if the user names none: `time` on machines that have figures, else `hop-bytes`.
[[nodiscard]] const ObjectiveInfo& default_objective(const Machine& machine);

}  // namespace corewise
