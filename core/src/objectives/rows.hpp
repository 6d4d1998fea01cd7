/// The functions that the rows of registry.cpp point to.
#pragma once

#include "corewise/objective.hpp"

namespace corewise {

[[nodiscard]] Score evaluate_congestion(const Traffic& traffic, const Machine& machine,
                                        const Placement& placement);
[[nodiscard]] Score evaluate_hop_bytes(const Traffic& traffic, const Machine& machine,
                                       const Placement& placement);
[[nodiscard]] Score evaluate_link_load(const Traffic& traffic, const Machine& machine,
                                       const Placement& placement);
[[nodiscard]] Score evaluate_time(const Traffic& traffic, const Machine& machine, const Placement& placement);

[[nodiscard]] ObjectiveForm form_of_congestion(const Machine& machine);
[[nodiscard]] ObjectiveForm form_of_hop_bytes(const Machine& machine);
[[nodiscard]] ObjectiveForm form_of_link_load(const Machine& machine);
[[nodiscard]] ObjectiveForm form_of_time(const Machine& machine);

/// Greatest load of each class of links from `top_level` down to class 2, summed over all phases and repeats.
[[nodiscard]] Score greatest_loads(const Traffic& traffic, const Machine& machine, const Placement& placement,
                                   int top_level);

}  // namespace corewise
