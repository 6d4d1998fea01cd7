/// Bounds on the weight between groups, from the graph's eigenvalues.
#pragma once

#include <span>
#include <vector>

#include "solvers/problem/hop_instance.hpp"

namespace corewise::bounds {

/// Eigenvalues of a graph's Laplacian beside the 0 of the vector of ones.
struct Spectrum {
  std::vector<double> values;
  double doubt = 0;  ///< no eigenvalue is further off
};

/// @param weight  [u * n + v], symmetric, the diagonal ignored; negative weights are allowed.
[[nodiscard]] Spectrum laplacian_spectrum(int n, std::span<const double> weight);

/// Weight that any partition into groups of these sizes cuts at least.
///
/// The groups' indicator vectors over their lengths are orthonormal, so the cut is half the Laplacian's trace
/// on their span, each weighted by its group's size: at least the least eigenvalues, the largest group with
/// the least one. Source: Donath and Hoffman, IBM J. Res. Dev. 17 (1973). Tight for recursive doubling.
/// @param sizes  descending, adding up to the number of vertices.
[[nodiscard]] double least_cut(const Spectrum& spectrum, std::span<const int> sizes);
/// Weight that they cut at most.
[[nodiscard]] double most_cut(const Spectrum& spectrum, std::span<const int> sizes);

/// The same as least_cut() for the groups of a level, as a whole number.
[[nodiscard]] Cost least_cut(const HopInstance& instance, int level);

}  // namespace corewise::bounds
