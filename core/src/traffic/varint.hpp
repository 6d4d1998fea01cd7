/// VarintReader: numbers in unsigned LEB128 and zigzag, as in windows and events (FORMATS.md, "Profile").
#pragma once

#include <cstdint>
#include <span>

namespace corewise {

/// After a number that is cut off or exceeds 64 bits, ok() is false and all further numbers are 0.
class VarintReader {
 public:
  explicit VarintReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return position_ == bytes_.size(); }

  std::uint64_t next() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; ok_ && shift < 64; shift += 7) {
      if (at_end()) break;
      const std::uint8_t byte = bytes_[position_++];
      if (shift == 63 && (byte & 0x7e) != 0) break;
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) return value;
    }
    ok_ = false;
    return 0;
  }

  std::int64_t next_signed() {
    const std::uint64_t value = next();
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t position_ = 0;
  bool ok_ = true;
};

}  // namespace corewise
