/// Decoding of one node's profile file. It may be truncated, damaged or forged: nothing is read unchecked.
#include "traffic/profile_file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <sstream>

#include "corewise/error.hpp"
#include "text.hpp"

namespace corewise {
namespace {

/// Up to the node's host: what every profile's header has.
constexpr std::uint64_t kOldestHeaderBytes = offsetof(cw_profile_header, node) + sizeof(cw_node::host);

/// The bytes of a file, read value by value inside their bounds.
class Bytes {
 public:
  explicit Bytes(std::vector<char> data) : data_(std::move(data)) {}

  [[nodiscard]] std::uint64_t size() const { return data_.size(); }
  [[nodiscard]] bool has(std::uint64_t offset, std::uint64_t n) const {
    return offset <= data_.size() && n <= data_.size() - offset;
  }
  /// @pre has(offset, sizeof(Value))
  template <typename Value>
  [[nodiscard]] Value at(std::uint64_t offset) const {
    Value value;
    std::memcpy(&value, data_.data() + offset, sizeof value);
    return value;
  }
  /// @pre has(offset, n)
  void copy(std::uint64_t offset, std::uint64_t n, void* to) const {
    std::memcpy(to, data_.data() + offset, n);
  }

 private:
  std::vector<char> data_;
};

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::bad_input, concat(path, ": ", why));
}

Bytes read_all(const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) refuse(path, "can't be opened; expected a profile that this user may read");
  std::vector<char> data(static_cast<std::size_t>(std::max<std::streamoff>(in.tellg(), 0)));
  in.seekg(0);
  in.read(data.data(), static_cast<std::streamsize>(data.size()));
  data.resize(static_cast<std::size_t>(in.gcount()));
  return Bytes(std::move(data));
}

template <std::size_t n>
std::string text(const char (&field)[n]) {
  return {field, strnlen(field, n)};
}

/// The header as far as the file has it: an older writer's ends before what was added since.
cw_profile_header read_header(const Bytes& bytes) {
  cw_profile_header header{};
  bytes.copy(0, kOldestHeaderBytes, &header);
  const std::uint64_t known = std::min<std::uint64_t>(header.calls_offset, sizeof header);
  if (bytes.has(0, known)) bytes.copy(0, known, &header);
  return header;
}

ProfileNode node_of(const cw_node& found) {
  ProfileNode node{text(found.host), text(found.id), text(found.batch_name), {}};
  std::istringstream words(text(found.addresses));
  for (std::string address; words >> address;) node.addresses.push_back(address);
  return node;
}

void check_header(const std::string& path, const cw_profile_header& header, std::uint64_t file_bytes) {
  if (header.endian != CW_PROFILE_ENDIAN) {
    refuse(path,
           "written on a machine of the other byte order; expected a profile of a machine like this one");
  }
  if (header.version < CW_PROFILE_OLDEST_VERSION || header.version > CW_PROFILE_VERSION) {
    refuse(path, concat("profile version ", header.version, "; expected ", CW_PROFILE_OLDEST_VERSION, "-",
                        CW_PROFILE_VERSION, ": read it with the corewise that wrote it"));
  }
  if (header.n_ranks < 1 || header.n_ranks > CW_PROFILE_MAX_RANKS) {
    refuse(path, concat("a job of ", header.n_ranks, " ranks; expected 1-", CW_PROFILE_MAX_RANKS));
  }
  const std::uint64_t calls_bytes = std::uint64_t{header.n_calls} * sizeof(cw_profile_call);
  if (header.n_calls > 65535 || header.calls_offset > file_bytes ||
      calls_bytes > file_bytes - header.calls_offset ||
      header.chunks_offset < header.calls_offset + calls_bytes || header.chunks_offset > file_bytes) {
    refuse(path, "its table of calls lies outside the file; expected a whole header: trace the job again");
  }
}

void read_calls(const Bytes& bytes, const cw_profile_header& header, ProfileFile& file) {
  for (std::uint32_t i = 0; i < header.n_calls; ++i) {
    const auto call = bytes.at<cw_profile_call>(header.calls_offset + i * sizeof(cw_profile_call));
    if (call.layer > CW_LAYER_IO || call.flow > CW_FLOW_CHAIN) {
      refuse(file.path, concat("call ", i, " has layer ", int{call.layer}, " and flow ", int{call.flow},
                               "; expected layers 0-3 and flows 0-5: trace the job again"));
    }
    file.calls.push_back({text(call.name), call.layer, call.flow});
  }
}

bool is_valid(const cw_profile_row& row, const ProfileFile& file) {
  const bool has_peer = (row.flags & (CW_ROW_TO_PEER | CW_ROW_FROM_PEER)) != 0;
  const bool peer_fits = row.peer < file.n_ranks && row.peer >= (has_peer ? 0 : -1);
  return row.call < file.calls.size() && row.size_class <= 64 && peer_fits && row.window == 0;
}

void read_rows(const Bytes& bytes, std::uint64_t begin, std::uint64_t end, Rank rank, ProfileFile& file) {
  for (std::uint64_t at = begin; at + sizeof(cw_profile_row) <= end; at += sizeof(cw_profile_row)) {
    const auto row = bytes.at<cw_profile_row>(at);
    if (row.count == 0) break;
    if (!is_valid(row, file)) {
      ++file.n_damaged;
      continue;
    }
    file.rows.push_back({rank, row});
  }
}

bool is_valid(const cw_profile_range& range, std::int32_t n_ranks) {
  if (range.count < 1 || range.count > static_cast<std::uint32_t>(n_ranks)) return false;
  const std::int64_t last = range.first + (std::int64_t{range.count} - 1) * range.stride;
  return range.first >= 0 && range.first < n_ranks && last >= 0 && last < n_ranks;
}

void read_group(const Bytes& bytes, std::uint64_t at, std::uint64_t end, std::uint32_t n_ranges,
                ProfileFile& file) {
  const auto head = bytes.at<cw_profile_group>(at);
  at += sizeof head;
  FileGroup group{head.id, {}, head.n_members};
  std::uint64_t n_members = 0;
  if (n_ranges <= (end - at) / sizeof(cw_profile_range)) {
    for (std::uint32_t i = 0; i < n_ranges; ++i, at += sizeof(cw_profile_range)) {
      group.ranges.push_back(bytes.at<cw_profile_range>(at));
      if (!is_valid(group.ranges.back(), file.n_ranks)) break;
      n_members += group.ranges.back().count;
    }
  }
  const bool valid = group.ranges.size() == n_ranges && n_members == head.n_members && n_members >= 1 &&
                     n_members <= static_cast<std::uint64_t>(file.n_ranks);
  if (valid) {
    file.groups.push_back(std::move(group));
  } else {
    ++file.n_damaged;
  }
}

void read_threads(const Bytes& bytes, std::uint64_t at, std::uint64_t end, const cw_profile_chunk& chunk,
                  ProfileFile& file) {
  for (std::uint32_t i = 0; i < chunk.n_items && end - at >= sizeof(cw_profile_thread);
       ++i, at += sizeof(cw_profile_thread)) {
    file.threads.push_back({Rank{chunk.rank}, bytes.at<cw_profile_thread>(at)});
    if (file.threads.back().record.mask_bytes > CW_PROFILE_MASK_BYTES) {
      file.threads.pop_back();
      ++file.n_damaged;
    }
  }
}

void read_thread_times(const Bytes& bytes, std::uint64_t at, std::uint64_t end, const cw_profile_chunk& chunk,
                       ProfileFile& file) {
  for (std::uint32_t i = 0; i < chunk.n_items && end - at >= sizeof(cw_profile_thread_time);
       ++i, at += sizeof(cw_profile_thread_time)) {
    file.thread_times.push_back({Rank{chunk.rank}, bytes.at<cw_profile_thread_time>(at)});
  }
}

void read_rank(const Bytes& bytes, std::uint64_t at, Rank rank, ProfileFile& file) {
  const auto record = bytes.at<cw_profile_rank>(at);
  // A rank killed between taking its chunk and filling it has no tick rate yet: it never reported.
  if (record.ticks_per_s == 0) return;
  if (!(record.ticks_per_s > 0 && record.ticks_per_s < 1e15) || record.mask_bytes > CW_PROFILE_MASK_BYTES) {
    ++file.n_damaged;
    return;
  }
  file.ranks.push_back({rank, record});
}

/// The content of a chunk whose kind this reader knows.
void read_chunk(const Bytes& bytes, std::uint64_t at, const cw_profile_chunk& chunk, ProfileFile& file) {
  const Rank rank{chunk.rank};
  const std::uint64_t begin = at + sizeof chunk;
  const std::uint64_t end = at + chunk.bytes;
  if (chunk.rank < 0 || chunk.rank >= file.n_ranks) {
    ++file.n_damaged;
    return;
  }
  switch (chunk.kind) {
    case CW_CHUNK_RANK:
      read_rank(bytes, begin, rank, file);
      break;
    case CW_CHUNK_ROWS:
      if (chunk.last_ticks != 0) file.last_calls.push_back({rank, chunk.last_ticks});
      read_rows(bytes, begin, end, rank, file);
      break;
    case CW_CHUNK_GROUP:
      read_group(bytes, begin, end, chunk.n_items, file);
      break;
    case CW_CHUNK_THREADS:
      read_threads(bytes, begin, end, chunk, file);
      break;
    case CW_CHUNK_THREAD_TIMES:
      read_thread_times(bytes, begin, end, chunk, file);
      break;
    case CW_CHUNK_REFUSED:
      ++file.n_refused;
      break;
  }
}

/// Bytes from a chunk to the next one; 0 where its head is damaged. `room` is what is left of all that was
/// handed out. Only kind and size are looked at: they mean the same in every chunk (FORMATS.md, "Profile").
std::uint64_t chunk_bytes(const cw_profile_chunk& chunk, std::uint64_t room) {
  if (chunk.kind == CW_CHUNK_EMPTY && chunk.bytes == 0) return CW_PROFILE_CHUNK_BYTES;
  return chunk.bytes % CW_PROFILE_CHUNK_BYTES == 0 && chunk.bytes <= room ? chunk.bytes : 0;
}

void read_chunks(const Bytes& bytes, const cw_profile_header& header, ProfileFile& file) {
  file.truncated = bytes.size() < header.next_free;
  std::uint64_t at = header.chunks_offset;
  while (at < header.next_free && bytes.has(at, sizeof(cw_profile_chunk))) {
    const auto chunk = bytes.at<cw_profile_chunk>(at);
    const std::uint64_t size = chunk_bytes(chunk, header.next_free - at);
    if (size == 0) {
      ++file.n_damaged;
    } else if (!bytes.has(at, size)) {
      break;  // what is left of the file is a part of this chunk
    } else if (chunk.kind >= CW_N_CHUNK_KINDS) {
      ++file.skipped.count;
      file.skipped.bytes += size;
    } else if (chunk.kind != CW_CHUNK_EMPTY) {
      read_chunk(bytes, at, chunk, file);
    }
    at += size == 0 ? CW_PROFILE_CHUNK_BYTES : size;
  }
}

/// A file may end early where a rank was killed or the disk was full while it grew. When every rank in it
/// reached MPI_Finalize and had room enough, the file was complete once and was truncated later.
bool was_truncated_later(const ProfileFile& file) {
  return file.truncated && std::ranges::all_of(file.ranks, [](const FileRank& rank) {
           return rank.record.finished != 0 && rank.record.faults[CW_FAULT_NO_SPACE] == 0;
         });
}

}  // namespace

ProfileFile read_profile_file(const std::string& path) {
  ProfileFile file;
  file.path = path;
  const Bytes bytes = read_all(path);
  if (!bytes.has(0, kOldestHeaderBytes)) {
    refuse(path, concat("a file of ", bytes.size(), " bytes; expected a profile's header of ",
                        kOldestHeaderBytes, ": trace the job again"));
  }
  const cw_profile_header header = read_header(bytes);
  if (std::memcmp(header.magic, CW_PROFILE_MAGIC, sizeof header.magic) != 0) {
    refuse(path, "not a profile; expected a file that the tracer of corewise wrote");
  }
  check_header(path, header, bytes.size());
  file.job = text(header.job);
  file.node = node_of(header.node);
  file.n_ranks = static_cast<std::int32_t>(header.n_ranks);
  read_calls(bytes, header, file);
  read_chunks(bytes, header, file);
  if (was_truncated_later(file)) {
    refuse(path, concat("truncated: ", bytes.size(), " bytes of ", header.next_free,
                        "; expected the whole file: copy it again, or trace the job again"));
  }
  return file;
}

std::vector<OsIndex> os_indices(const std::uint8_t* mask, std::uint32_t n_bytes) {
  std::vector<OsIndex> indices;
  for (std::uint32_t i = 0; i < n_bytes * 8; ++i) {
    if ((mask[i / 8] >> (i % 8) & 1) != 0) indices.push_back(OsIndex{static_cast<std::int32_t>(i)});
  }
  return indices;
}

}  // namespace corewise
