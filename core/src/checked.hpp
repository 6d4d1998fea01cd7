/// Sums of bytes that must not wrap around.
#pragma once

#include <cstdint>

#include "corewise/error.hpp"

namespace corewise {

/// sum += factor * amount. @throws Error(bad_input) when the sum doesn't fit 64 bits.
inline void add_product(std::uint64_t& sum, std::uint64_t factor, std::uint64_t amount) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(factor, amount, &product) || __builtin_add_overflow(sum, product, &sum)) {
    throw Error(
        ErrorCode::bad_input,
        "the objective exceeds 2^64; expected less: divide all bytes, repeats or distances by a constant");
  }
}

}  // namespace corewise
