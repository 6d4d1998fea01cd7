/// A lower bound on the weight between equal groups, from the graph's eigenvalues.
#pragma once

#include "solvers/proof/hop_instance.hpp"

namespace corewise::proof {

/// Weight that any partition into groups of `size` vertices cuts at least; negative weights are allowed.
///
/// The groups' indicator vectors over sqrt(size) are orthonormal and span the ones vector, so the cut is size
/// / 2 times the Laplacian's trace on their span: at least that of the least eigenvalues beside the ones
/// vector's own 0. Source: Donath and Hoffman, IBM J. Res. Dev. 17 (1973). Tight for recursive doubling.
[[nodiscard]] Cost least_cut(const HopInstance& instance, int size);

}  // namespace corewise::proof
