/// The best two groups that share out a set, looked at all at once.
#pragma once

#include "solvers/problem/hop_instance.hpp"

namespace corewise::exact {

/// Greatest weight inside `size` members of a set and inside the others, together.
/// @param size  less than the set's; takes about a nanosecond for each way to choose them.
[[nodiscard]] Cost weight_inside_min_bisection(const HopInstance& instance, Subset set, int size);

}  // namespace corewise::exact
