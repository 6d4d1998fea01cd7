/// SubsetTable: a fast map from sets to costs, an open-addressing hash table in one array.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "solvers/problem/hop_instance.hpp"

namespace corewise::exact {

class SubsetTable {
 public:
  /// @param set  not empty.
  /// @return the set's cost, valid until the next put(); null if the set isn't in the table.
  [[nodiscard]] const Cost* find(Subset set) const {
    if (entries_.empty()) return nullptr;
    const Entry& entry = entries_[slot_of(set)];
    return entry.set == 0 ? nullptr : &entry.cost;
  }

  /// Adds the set or replaces its cost.
  void put(Subset set, Cost cost) {
    if (2 * (n_sets_ + 1) > entries_.size()) grow();
    Entry& entry = entries_[slot_of(set)];
    n_sets_ += entry.set == 0;
    entry = {set, cost};
  }

  [[nodiscard]] std::size_t size() const { return n_sets_; }

 private:
  struct Entry {
    Subset set = 0;
    Cost cost = 0;
  };

  /// The index of the set's entry, or of the free entry that it would take.
  [[nodiscard]] std::size_t slot_of(Subset set) const {
    // Fibonacci hashing: the product's high bits depend on all members (Knuth, volume 3, section 6.4).
    std::size_t slot = (set * 0x9E3779B97F4A7C15) >> shift_;
    while (entries_[slot].set != 0 && entries_[slot].set != set) slot = (slot + 1) & (entries_.size() - 1);
    return slot;
  }

  void grow() {
    const std::vector<Entry> old =
        std::exchange(entries_, std::vector<Entry>(entries_.empty() ? 64 : 2 * entries_.size()));
    shift_ = 64 - std::countr_zero(entries_.size());
    for (const Entry& entry : old) {
      if (entry.set != 0) entries_[slot_of(entry.set)] = entry;
    }
  }

  std::vector<Entry> entries_;  ///< their number is a power of two; at least half of them are free
  std::size_t n_sets_ = 0;
  int shift_ = 0;  ///< 64 minus log2 of the number of entries
};

}  // namespace corewise::exact
