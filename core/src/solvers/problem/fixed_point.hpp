/// Logarithms in whole numbers: the same acceptance of worse mappings on every compiler and processor.
#pragma once

#include <array>
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

/// The root of a number below 2^64, rounded down.
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

/// -ln of a uniform number in (0, 1), in units of 2^-12: what a temperature is multiplied by to get the
/// greatest increase that Metropolis accepts. Entry i stands for (i + 1/2) / 4096.
class MetropolisTable {
 public:
  constexpr MetropolisTable() {
    constexpr std::int64_t ln2 = 2977044472;  // ln 2 in units of 2^-32
    for (std::size_t i = 0; i < table_.size(); ++i) {
      const std::int64_t log2 = 13 * 65536 - log2_fixed(2 * i + 1);  // of 8192 / (2 i + 1), units of 2^-16
      table_[i] = static_cast<std::int32_t>((log2 * (ln2 >> 8)) >> 28);
    }
  }
  [[nodiscard]] std::int64_t operator[](std::uint64_t random_bits) const {
    return table_[random_bits & 4095];
  }

 private:
  std::array<std::int32_t, 4096> table_{};
};
inline constexpr int metropolis_shift = 12;

}  // namespace corewise
