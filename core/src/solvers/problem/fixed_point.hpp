/// Logarithms, powers and roots in fixed-point arithmetic: the same results on every compiler and processor.
#pragma once

#include <bit>
#include <cstdint>

namespace corewise {

/// log2(x) in units of 2^-16, x > 0: the fraction bit by bit, squaring the mantissa (Knuth, TAOCP 1.2.2,
/// exercise 25).
[[nodiscard]] constexpr std::int64_t log2_fixed(std::uint64_t x) {
  const int whole = std::bit_width(x) - 1;
  std::uint64_t mantissa = whole >= 31 ? x >> (whole - 31) : x << (31 - whole);  // [1, 2) in units of 2^-31
  std::int64_t result = whole;
  for (int bit = 0; bit < 16; ++bit) {
    mantissa = (mantissa * mantissa) >> 31;
    result *= 2;
    if (mantissa >> 32) {
      mantissa >>= 1;
      result += 1;
    }
  }
  return result;
}

/// The square root, rounded down.
[[nodiscard]] constexpr std::uint64_t integer_root(std::uint64_t x) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit > 0; bit >>= 1) {
    if ((root | bit) * (root | bit) <= x) root |= bit;
  }
  return root;
}

/// 2^x for x in units of 2^-16, rounded down to a whole number; 0 <= x < 62.
[[nodiscard]] constexpr std::int64_t exp2_fixed(std::int64_t x) {
  std::uint64_t mantissa = std::uint64_t{1} << 31;
  std::uint64_t root = std::uint64_t{1} << 32;  // 2^(2^-k) in units of 2^-31
  for (int bit = 15; bit >= 0; --bit) {
    root = integer_root(root << 31);
    if ((x >> bit) & 1) mantissa = (mantissa * root) >> 31;
  }
  const int whole = static_cast<int>(x >> 16);
  return static_cast<std::int64_t>(whole >= 31 ? mantissa << (whole - 31) : mantissa >> (31 - whole));
}

}  // namespace corewise
