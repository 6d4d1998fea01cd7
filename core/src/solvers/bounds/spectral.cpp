/// Spectral bounds: Jacobi's eigenvalue method, with a bound on its error.
#include "solvers/bounds/spectral.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace corewise::bounds {
namespace {

constexpr int kMostSweeps = 60;

class SymmetricMatrix {
 public:
  explicit SymmetricMatrix(int n) : n_(n), value_(static_cast<std::size_t>(n) * n, 0.0) {}
  double& at(int i, int j) { return value_[static_cast<std::size_t>(i) * n_ + j]; }

  /// Rotates the matrix until it is diagonal except for rounding.
  /// @return the norm of the off-diagonal entries, which limits the error of each eigenvalue (Weyl's
  /// inequality).
  double diagonalise() {
    double left = off_diagonal();
    for (int sweep = 0; sweep < kMostSweeps && left > 0; ++sweep) {
      for (int i = 0; i < n_; ++i) {
        for (int j = i + 1; j < n_; ++j) rotate(i, j);
      }
      const double now = off_diagonal();
      if (now >= left) return now;
      left = now;
    }
    return left;
  }

 private:
  double off_diagonal() {
    double sum = 0;
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < n_; ++j) sum += i == j ? 0 : at(i, j) * at(i, j);
    }
    return std::sqrt(sum);
  }

  void rotate(int p, int q) {
    if (at(p, q) == 0) return;
    const double theta = (at(q, q) - at(p, p)) / (2 * at(p, q));
    const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
    const double c = 1 / std::sqrt(t * t + 1);
    const double s = t * c;
    for (int k = 0; k < n_; ++k) {
      const double kp = at(k, p);
      const double kq = at(k, q);
      at(k, p) = c * kp - s * kq;
      at(k, q) = s * kp + c * kq;
    }
    for (int k = 0; k < n_; ++k) {
      const double pk = at(p, k);
      const double qk = at(q, k);
      at(p, k) = c * pk - s * qk;
      at(q, k) = s * pk + c * qk;
    }
  }

  int n_;
  std::vector<double> value_;
};

/// Half the sum of sizes times eigenvalues. The span of the groups' vectors contains the all-ones vector. If
/// all groups have equal size, any basis of the span gives the same sum, so its eigenvalue 0 counts exactly
/// once. Otherwise 0 is sorted like the other eigenvalues.
/// @param values  without the eigenvalue 0 of the all-ones vector.
template <typename Order>
double half_trace(std::span<const int> sizes, std::vector<double> values, double error, Order order) {
  const bool equal = sizes.front() == sizes.back();
  if (!equal) values.push_back(0);
  std::ranges::sort(values, order);
  double sum = 0;
  for (std::size_t i = equal ? 1 : 0; i < sizes.size(); ++i) {
    sum += sizes[i] * (values[equal ? i - 1 : i] + error);
  }
  return sum / 2;
}

}  // namespace

Spectrum laplacian_spectrum(int n, std::span<const double> weight) {
  SymmetricMatrix laplacian(n);
  double largest = 0;
  for (int u = 0; u < n; ++u) {
    for (int v = 0; v < n; ++v) {
      if (u == v) continue;
      const double between = weight[static_cast<std::size_t>(u) * n + v];
      laplacian.at(u, v) -= between;
      laplacian.at(u, u) += between;
    }
    largest = std::max(largest, std::abs(laplacian.at(u, u)));
  }
  Spectrum spectrum;
  // 1e-9 of the largest entry is far more than the rounding errors of n^2 rotations.
  spectrum.error = 2 * (laplacian.diagonalise() + 1e-9 * largest);
  for (int v = 0; v < n; ++v) spectrum.values.push_back(laplacian.at(v, v));
  std::ranges::sort(spectrum.values, {}, [](double value) { return std::abs(value); });
  spectrum.values.erase(spectrum.values.begin());  // the 0 of the all-ones vector
  return spectrum;
}

double least_cut(const Spectrum& spectrum, std::span<const int> sizes) {
  return half_trace(sizes, spectrum.values, -spectrum.error, std::less{});
}

double most_cut(const Spectrum& spectrum, std::span<const int> sizes) {
  return half_trace(sizes, spectrum.values, spectrum.error, std::greater{});
}

}  // namespace corewise::bounds
