/// LoadSearch: searches for a placement by the loads of its links.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solvers/problem/hop_instance.hpp"

namespace corewise::exact {

class LoadSearch {
 public:
  virtual ~LoadSearch() = default;
  /// Whether there is such a placement; absent where the limits don't suffice.
  [[nodiscard]] virtual std::optional<bool> find() = 0;
  /// After find(): what the children of an object hold, which holds `set` itself; one group for each child
  /// with places, or none where the placement is not known.
  [[nodiscard]] virtual std::vector<VertexGroup> divide(int class_id, Subset set) = 0;
  [[nodiscard]] virtual std::uint64_t steps() const = 0;
};

}  // namespace corewise::exact
