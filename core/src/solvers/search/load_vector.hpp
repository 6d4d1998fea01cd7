/// LoadVector: loads that change one at a time, with their sum, the sum of their squares and their maximum.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "solvers/problem/slot_tree.hpp"

namespace corewise::search {

/// Keeps the maximum of each block of loads, and searches a block again only if its greatest load has fallen.
class LoadVector {
 public:
  explicit LoadVector(std::size_t n_loads)
      : loads_(n_loads, 0), block_max_(n_loads / block_size + 1, 0), stale_(block_max_.size(), 0) {}

  void add(std::size_t i, Cost change) {
    Cost& load = loads_[i];
    const std::size_t block = i / block_size;
    squares_ += (2 * load + change) * change;
    sum_ += change;
    if (change < 0 && load == block_max_[block]) stale_[block] = 1;
    load += change;
    if (load > block_max_[block]) block_max_[block] = load;
  }

  [[nodiscard]] Cost sum() const { return sum_; }
  [[nodiscard]] Cost squares() const { return squares_; }
  /// 0 if all loads are negative or there are none.
  [[nodiscard]] Cost max() {
    Cost greatest = 0;
    for (std::size_t block = 0; block < block_max_.size(); ++block) {
      if (stale_[block]) recompute_max(block);
      greatest = std::max(greatest, block_max_[block]);
    }
    return greatest;
  }

 private:
  static constexpr std::size_t block_size = 64;
  void recompute_max(std::size_t block) {
    const auto first = loads_.begin() + static_cast<std::ptrdiff_t>(block * block_size);
    const std::size_t size = std::min(block_size, loads_.size() - block * block_size);
    Cost greatest = 0;
    for (std::size_t i = 0; i < size; ++i)
      greatest = std::max(greatest, first[static_cast<std::ptrdiff_t>(i)]);
    block_max_[block] = greatest;
    stale_[block] = 0;
  }

  std::vector<Cost> loads_;
  std::vector<Cost> block_max_;  ///< may be too high in stale blocks
  std::vector<std::uint8_t> stale_;
  Cost sum_ = 0;
  Cost squares_ = 0;
};

}  // namespace corewise::search
