/// Cost: sums of bytes times distances, in whole numbers.
#pragma once

#include <cstdint>

namespace corewise {

using Cost = std::int64_t;

/// The quotient, rounded towards minus infinity. @pre the divisor is positive.
[[nodiscard]] constexpr Cost floor_divide(Cost dividend, Cost divisor) {
  return dividend >= 0 ? dividend / divisor : -((divisor - 1 - dividend) / divisor);
}

}  // namespace corewise
