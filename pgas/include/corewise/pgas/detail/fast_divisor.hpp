/// Fast division by a number that is used many times.
#pragma once

#include <cstddef>
#include <cstdint>

namespace corewise::pgas::detail {

/// Multiplies instead of dividing, because a division would cost more than an access to an array element.
/// With m = floor(2^64 / d) + 1, floor(n * m / 2^64) is the quotient or one more, if n * d < 2^64; a
/// comparison decides (Granlund and Montgomery, PLDI 1994).
class FastDivisor {
 public:
  FastDivisor() = default;

  /// @param divisor at least 1.
  explicit FastDivisor(std::size_t divisor)
      : divisor_(divisor), magic_(divisor == 1 ? 0 : ~std::uint64_t{0} / divisor + 1) {}

  [[nodiscard]] std::size_t divisor() const noexcept { return divisor_; }

  /// floor(n / divisor()), if n * divisor() < 2^64.
  [[nodiscard]] std::size_t quotient(std::size_t n) const noexcept {
    if (magic_ == 0) return n;
    __extension__ using Wide = unsigned __int128;
    const auto guess = static_cast<std::size_t>(Wide{n} * magic_ >> 64);
    return guess - static_cast<std::size_t>(guess * divisor_ > n);
  }

 private:
  std::size_t divisor_ = 1;
  std::uint64_t magic_ = 0;
};

}  // namespace corewise::pgas::detail
