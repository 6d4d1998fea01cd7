/// Spectral bounds: bounds on the weight between groups, from the eigenvalues of the graph's Laplacian.
#pragma once

#include <span>
#include <vector>

namespace corewise::bounds {

/// Eigenvalues of a graph's Laplacian, without the 0 whose eigenvector is all ones.
struct Spectrum {
  std::vector<double> values;
  double error = 0;  ///< limit on the error of each value
};

/// @param weight  [u * n + v], symmetric, the diagonal ignored; negative weights are allowed.
[[nodiscard]] Spectrum laplacian_spectrum(int n, std::span<const double> weight);

/// Lower bound on the weight that a partition into groups of these sizes cuts.
///
/// The normalised indicator vectors of the groups are orthonormal. The cut is half the Laplacian's trace on
/// their span, each vector weighted by its group's size. So it is at least half the sum of sizes times least
/// eigenvalues, with the least eigenvalue for the largest group. Source: Donath and Hoffman, IBM J. Res. Dev.
/// 17 (1973). Tight for recursive doubling.
/// @param sizes  descending, adding up to the number of vertices.
[[nodiscard]] double least_cut(const Spectrum& spectrum, std::span<const int> sizes);
/// Upper bound on the weight that such a partition cuts.
[[nodiscard]] double most_cut(const Spectrum& spectrum, std::span<const int> sizes);

}  // namespace corewise::bounds
