/// Spectral bounds: the weight between groups from the eigenvalues of the graph's Laplacian.
#pragma once

#include <span>
#include <vector>

#include "solvers/problem/tree_instance.hpp"

namespace corewise::bounds {

/// Eigenvalues of a graph's Laplacian but the zero whose eigenvector is all ones.
struct Spectrum {
  std::vector<double> values;
  double error = 0;  ///< no eigenvalue is further off
};

/// @param weight  [u * n + v], symmetric, the diagonal ignored; negative weights are allowed.
[[nodiscard]] Spectrum laplacian_spectrum(int n, std::span<const double> weight);

/// Lower bound on the weight that a partition into groups of these sizes cuts.
///
/// The groups' normalised indicator vectors are orthonormal, so the cut is half the Laplacian's trace on
/// their span, each vector weighted by its group's size: no less than with the least eigenvalues, the least
/// one for the largest group. Source: Donath and Hoffman, IBM J. Res. Dev. 17 (1973). Tight for recursive
/// doubling.
/// @param sizes  descending, adding up to the number of vertices.
[[nodiscard]] double least_cut(const Spectrum& spectrum, std::span<const int> sizes);
/// Upper bound of the same.
[[nodiscard]] double most_cut(const Spectrum& spectrum, std::span<const int> sizes);

/// The same lower bound for the groups of a level, as a whole number.
[[nodiscard]] Cost least_cut(const TreeInstance& instance, int level);

}  // namespace corewise::bounds
