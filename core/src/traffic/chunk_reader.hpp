/// ChunkReader: reads header and chunks of a profile's file, one chunk at a time to save memory.
#pragma once

#include <corewise_formats/profile.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace corewise {

/// The bytes of a chunk. The caller checks bounds with size().
class Content {
 public:
  Content() = default;
  explicit Content(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }
  /// @pre offset + sizeof(Value) <= size()
  template <typename Value>
  [[nodiscard]] Value at(std::uint64_t offset) const {
    Value value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  /// @pre offset <= size()
  [[nodiscard]] std::span<const std::uint8_t> from(std::uint64_t offset) const {
    return bytes_.subspan(offset);
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

enum class ChunkFound {
  whole,    ///< a chunk of any kind; its content can be read
  damaged,  ///< the chunk has an impossible size
  end,      ///< the end of the file, perhaps inside a chunk
};

class ChunkReader {
 public:
  /// Opens the file and reads its header and table of calls.
  /// @throws Error(bad_input) for a file that is unreadable, no profile, newer, or has a damaged header.
  explicit ChunkReader(std::string path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const cw_profile_header& header() const { return header_; }
  [[nodiscard]] const std::vector<cw_profile_call>& calls() const { return calls_; }
  [[nodiscard]] std::uint64_t file_bytes() const { return file_bytes_; }

  /// Goes to the next chunk.
  [[nodiscard]] ChunkFound next();
  /// The head of the chunk; `bytes` is the distance to the next chunk.
  [[nodiscard]] const cw_profile_chunk& chunk() const { return chunk_; }
  /// The bytes after the head, valid until next(). Reads them from the file at the first call.
  [[nodiscard]] Content content();

 private:
  void check_header() const;
  [[nodiscard]] std::uint64_t read(std::uint64_t offset, void* target, std::uint64_t n);
  [[noreturn]] void refuse(const std::string& why) const;

  std::string path_;
  std::ifstream in_;
  std::uint64_t file_bytes_ = 0;
  cw_profile_header header_{};
  std::vector<cw_profile_call> calls_;
  std::uint64_t at_ = 0;       ///< offset of the chunk
  std::uint64_t next_at_ = 0;  ///< offset of the next chunk
  cw_profile_chunk chunk_{};
  std::vector<std::uint8_t> content_;
};

}  // namespace corewise
