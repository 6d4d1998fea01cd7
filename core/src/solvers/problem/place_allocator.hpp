/// PlaceAllocator: divides the cores of a machine into places (places.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/constraints.hpp"
#include "corewise/machine.hpp"
#include "solvers/problem/places.hpp"

namespace corewise {

class PlaceAllocator {
 public:
  /// @param capacity  [core] number of ranks it may take; cores of capacity 0 are in no place.
  PlaceAllocator(const Machine& machine, std::vector<std::int32_t> capacity);

  /// Cores of the node that are in no place yet.
  [[nodiscard]] std::int32_t n_free(NodeIndex node) const;

  /// The first core that prevents a place of `width` cores from `first` on: forbidden, in another place, or
  /// not on the node. kAnyCore if none does.
  [[nodiscard]] CoreIndex missing_for(CoreIndex first, std::int32_t width) const;
  /// Makes the place of `width` cores from `first` on.
  /// @pre missing_for(first, width) is kAnyCore.
  void take(CoreIndex first, std::int32_t width);

  /// Makes up to `most` places of `width` cores on a node, each inside one object of `level`.
  /// @return their first cores.
  std::vector<CoreIndex> cut(NodeIndex node, int level, std::int32_t width, std::int32_t most);

  /// Number of ranks that the places of a node take together.
  [[nodiscard]] std::int64_t room(NodeIndex node) const { return room_[raw(node)]; }

  /// All places made so far. The capacity of a place is the lowest of its cores' capacities.
  [[nodiscard]] Places places() const;

 private:
  [[nodiscard]] std::int32_t capacity_of(const std::vector<CoreIndex>& place) const;
  void add_place(std::vector<CoreIndex> cores);
  [[nodiscard]] std::vector<CoreIndex> free_cores(NodeIndex node) const;

  const Machine& machine_;
  std::vector<std::int32_t> capacity_;
  std::vector<std::int64_t> room_;                      ///< [node]
  std::vector<std::uint8_t> taken_;                     ///< [core] is in a place
  std::vector<std::vector<CoreIndex>> place_of_first_;  ///< [core]; empty where no place begins
};

}  // namespace corewise
