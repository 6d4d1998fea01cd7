/// Windows of a profile: the records of its files, and what each row counted in each window.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "traffic/profile_file.hpp"

namespace corewise {

/// Windows that a job keeps at most; neighbours are added up until there are no more.
inline constexpr std::size_t kMostWindows = 256;

/// The content of a chunk of kind WINDOWS, up to the first damaged record; `damaged` says that it ended
/// early.
struct DecodedWindows {
  FileWindows windows;
  bool damaged = false;
};
/// Nothing if the head itself is damaged.
[[nodiscard]] std::optional<DecodedWindows> decode_windows(Rank rank, std::uint32_t thread,
                                                           const cw_profile_windows& head,
                                                           std::span<const std::uint8_t> records);

/// What a row counted in one window.
struct RowShare {
  std::size_t row = 0;  ///< index into ProfileFile::rows
  std::uint64_t window = 0;
  std::int32_t region = 0;
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
};

/// The windows of a whole job: all files together know the coarsest level.
class WindowAssembly {
 public:
  explicit WindowAssembly(const std::vector<ProfileFile>& files);

  /// False if no file has windows, or their lengths contradict each other.
  [[nodiscard]] bool any() const { return window_ns_ > 0; }
  /// Length of a window of shares(), ns.
  [[nodiscard]] double length_ns() const;
  /// Every count of every row of `file`, in windows numbered since 1970. Rows of ranks without a record are
  /// left out.
  [[nodiscard]] std::vector<RowShare> shares(const ProfileFile& file) const;

 private:
  std::uint64_t window_ns_ = 0;
  std::uint32_t level_ = 0;
};

}  // namespace corewise
