/// PlaceAllocator: a machine's cores cut into places, each inside the lowest object that has room for it.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/constraints.hpp"
#include "corewise/machine.hpp"
#include "solvers/problem/places.hpp"

namespace corewise {

class PlaceAllocator {
 public:
  /// @param capacity  [core] ranks it may take; cores of capacity 0 go into no place.
  PlaceAllocator(const Machine& machine, std::vector<std::int32_t> capacity);

  /// Cores of the node that are in no place yet.
  [[nodiscard]] std::int32_t n_free(NodeIndex node) const;

  /// Whether a place of `width` cores can begin here: the first core that is missing, or kAnyCore.
  [[nodiscard]] CoreIndex missing_for(CoreIndex first, std::int32_t width) const;
  /// The place of `width` cores that begins here; missing_for() must have said kAnyCore.
  void take(CoreIndex first, std::int32_t width);

  /// Up to `most` places of `width` cores of a node, each inside one object of `level`.
  /// @return their first cores.
  std::vector<CoreIndex> cut(NodeIndex node, int level, std::int32_t width, std::int32_t most);

  /// Ranks that the places of a node take together.
  [[nodiscard]] std::int64_t room(NodeIndex node) const { return room_[raw(node)]; }

  /// All places made so far. A place takes as many ranks as each of its cores does.
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
