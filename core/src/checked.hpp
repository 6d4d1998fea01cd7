/// Checks that several objectives share: overflow of sums, and inputs of different sizes.
#pragma once

#include <cstdint>

#include "corewise/error.hpp"
#include "text.hpp"

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

/// @throws Error(size_mismatch) unless traffic and placement have the same number of ranks.
inline void require_same_ranks(std::int32_t of_traffic, std::int32_t of_placement) {
  if (of_traffic != of_placement) {
    throw Error(ErrorCode::size_mismatch, concat("traffic of ", of_traffic, " ranks and a placement of ",
                                                 of_placement, "; expected the same number"));
  }
}

}  // namespace corewise
