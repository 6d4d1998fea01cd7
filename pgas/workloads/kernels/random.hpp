/// Random numbers by position: number k of a stream is computed without the numbers before it. So generated
/// input does not depend on the number of processes and threads that generate it.
#pragma once

#include <cstdint>

namespace corewise::workloads {

/// A stream of 64-bit numbers. Source: splitmix64 (Steele, Lea and Flood, OOPSLA 2014), whose k-th output is
/// a function of seed and k alone.
class Stream {
 public:
  explicit constexpr Stream(std::uint64_t seed) : seed_(mixed(seed + golden)) {}

  /// Number k: 64 random bits.
  [[nodiscard]] constexpr std::uint64_t bits(std::uint64_t k) const {
    return mixed(seed_ + (k + 1) * golden);
  }

  /// Uniform in [0, 1), 53 bits.
  [[nodiscard]] constexpr double unit(std::uint64_t k) const {
    return static_cast<double>(bits(k) >> 11) * 0x1.0p-53;
  }

 private:
  static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;

  static constexpr std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }

  std::uint64_t seed_;
};

}  // namespace corewise::workloads
