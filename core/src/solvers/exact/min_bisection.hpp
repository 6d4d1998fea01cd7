/// Minimum bisection of a small set by enumeration.
#pragma once

#include "solvers/problem/tree_instance.hpp"

namespace corewise::exact {

/// Greatest weight inside both parts together when a set is divided into `size` members and the others: the
/// set's weight less its minimum cut into parts of these sizes.
/// @param size  less than the set's. Takes about a nanosecond for each way to choose the part.
[[nodiscard]] Cost weight_inside_min_bisection(const TreeInstance& instance, Subset set, int size);

}  // namespace corewise::exact
