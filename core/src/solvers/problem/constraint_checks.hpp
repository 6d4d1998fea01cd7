/// Constraints against the machine, column by column, before anything is placed.
#pragma once

#include <string>

#include "corewise/solver.hpp"

namespace corewise {

/// @throws Error(size_mismatch) for a column of the wrong length, Error(bad_input) for a value that no
/// machine or
///         not this one can meet. What the ranks ask for together is left to make_places().
void check_columns(const MappingProblem& problem);

/// "core 3 of node 0": logical index on the node.
[[nodiscard]] std::string core_text(const Machine& machine, CoreIndex core);

}  // namespace corewise
