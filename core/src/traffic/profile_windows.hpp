/// Windows of a profile: decodes their records, and divides the counts of each row among the windows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "traffic/profile_file.hpp"

namespace corewise {

/// Greatest number of windows of a job. If there are more, pairs of neighbours are added up, repeatedly.
inline constexpr std::size_t kMostWindows = 256;

struct DecodedWindows {
  FileWindows windows;
  bool damaged = false;  ///< a damaged record ended the decoding early
};
/// Decodes a chunk of kind WINDOWS up to the first damaged record; empty if its head is damaged.
/// @param records  the bytes after `head`.
[[nodiscard]] std::optional<DecodedWindows> decode_windows(Rank rank, std::uint32_t thread,
                                                           const cw_profile_windows& head,
                                                           std::span<const std::uint8_t> records);

/// The part of a row's counts that belongs to one window.
struct RowShare {
  std::size_t row = 0;  ///< index into ProfileFile::rows
  std::uint64_t window = 0;
  std::int32_t region = 0;
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
};

/// The windows of a whole job. They have the length of the longest windows in any of its files.
class WindowAssembly {
 public:
  explicit WindowAssembly(const std::vector<ProfileFile>& files);

  /// False if no file has windows, or their lengths contradict each other.
  [[nodiscard]] bool any() const { return window_ns_ > 0; }
  /// Length of a window of shares(), ns.
  [[nodiscard]] double length_ns() const;
  /// Divides all counts of `file` among windows, numbered from 1970. Ranks without a record are left out.
  [[nodiscard]] std::vector<RowShare> shares(const ProfileFile& file) const;

 private:
  std::uint64_t window_ns_ = 0;
  std::uint32_t level_ = 0;
};

}  // namespace corewise
