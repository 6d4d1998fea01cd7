/// LoadSearch: interface of searches for a placement with given limits on its link loads.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solvers/problem/hop_instance.hpp"

namespace corewise::exact {

class LoadSearch {
 public:
  virtual ~LoadSearch() = default;
  /// Whether there is such a placement; empty if the limits on work ran out.
  [[nodiscard]] virtual std::optional<bool> find() = 0;
  /// After find(): divides `set`, the vertices of an object, among its children as in the placement found.
  /// One group for each child with places; empty if the placement is not known.
  [[nodiscard]] virtual std::vector<VertexGroup> divide(int class_id, Subset set) = 0;
  [[nodiscard]] virtual std::uint64_t steps() const = 0;
};

}  // namespace corewise::exact
