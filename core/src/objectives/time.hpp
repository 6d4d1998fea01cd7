/// The objective `time` with other figures than the machine's, to find the effect of an uncertain figure.
#pragma once

#include <span>
#include <vector>

#include "corewise/objective.hpp"

namespace corewise {

/// The figures of a level that `time` uses.
struct LinkCost {
  double latency_s = 0;
  double bandwidth_bytes_per_s = 0;
};

using LinkCosts = std::vector<LinkCost>;  ///< [level - 1], one for each level of the machine

/// The machine's own figures.
/// @throws Error(unsupported) for a machine without figures.
[[nodiscard]] LinkCosts costs_of(const Machine& machine);

/// The objective `time` in s, with each of `costs` in place of the machine's figures, [i]. The traffic is
/// summed up once for all of them.
/// @throws Error(size_mismatch) when traffic and placement differ in n.
[[nodiscard]] std::vector<double> times_with(const Traffic& traffic, const Machine& machine,
                                             std::span<const LinkCosts> costs, const Placement& placement);

}  // namespace corewise
