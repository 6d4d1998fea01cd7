/// Depth first, members ascending, the last two members in a tight loop.
#include "solvers/exact/min_bisection.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace corewise::exact {
namespace {

class MinBisection {
 public:
  MinBisection(const HopInstance& instance, Subset set, int size) : n_(std::popcount(set)), size_(size) {
    std::array<int, 64> vertex;
    int next = 0;
    for_each_vertex(set, [&](int v) { vertex[next++] = v; });
    for (int i = 0; i < n_; ++i) {
      vertex_cost_[0][i] = 0;
      for (int j = 0; j < n_; ++j) {
        const Cost weight = i == j ? 0 : instance.between(vertex[i], vertex[j]);
        twice_[i][j] = 2 * weight;
        vertex_cost_[0][i] -= weight;
        whole_ += weight;
      }
    }
    whole_ /= 2;
  }

  /// Moving a member over costs its weight to the set; each pair that moves keeps its own, which was counted
  /// at both ends.
  Cost greatest() {
    // Equal halves can be swapped: the first member moves.
    descend(0, 0, 2 * size_ == n_ ? 0 : n_ - size_, 0);
    return whole_ + best_;
  }

 private:
  void descend(int depth, int first, int last, Cost kept) {
    const auto& vertex_cost = vertex_cost_[depth];
    if (depth + 1 == size_) {
      for (int i = first; i <= last; ++i) best_ = std::max(best_, kept + vertex_cost[i]);
      return;
    }
    if (depth + 2 == size_) {
      for (int i = first; i <= last; ++i) {
        Cost most = std::numeric_limits<Cost>::min();
        for (int j = i + 1; j < n_; ++j) most = std::max(most, vertex_cost[j] + twice_[i][j]);
        best_ = std::max(best_, kept + vertex_cost[i] + most);
      }
      return;
    }
    auto& next = vertex_cost_[depth + 1];
    for (int i = first; i <= last; ++i) {
      for (int j = i + 1; j < n_; ++j) next[j] = vertex_cost[j] + twice_[i][j];
      descend(depth + 1, i + 1, n_ - (size_ - depth - 1), kept + vertex_cost[i]);
    }
  }

  int n_;
  int size_;
  Cost whole_ = 0;
  Cost best_ = std::numeric_limits<Cost>::min();
  std::array<std::array<Cost, 64>, 64> twice_;        // [i][j]: weight between members, twice
  std::array<std::array<Cost, 64>, 64> vertex_cost_;  // [depth][i]: what moving over adds
};

}  // namespace

Cost weight_inside_min_bisection(const HopInstance& instance, Subset set, int size) {
  return MinBisection(instance, set, std::min(size, std::popcount(set) - size)).greatest();
}

}  // namespace corewise::exact
