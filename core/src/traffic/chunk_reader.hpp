/// A profile's file as its header and chunks, read one after the other and never as a whole.
#pragma once

#include <corewise_formats/profile.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace corewise {

/// Bytes of a file, read value by value inside their bounds.
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

/// What was found in place of a chunk.
enum class ChunkFound {
  whole,    ///< of any kind; its content can be read
  damaged,  ///< no chunk can have this size
  end,      ///< of the file, perhaps inside a chunk
};

class ChunkReader {
 public:
  /// Opens the file and reads header and table of calls.
  /// @throws Error(bad_input) for a file that can't be read, isn't a profile, is newer, or has a broken
  /// header.
  explicit ChunkReader(std::string path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const cw_profile_header& header() const { return header_; }
  [[nodiscard]] const std::vector<cw_profile_call>& calls() const { return calls_; }
  [[nodiscard]] std::uint64_t file_bytes() const { return file_bytes_; }

  /// Goes to the next chunk.
  [[nodiscard]] ChunkFound next();
  /// The head of the chunk; its `bytes` are those to the next chunk.
  [[nodiscard]] const cw_profile_chunk& chunk() const { return chunk_; }
  /// What follows the head; it is read only when asked for, and stays valid until next().
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
  std::uint64_t at_ = 0;       ///< of the chunk
  std::uint64_t next_at_ = 0;  ///< of the one that follows
  cw_profile_chunk chunk_{};
  std::vector<std::uint8_t> content_;
};

}  // namespace corewise
