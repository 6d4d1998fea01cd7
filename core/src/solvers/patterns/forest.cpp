/// Forest: a dynamic programme over subtrees, one value for each size of the part that contains the root.
#include "solvers/patterns/forest.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace corewise::patterns {
namespace {

/// [j] least weight cut in a subtree if j + 1 of its vertices are in the same part as its root.
using CutBySize = std::vector<Cost>;

/// The table of a root after a child is added, to which it has a pair of this weight.
CutBySize with_child(const CutBySize& root, const CutBySize& child, Cost weight, std::int64_t most) {
  const std::int64_t all = std::min(most, std::ssize(root) + std::ssize(child));
  CutBySize joined(all, std::numeric_limits<Cost>::max());
  const Cost apart = weight + std::ranges::min(child);
  for (std::int64_t i = 0; i < std::ssize(root); ++i) {
    joined[i] = std::min(joined[i], root[i] + apart);
    for (std::int64_t j = 0; j < std::ssize(child) && i + j + 1 < all; ++j) {
      joined[i + j + 1] = std::min(joined[i + j + 1], root[i] + child[j]);
    }
  }
  return joined;
}

}  // namespace

std::optional<Forest> Forest::from_pairs(std::int32_t n, const std::vector<ForestPair>& pairs) {
  if (std::ssize(pairs) >= n) return std::nullopt;
  std::vector<std::vector<std::pair<std::int32_t, Cost>>> partners(n);
  Forest forest;
  for (const auto& [a, b, weight] : pairs) {
    partners[a].emplace_back(b, weight);
    partners[b].emplace_back(a, weight);
    forest.weights_.push_back(weight);
  }
  std::ranges::sort(forest.weights_);
  std::vector<bool> seen(n, false);
  std::size_t n_pairs = 0;
  for (std::int32_t root = 0; root < n; ++root) {
    if (seen[root]) continue;
    seen[root] = true;
    forest.order_.push_back({root, -1, 0});
    for (std::size_t next = forest.order_.size() - 1; next < forest.order_.size(); ++next) {
      const std::int32_t at = forest.order_[next].id;
      for (const auto& [to, weight] : partners[at]) {
        if (seen[to]) continue;
        seen[to] = true;
        ++n_pairs;
        forest.order_.push_back({to, at, weight});
      }
    }
  }
  if (n_pairs != pairs.size()) return std::nullopt;
  return forest;
}

Cost Forest::least_cut(std::int64_t most) const {
  std::vector<CutBySize> tables(order_.size(), CutBySize{0});
  Cost sum = 0;
  for (std::size_t i = order_.size(); i-- > 0;) {
    const auto& [id, parent, weight] = order_[i];
    const CutBySize table = std::move(tables[id]);
    if (parent == -1) {
      sum += std::ranges::min(table);
    } else {
      tables[parent] = with_child(tables[parent], table, weight, most);
    }
  }
  return sum;
}

Cost Forest::least_between(std::int64_t n_groups) const {
  const std::int64_t kept = std::ssize(order_) - n_groups;
  const std::int64_t n_cut = std::max<std::int64_t>(0, std::ssize(weights_) - kept);
  return std::accumulate(weights_.begin(), weights_.begin() + n_cut, Cost{0});
}

}  // namespace corewise::patterns
