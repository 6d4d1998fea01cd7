/// Builds profile files chunk by chunk, for tests of the reader.
#pragma once

#include <corewise_formats/profile.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "corewise/profile.hpp"

namespace corewise {

/// Indices into the table of calls that every file of HandMadeFile has.
enum TestCall : std::uint16_t {
  kSend,
  kBcast,
  kGather,
  kAllgather,
  kAllreduce,
  kScan,
  kGet,
  kWait,
  kIrecv,
  kMrecv,
  kMprobe,
  kIprobe,
  kTest
};

constexpr std::uint8_t kMessage = CW_ROW_CALL | CW_ROW_TO_PEER;
constexpr std::uint8_t kCollective = CW_ROW_CALL | CW_ROW_COLLECTIVE;
constexpr std::uint64_t kSecond = 1'000'000'000;

/// Zigzag encoding of a signed number (FORMATS.md).
inline std::int64_t zigzag(std::int64_t value) { return (value << 1) ^ (value >> 63); }

inline void put_varint(std::vector<std::uint8_t>& bytes, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<std::uint8_t>(value | 0x80));
  bytes.push_back(static_cast<std::uint8_t>(value));
}

/// One node's file in memory.
class HandMadeFile {
 public:
  explicit HandMadeFile(std::uint32_t n_ranks, const std::string& job = "job",
                        const std::string& host = "n0") {
    const std::vector<cw_profile_call> calls = {
        {"MPI_Send", CW_LAYER_P2P, CW_FLOW_NONE, {}},
        {"MPI_Bcast", CW_LAYER_COLL, CW_FLOW_FROM_ROOT, {}},
        {"MPI_Gather", CW_LAYER_COLL, CW_FLOW_TO_ROOT, {}},
        {"MPI_Allgather", CW_LAYER_COLL, CW_FLOW_ALL_PAIRS, {}},
        {"MPI_Allreduce", CW_LAYER_COLL, CW_FLOW_THROUGH_FIRST, {}},
        {"MPI_Scan", CW_LAYER_COLL, CW_FLOW_CHAIN, {}},
        {"MPI_Get", CW_LAYER_RMA, CW_FLOW_NONE, {}},
        {"MPI_Wait", CW_LAYER_P2P, CW_FLOW_NONE, {}},
        {"MPI_Irecv", CW_LAYER_P2P, CW_FLOW_NONE, {}},
        {"MPI_Mrecv", CW_LAYER_P2P, CW_FLOW_NONE, {}},
        {"MPI_Mprobe", CW_LAYER_P2P, CW_FLOW_NONE, {}},
        {"MPI_Iprobe", CW_LAYER_P2P, CW_FLOW_NONE, {}},
        {"MPI_Test", CW_LAYER_P2P, CW_FLOW_NONE, {}},
    };
    cw_profile_header header{};
    std::memcpy(header.magic, CW_PROFILE_MAGIC, sizeof header.magic);
    header.version = CW_PROFILE_VERSION;
    header.endian = CW_PROFILE_ENDIAN;
    header.n_ranks = n_ranks;
    header.n_calls = static_cast<std::uint32_t>(calls.size());
    header.calls_offset = sizeof header;
    header.chunks_offset = CW_PROFILE_CHUNK_BYTES;
    job.copy(header.job, sizeof header.job - 1);
    host.copy(header.node.host, sizeof header.node.host - 1);
    data_.resize(CW_PROFILE_CHUNK_BYTES);
    put(0, header);
    for (std::size_t i = 0; i < calls.size(); ++i) put(sizeof header + i * sizeof calls[i], calls[i]);
    close();
  }

  /// A rank with 1000 ticks per second on PU 2, from tick 1000 to 3000, or killed (not `finished`).
  HandMadeFile& rank(std::int32_t rank, bool finished = true) {
    cw_profile_rank record{};
    record.pid = 100 + static_cast<std::uint32_t>(rank);
    record.ticks_per_s = 1000;
    record.begin_ticks = 1000;
    record.end_ticks = finished ? 3000 : 0;
    record.finished = finished ? 1 : 0;
    record.traced = 1;
    record.mask_bytes = 1;
    record.mask[0] = 1 << 2;
    put(chunk(CW_CHUNK_RANK, rank), record);
    return *this;
  }

  /// A connection with processes outside the MPI_COMM_WORLD, as recorded by a rank.
  HandMadeFile& connection(std::int32_t rank, const cw_profile_connection& record) {
    put(chunk(CW_CHUNK_CONNECTIONS, rank, 1), record);
    return *this;
  }

  /// Makes this the file of a spawned MPI_COMM_WORLD.
  HandMadeFile& world(const std::string& name) {
    cw_profile_header now = header();
    name.copy(now.world, sizeof now.world - 1);
    put(0, now);
    return *this;
  }

  /// A chunk of rows of thread 0; the first has the number `first_row`.
  HandMadeFile& rows(std::int32_t rank, const std::vector<cw_profile_row>& rows, std::uint64_t last_ticks = 0,
                     std::uint32_t first_row = 0) {
    std::size_t at = chunk(CW_CHUNK_ROWS, rank, 0, last_ticks);
    put(at - sizeof(cw_profile_chunk) + offsetof(cw_profile_chunk, first_row), first_row);
    for (const cw_profile_row& row : rows) {
      put(at, row);
      at += sizeof row;
    }
    return *this;
  }

  /// A chunk of windows of thread 0, 2^level seconds each. `numbers` are the numbers of its records.
  HandMadeFile& windows(std::int32_t rank, std::uint32_t level, const std::vector<std::int64_t>& numbers,
                        std::int32_t open_region = 1) {
    std::vector<std::uint8_t> records;
    for (const std::int64_t number : numbers) put_varint(records, static_cast<std::uint64_t>(number));
    const std::size_t at = chunk(CW_CHUNK_WINDOWS, rank);
    put(at, cw_profile_windows{kSecond, 0, records.size(), level, open_region});
    std::memcpy(data_.data() + at + sizeof(cw_profile_windows), records.data(), records.size());
    return *this;
  }

  HandMadeFile& comm(std::uint64_t id, std::uint64_t group, std::uint64_t parent, const std::string& name) {
    cw_profile_comm comm{id, group, 0, parent, {}};
    name.copy(comm.name, sizeof comm.name - 1);
    put(chunk(CW_CHUNK_COMMS, 0, 1), comm);
    return *this;
  }

  HandMadeFile& group(std::uint64_t id, const std::vector<cw_profile_range>& ranges) {
    put_group(chunk(CW_CHUNK_GROUP, 0, static_cast<std::uint32_t>(ranges.size())), id, ranges, 0);
    return *this;
  }

  /// A chunk of groups, each as (id, ranges).
  HandMadeFile& groups(const std::vector<std::pair<std::uint64_t, std::vector<cw_profile_range>>>& groups) {
    std::size_t at = chunk(CW_CHUNK_GROUPS, 0, static_cast<std::uint32_t>(groups.size()));
    for (const auto& [id, ranges] : groups) {
      at = put_group(at, id, ranges, static_cast<std::uint32_t>(ranges.size()));
      at = (at + 7) / 8 * 8;
    }
    return *this;
  }

  /// A chunk of any kind and size that, from its second 4096 bytes on, looks like finished rank records.
  HandMadeFile& disguised(std::uint32_t kind, std::uint32_t bytes) {
    const std::size_t at = data_.size();
    cw_profile_chunk head{};
    head.kind = kind;
    head.bytes = bytes;
    head.rank = -7;
    data_.resize(at + bytes);
    for (std::size_t page = CW_PROFILE_CHUNK_BYTES; page < bytes; page += CW_PROFILE_CHUNK_BYTES) {
      const std::vector<char> record = HandMadeFile(1).rank(0).data();
      std::copy(record.begin() + CW_PROFILE_CHUNK_BYTES, record.end(), data_.begin() + at + page);
    }
    put(at, head);
    close();
    return *this;
  }

  /// Appends an empty chunk and returns the offset of its content.
  std::size_t chunk(std::uint32_t kind, std::int32_t rank, std::uint32_t n_items = 0,
                    std::uint64_t last_ticks = 0) {
    const std::size_t at = data_.size();
    data_.resize(at + CW_PROFILE_CHUNK_BYTES);
    cw_profile_chunk head{};
    head.kind = kind;
    head.bytes = CW_PROFILE_CHUNK_BYTES;
    head.rank = rank;
    head.n_items = n_items;
    head.last_ticks = last_ticks;
    put(at, head);
    close();
    return at + sizeof head;
  }

  template <typename Value>
  void put(std::size_t offset, const Value& value) {
    std::memcpy(data_.data() + offset, &value, sizeof value);
  }

  [[nodiscard]] cw_profile_header header() const {
    cw_profile_header header;
    std::memcpy(&header, data_.data(), sizeof header);
    return header;
  }

  std::vector<char>& data() { return data_; }

  void write(const std::string& directory, const std::string& name = "n0.cwprof") const {
    std::filesystem::create_directories(directory);
    std::ofstream(directory + "/" + name, std::ios::binary)
        .write(data_.data(), static_cast<std::streamsize>(data_.size()));
  }

 private:
  /// Puts a group and its ranges at `at`, and returns the offset behind them.
  std::size_t put_group(std::size_t at, std::uint64_t id, const std::vector<cw_profile_range>& ranges,
                        std::uint32_t n_ranges) {
    std::uint32_t n_members = 0;
    for (const cw_profile_range& range : ranges) n_members += range.count;
    put(at, cw_profile_group{id, n_members, n_ranges});
    at += sizeof(cw_profile_group);
    for (const cw_profile_range& range : ranges) {
      put(at, range);
      at += sizeof range;
    }
    return at;
  }

  void close() {
    cw_profile_header now = header();
    now.next_free = data_.size();
    put(0, now);
  }

  std::vector<char> data_;
};

/// A file of `n` ranks that have finished.
inline HandMadeFile file_of(std::int32_t n) {
  HandMadeFile file(static_cast<std::uint32_t>(n));
  for (std::int32_t rank = 0; rank < n; ++rank) file.rank(rank);
  return file;
}

/// (src, dst, bytes) of every entry of the matrix.
inline std::vector<std::array<std::uint64_t, 3>> pairs_of(const CommMatrix& matrix) {
  std::vector<std::array<std::uint64_t, 3>> found;
  for (std::int32_t src = 0; src < matrix.n_ranks(); ++src) {
    for (const PairTraffic& pair : matrix.row(Rank{src})) {
      found.push_back(
          {static_cast<std::uint64_t>(src), static_cast<std::uint64_t>(raw(pair.peer)), pair.bytes});
    }
  }
  return found;
}

/// A row of `count` calls with `bytes` in total, of one second.
inline cw_profile_row test_row(TestCall call, std::int32_t peer, int size_class, std::uint8_t flags,
                               std::uint64_t count, std::uint64_t bytes, std::uint64_t group = 0) {
  return {peer, call, static_cast<std::uint8_t>(size_class), flags, group, 0, count, bytes, 1000};
}

}  // namespace corewise
