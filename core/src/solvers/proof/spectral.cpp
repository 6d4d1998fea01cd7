/// Jacobi's eigenvalue method, rounded to the safe side.
#include "solvers/proof/spectral.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace corewise::proof {
namespace {

constexpr int kMostSweeps = 60;

class SymmetricMatrix {
 public:
  explicit SymmetricMatrix(int n) : n_(n), value_(static_cast<std::size_t>(n) * n, 0.0) {}
  double& at(int i, int j) { return value_[static_cast<std::size_t>(i) * n_ + j]; }

  /// Turns the matrix until nothing is left beside the diagonal.
  /// @return what is left there: by Weyl's inequality no eigenvalue is further from its diagonal entry.
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

}  // namespace

Cost least_cut(const HopInstance& instance, int size) {
  const int n = instance.n;
  SymmetricMatrix laplacian(n);
  double largest = 0;
  for (int u = 0; u < n; ++u) {
    for (int v = 0; v < n; ++v) {
      const auto weight = static_cast<double>(instance.between(u, v));
      laplacian.at(u, v) -= weight;
      laplacian.at(u, u) += weight;
    }
    largest = std::max(largest, std::abs(laplacian.at(u, u)));
  }
  // Rotations round: 1e-9 of the largest entry is far more than n^2 of them lose.
  const double doubt = laplacian.diagonalise() + 1e-9 * largest;
  std::vector<double> eigenvalues;
  for (int v = 0; v < n; ++v) eigenvalues.push_back(laplacian.at(v, v));
  std::ranges::sort(eigenvalues, {}, [](double value) { return std::abs(value); });
  eigenvalues.erase(eigenvalues.begin());  // the ones vector's own
  std::ranges::sort(eigenvalues);
  double sum = 0;
  for (int i = 0; i + 1 < n / size; ++i) sum += eigenvalues[i] - 2 * doubt;
  return static_cast<Cost>(std::ceil(size * sum / 2 - 1e-6));
}

}  // namespace corewise::proof
