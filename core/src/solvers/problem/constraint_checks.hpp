/// Checks of single columns of the constraints.
#pragma once

#include <string>

#include "corewise/solver.hpp"

namespace corewise {

/// Checks each column against the traffic and the machine, but not if there is room for all ranks.
/// @throws Error(size_mismatch) for a column of the wrong length, Error(bad_input) for an invalid value.
void check_columns(const MappingProblem& problem);

/// "core 3 of node 0": logical index on the node.
[[nodiscard]] std::string core_text(const Machine& machine, CoreIndex core);

}  // namespace corewise
