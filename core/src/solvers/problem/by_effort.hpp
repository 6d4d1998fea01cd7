/// ByEffort: a figure that depends on how much effort is asked for.
#pragma once

#include "corewise/solver.hpp"

namespace corewise {

template <typename Value>
struct ByEffort {
  Value fast;
  Value standard;
  Value strong;

  [[nodiscard]] constexpr const Value& operator[](Effort effort) const {
    if (effort == Effort::fast) return fast;
    return effort == Effort::standard ? standard : strong;
  }
};

}  // namespace corewise
