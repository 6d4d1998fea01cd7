/// A bound on hop-bytes for any machine and any number of ranks, from every rank's own partners alone.
#pragma once

#include <cstdint>

#include "corewise/solver.hpp"

namespace corewise::proof {

/// Each rank has its heaviest partners as near as the machine has cores (as far, for the worst), whatever the
/// others need. Gilmore 1962 and Lawler 1963 bound quadratic assignments so.
/// @return no placement has fewer hop-bytes (more, for the worst).
[[nodiscard]] std::uint64_t degree_bound(const MappingProblem& problem);

}  // namespace corewise::proof
