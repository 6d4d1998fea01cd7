/// Decodes one node's profile file. It may be damaged or forged, so every number is checked before use.
#include "traffic/profile_file.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>

#include "corewise/error.hpp"
#include "text.hpp"
#include "traffic/chunk_reader.hpp"
#include "traffic/profile_windows.hpp"

namespace corewise {
namespace {

template <std::size_t n>
std::string text(const char (&field)[n]) {
  return {field, strnlen(field, n)};
}

ProfileNode node_of(const cw_node& found) {
  ProfileNode node{text(found.host), text(found.id), text(found.batch_name), {}};
  std::istringstream words(text(found.addresses));
  for (std::string address; words >> address;) node.addresses.push_back(address);
  return node;
}

void read_calls(const ChunkReader& chunks, ProfileFile& file) {
  for (const cw_profile_call& call : chunks.calls()) {
    if (call.layer > CW_LAYER_IO || call.flow > CW_FLOW_CHAIN) {
      throw Error(ErrorCode::bad_input, concat(file.path, ": call ", file.calls.size(), " has layer ",
                                               int{call.layer}, " and flow ", int{call.flow},
                                               "; expected layers 0-3 and flows 0-5: trace the job again"));
    }
    file.calls.push_back({text(call.name), call.layer, call.flow});
  }
}

bool is_valid(const cw_profile_row& row, const ProfileFile& file) {
  const bool has_peer = (row.flags & (CW_ROW_TO_PEER | CW_ROW_FROM_PEER)) != 0;
  const bool peer_fits = row.peer < file.n_ranks && (has_peer ? row.peer != -1 : row.peer >= -1);
  return row.call < file.calls.size() && row.size_class <= 64 && peer_fits && row.window == 0;
}

void read_rows(const Content& content, const cw_profile_chunk& chunk, ProfileFile& file) {
  const Rank rank{chunk.rank};
  if (chunk.last_ticks != 0) file.last_calls.push_back({rank, chunk.thread, chunk.last_ticks});
  std::uint32_t number = chunk.first_row;
  for (std::uint64_t at = 0; at + sizeof(cw_profile_row) <= content.size(); at += sizeof(cw_profile_row)) {
    const auto row = content.at<cw_profile_row>(at);
    if (row.count == 0) break;
    if (is_valid(row, file)) {
      file.rows.push_back({rank, chunk.thread, number, row});
    } else {
      ++file.n_damaged;
    }
    ++number;
  }
}

void read_windows(const Content& content, const cw_profile_chunk& chunk, ProfileFile& file) {
  if (content.size() < sizeof(cw_profile_windows)) return;
  std::optional<DecodedWindows> found =
      decode_windows(Rank{chunk.rank}, chunk.thread, content.at<cw_profile_windows>(0),
                     content.from(sizeof(cw_profile_windows)));
  if (!found || found->damaged) ++file.n_damaged;
  if (found) file.windows.push_back(std::move(found->windows));
}

bool is_valid(const cw_profile_range& range, std::int32_t n_ranks) {
  if (range.count < 1 || range.count > static_cast<std::uint32_t>(n_ranks)) return false;
  const std::int64_t last = range.first + (std::int64_t{range.count} - 1) * range.stride;
  return range.first >= 0 && range.first < n_ranks && last >= 0 && last < n_ranks;
}

/// Reads a group and its `n_ranges` ranges; empty if it is damaged or exceeds the content.
std::optional<FileGroup> group_at(const Content& content, std::uint64_t at, std::uint32_t n_ranges,
                                  std::int32_t n_ranks) {
  const auto head = content.at<cw_profile_group>(at);
  FileGroup group{head.id, {}, head.n_members};
  at += sizeof head;
  if (n_ranges > (content.size() - at) / sizeof(cw_profile_range)) return std::nullopt;
  std::uint64_t n_members = 0;
  for (std::uint32_t i = 0; i < n_ranges; ++i, at += sizeof(cw_profile_range)) {
    group.ranges.push_back(content.at<cw_profile_range>(at));
    if (!is_valid(group.ranges.back(), n_ranks)) return std::nullopt;
    n_members += group.ranges.back().count;
  }
  const bool valid =
      n_members == head.n_members && n_members >= 1 && n_members <= static_cast<std::uint64_t>(n_ranks);
  return valid ? std::optional(std::move(group)) : std::nullopt;
}

/// Returns false if the group is damaged.
bool add_group(std::optional<FileGroup> group, ProfileFile& file) {
  if (group) {
    file.groups.push_back(std::move(*group));
  } else {
    ++file.n_damaged;
  }
  return group.has_value();
}

/// Stops at the first damaged group, because the start of the next group is unknown.
void read_groups(const Content& content, std::uint32_t n_groups, ProfileFile& file) {
  std::uint64_t at = 0;
  for (std::uint32_t i = 0; i < n_groups && at + sizeof(cw_profile_group) <= content.size(); ++i) {
    const std::uint64_t n_ranges = content.at<cw_profile_group>(at).n_ranges;
    if (!add_group(group_at(content, at, static_cast<std::uint32_t>(n_ranges), file.n_ranks), file)) return;
    at += (sizeof(cw_profile_group) + n_ranges * sizeof(cw_profile_range) + 7) / 8 * 8;
  }
}

/// Calls `use` for each of the chunk's n_items values that is inside its content.
template <typename Value, typename Use>
void for_each_item(const Content& content, const cw_profile_chunk& chunk, const Use& use) {
  const std::uint64_t n = std::min<std::uint64_t>(chunk.n_items, content.size() / sizeof(Value));
  for (std::uint64_t i = 0; i < n; ++i) use(content.at<Value>(i * sizeof(Value)));
}

void read_threads(const Content& content, const cw_profile_chunk& chunk, ProfileFile& file) {
  for_each_item<cw_profile_thread>(content, chunk, [&](const cw_profile_thread& thread) {
    if (thread.mask_bytes <= CW_PROFILE_MASK_BYTES) {
      file.threads.push_back({Rank{chunk.rank}, thread});
    } else {
      ++file.n_damaged;
    }
  });
}

bool is_valid(const cw_profile_connection& connection, std::int32_t n_ranks) {
  return connection.kind < CW_N_CONNECTION_KINDS && connection.n_own <= static_cast<std::uint32_t>(n_ranks) &&
         connection.own_rank < connection.n_own && connection.n_other <= CW_PROFILE_MAX_RANKS;
}

void read_connections(const Content& content, const cw_profile_chunk& chunk, ProfileFile& file) {
  for_each_item<cw_profile_connection>(content, chunk, [&](const cw_profile_connection& connection) {
    if (is_valid(connection, file.n_ranks)) {
      file.connections.push_back({Rank{chunk.rank}, connection});
    } else {
      ++file.n_damaged;
    }
  });
}

/// An event has more than one byte, so a chunk with more events than bytes is damaged.
void count_events(const cw_profile_chunk& chunk, ProfileFile& file) {
  if (chunk.n_items > chunk.bytes) {
    ++file.n_damaged;
    return;
  }
  file.events.count += chunk.n_items;
  file.events.bytes += chunk.bytes;
}

void read_rank(const Content& content, Rank rank, ProfileFile& file) {
  const auto record = content.at<cw_profile_rank>(0);
  // A rank that was killed before it filled its chunk has no tick rate. It counts as a rank without a record.
  if (record.ticks_per_s == 0) return;
  if (!(record.ticks_per_s > 0 && record.ticks_per_s < 1e15) || record.mask_bytes > CW_PROFILE_MASK_BYTES) {
    ++file.n_damaged;
    return;
  }
  file.ranks.push_back({rank, record});
  file.events.dropped += record.n_events_dropped;
}

/// @pre the kind of the chunk is known
void read_chunk(ChunkReader& chunks, ProfileFile& file) {
  const cw_profile_chunk& chunk = chunks.chunk();
  if (chunk.rank < 0 || chunk.rank >= file.n_ranks) {
    ++file.n_damaged;
    return;
  }
  switch (chunk.kind) {
    case CW_CHUNK_RANK:
      read_rank(chunks.content(), Rank{chunk.rank}, file);
      break;
    case CW_CHUNK_ROWS:
      read_rows(chunks.content(), chunk, file);
      break;
    case CW_CHUNK_GROUP:
      (void)add_group(group_at(chunks.content(), 0, chunk.n_items, file.n_ranks), file);
      break;
    case CW_CHUNK_GROUPS:
      read_groups(chunks.content(), chunk.n_items, file);
      break;
    case CW_CHUNK_THREADS:
      read_threads(chunks.content(), chunk, file);
      break;
    case CW_CHUNK_THREAD_TIMES:
      for_each_item<cw_profile_thread_time>(chunks.content(), chunk, [&](const auto& time) {
        file.thread_times.push_back({Rank{chunk.rank}, time});
      });
      break;
    case CW_CHUNK_DEVICES:
      for_each_item<cw_profile_device>(chunks.content(), chunk, [&](const auto& device) {
        file.devices.push_back({Rank{chunk.rank}, text(device.name), text(device.value)});
      });
      break;
    case CW_CHUNK_REFUSED:
      ++file.n_refused;
      break;
    case CW_CHUNK_WINDOWS:
      read_windows(chunks.content(), chunk, file);
      break;
    case CW_CHUNK_COMMS:
      for_each_item<cw_profile_comm>(chunks.content(), chunk,
                                     [&](const auto& comm) { file.comms.push_back(comm); });
      break;
    case CW_CHUNK_EVENTS:
      count_events(chunk, file);
      break;
    case CW_CHUNK_CONNECTIONS:
      read_connections(chunks.content(), chunk, file);
      break;
  }
}

void read_chunks(ChunkReader& chunks, ProfileFile& file) {
  file.truncated = chunks.file_bytes() < chunks.header().next_free;
  for (ChunkFound found = chunks.next(); found != ChunkFound::end; found = chunks.next()) {
    if (found == ChunkFound::damaged) {
      ++file.n_damaged;
    } else if (chunks.chunk().kind >= CW_N_CHUNK_KINDS) {
      ++file.skipped.count;
      file.skipped.bytes += chunks.chunk().bytes;
    } else if (chunks.chunk().kind != CW_CHUNK_EMPTY) {
      read_chunk(chunks, file);
    }
  }
}

/// A file can be incomplete because a rank was killed, or because the disk was full while the file grew. But
/// if every rank in it reached MPI_Finalize and had enough space, the file was once complete and was
/// truncated later.
bool was_truncated_later(const ProfileFile& file) {
  return file.truncated && std::ranges::all_of(file.ranks, [](const FileRank& rank) {
           return rank.record.finished != 0 && rank.record.faults[CW_FAULT_NO_SPACE] == 0;
         });
}

}  // namespace

std::vector<std::string> profile_paths(const std::string& directory) {
  std::error_code failed;
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(directory, failed)) {
    if (entry.path().extension() == CW_PROFILE_SUFFIX) paths.push_back(entry.path().string());
  }
  if (failed) {
    throw Error(ErrorCode::bad_input, concat(directory, ": ", failed.message(),
                                             "; expected a directory that `corewise trace -o` wrote"));
  }
  if (paths.empty()) {
    throw Error(ErrorCode::bad_input, concat(directory, ": holds no profile (*", CW_PROFILE_SUFFIX,
                                             "); expected a directory that `corewise trace -o` wrote"));
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

ProfileFile read_profile_file(const std::string& path) {
  ChunkReader chunks(path);
  const cw_profile_header& header = chunks.header();
  ProfileFile file;
  file.path = path;
  file.job = text(header.job);
  file.node = node_of(header.node);
  file.world = text(header.world);
  file.n_ranks = static_cast<std::int32_t>(header.n_ranks);
  read_calls(chunks, file);
  read_chunks(chunks, file);
  if (was_truncated_later(file)) {
    throw Error(ErrorCode::bad_input,
                concat(path, ": truncated: ", chunks.file_bytes(), " bytes of ", header.next_free,
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
