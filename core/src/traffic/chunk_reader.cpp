/// Reads a profile's file chunk by chunk. It may be damaged or forged, so every number is checked.
#include "traffic/chunk_reader.hpp"

#include <algorithm>
#include <cstddef>

#include "corewise/error.hpp"
#include "text.hpp"

namespace corewise {
namespace {

/// Size of the oldest header: it ends with the node's host name.
constexpr std::uint64_t kOldestHeaderBytes = offsetof(cw_profile_header, node) + sizeof(cw_node::host);

}  // namespace

ChunkReader::ChunkReader(std::string path)
    : path_(std::move(path)), in_(path_, std::ios::binary | std::ios::ate) {
  if (!in_) refuse("can't be opened; expected a profile that this user may read");
  file_bytes_ = static_cast<std::uint64_t>(std::max<std::streamoff>(in_.tellg(), 0));
  if (read(0, &header_, kOldestHeaderBytes) < kOldestHeaderBytes) {
    refuse(concat("a file of ", file_bytes_, " bytes; expected a profile's header of ", kOldestHeaderBytes,
                  ": trace the job again"));
  }
  // The header of an older tracer ends before the fields that were added later.
  (void)read(0, &header_,
             std::clamp<std::uint64_t>(header_.calls_offset, kOldestHeaderBytes, sizeof header_));
  check_header();
  calls_.resize(header_.n_calls);
  const std::uint64_t n_bytes = calls_.size() * sizeof(cw_profile_call);
  if (read(header_.calls_offset, calls_.data(), n_bytes) < n_bytes)
    refuse("reading its table of calls failed");
  next_at_ = header_.chunks_offset;
}

void ChunkReader::check_header() const {
  if (std::memcmp(header_.magic, CW_PROFILE_MAGIC, sizeof header_.magic) != 0) {
    refuse("not a profile; expected a file that the tracer of corewise wrote");
  }
  if (header_.endian != CW_PROFILE_ENDIAN) {
    refuse("written on a machine of the other byte order; expected a profile of a machine like this one");
  }
  if (header_.version < CW_PROFILE_OLDEST_VERSION || header_.version > CW_PROFILE_VERSION) {
    refuse(concat("profile version ", header_.version, "; expected ", CW_PROFILE_OLDEST_VERSION, "-",
                  CW_PROFILE_VERSION, ": read it with the corewise that wrote it"));
  }
  if (header_.n_ranks < 1 || header_.n_ranks > CW_PROFILE_MAX_RANKS) {
    refuse(concat("a job of ", header_.n_ranks, " ranks; expected 1-", CW_PROFILE_MAX_RANKS));
  }
  const std::uint64_t calls_bytes = std::uint64_t{header_.n_calls} * sizeof(cw_profile_call);
  if (header_.n_calls > 65535 || header_.calls_offset > file_bytes_ ||
      calls_bytes > file_bytes_ - header_.calls_offset ||
      header_.chunks_offset < header_.calls_offset + calls_bytes || header_.chunks_offset > file_bytes_) {
    refuse("its table of calls lies outside the file; expected a whole header: trace the job again");
  }
}

ChunkFound ChunkReader::next() {
  at_ = next_at_;
  content_.clear();
  if (at_ >= header_.next_free || read(at_, &chunk_, sizeof chunk_) < sizeof chunk_) return ChunkFound::end;
  // Read only kind and size, which have the same meaning in all versions of a chunk (FORMATS.md, "Profile").
  if (chunk_.kind == CW_CHUNK_EMPTY && chunk_.bytes == 0) chunk_.bytes = CW_PROFILE_CHUNK_BYTES;
  const bool possible = chunk_.bytes > 0 && chunk_.bytes % CW_PROFILE_CHUNK_BYTES == 0 &&
                        chunk_.bytes <= header_.next_free - at_;
  next_at_ = at_ + (possible ? chunk_.bytes : CW_PROFILE_CHUNK_BYTES);
  if (!possible) return ChunkFound::damaged;
  return next_at_ <= file_bytes_ ? ChunkFound::whole : ChunkFound::end;
}

Content ChunkReader::content() {
  if (content_.empty()) {
    content_.resize(chunk_.bytes - sizeof chunk_);
    (void)read(at_ + sizeof chunk_, content_.data(), content_.size());  // what is missing stays 0
  }
  return Content(content_);
}

std::uint64_t ChunkReader::read(std::uint64_t offset, void* target, std::uint64_t n) {
  in_.clear();
  in_.seekg(static_cast<std::streamoff>(offset));
  in_.read(static_cast<char*>(target), static_cast<std::streamsize>(n));
  return static_cast<std::uint64_t>(in_.gcount());
}

void ChunkReader::refuse(const std::string& why) const {
  throw Error(ErrorCode::bad_input, concat(path_, ": ", why));
}

}  // namespace corewise
