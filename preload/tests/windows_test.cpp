/// Windows of a thread's rows in the file, decoded here independently according to formats/FORMATS.md.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <vector>

extern "C" {
#include "../counters/rows.h"
#include "../store/clock.h"
#include "../store/store.h"
#include "../trace/trace.h"
}

namespace corewise {
namespace {

constexpr cw_profile_call kCalls[] = {{"MPI_Send", CW_LAYER_P2P, CW_FLOW_NONE, {}}};

void send(std::int32_t peer, int times) {
  for (int i = 0; i < times; ++i) {
    const std::uint64_t now = cw_ticks();
    const cw_event event = {0, CW_ROW_CALL | CW_ROW_TO_PEER, peer, 0, 10, now, now};
    cw_row_count(&event, true);
  }
}

struct Record {
  std::uint64_t number = 0;
  std::int64_t region = 0;
  std::map<std::uint64_t, std::uint64_t> counts;  // [row number]
};

struct Windows {
  std::vector<Record> records;
  std::set<std::uint32_t> levels;
  std::set<std::int32_t> open_regions;
  std::uint64_t counted_by_rows = 0;
};

class Decoder {
 public:
  Decoder(const char* at, std::uint64_t bytes) : at_(at), end_(at + bytes) {}
  [[nodiscard]] bool at_end() const { return at_ >= end_; }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; at_ < end_; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at_++);
      value |= std::uint64_t{byte & 127u} << shift;
      if (byte < 128) break;
    }
    return value;
  }
  std::int64_t signed_number() {
    const std::uint64_t value = number();
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }

 private:
  const char* at_;
  const char* end_;
};

template <typename Value>
Value at(const std::vector<char>& data, std::uint64_t offset) {
  Value value;
  std::memcpy(&value, data.data() + offset, sizeof value);
  return value;
}

void decode(const std::vector<char>& data, std::uint64_t offset, Windows& windows) {
  const auto head = at<cw_profile_windows>(data, offset);
  windows.levels.insert(head.level);
  windows.open_regions.insert(head.open_region);
  Decoder decoder(data.data() + offset + sizeof head, head.used_bytes);
  std::uint64_t number = head.first_number;
  while (!decoder.at_end()) {
    Record record;
    record.number = number += decoder.number();
    record.region = decoder.signed_number();
    std::uint64_t row = 0;
    for (std::uint64_t n = decoder.number(); n > 0; --n) {
      row += decoder.number();
      record.counts[row] += decoder.number();
      decoder.number();  // bytes
      decoder.number();  // ticks
    }
    windows.records.push_back(record);
  }
}

/// The windows in the profile of one rank that does `work`.
Windows windows_of(const std::function<void()>& work) {
  const auto directory =
      std::filesystem::path(testing::TempDir()) / ("cw_windows_" + std::to_string(getpid()));
  std::filesystem::remove_all(directory);
  const pid_t child = fork();
  if (child == 0) {
    const std::string path = directory.string();
    const cw_store_job job = {path.c_str(), "job", "", 0, 8, kCalls, 1};
    if (cw_store_open(&job) != nullptr) _exit(3);
    cw_trace_observer.start();
    work();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  std::ifstream in(std::filesystem::directory_iterator(directory)->path(), std::ios::binary);
  const std::vector<char> data{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove_all(directory);
  Windows windows;
  const auto header = at<cw_profile_header>(data, 0);
  for (std::uint64_t offset = header.chunks_offset; offset < header.next_free;) {
    const auto chunk = at<cw_profile_chunk>(data, offset);
    if (chunk.kind == CW_CHUNK_WINDOWS) decode(data, offset + sizeof chunk, windows);
    for (std::uint64_t row = offset + sizeof chunk;
         chunk.kind == CW_CHUNK_ROWS && row + sizeof(cw_profile_row) <= offset + chunk.bytes;
         row += sizeof(cw_profile_row)) {
      windows.counted_by_rows += at<cw_profile_row>(data, row).count;
    }
    offset += chunk.bytes == 0 ? CW_PROFILE_CHUNK_BYTES : chunk.bytes;
  }
  return windows;
}

std::uint64_t total(const Windows& windows, std::uint64_t row, std::int64_t region) {
  std::uint64_t sum = 0;
  for (const Record& record : windows.records) {
    const auto found = record.counts.find(row);
    if (record.region == region && found != record.counts.end()) sum += found->second;
  }
  return sum;
}

TEST(Windows, AreOverWhenACallComesInALaterOne) {
  // Bursts to peers 0, 1 and 2, more than a window of 10 ms apart. All windows but the last are written by
  // then.
  const Windows found = windows_of([] {
    for (int burst = 0; burst < 3; ++burst) {
      send(burst, 100 << burst);
      usleep(15000);
    }
    send(3, 1);
  });
  EXPECT_EQ(total(found, 0, 1), 100u);
  EXPECT_EQ(total(found, 1, 1), 200u);
  EXPECT_EQ(total(found, 2, 1), 400u);
  EXPECT_EQ(found.counted_by_rows, 701u);
  ASSERT_GE(found.records.size(), 3u);
  for (std::size_t i = 1; i < found.records.size(); ++i) {
    EXPECT_GE(found.records[i].number, found.records[i - 1].number);
  }
  EXPECT_GT(found.records.back().number, found.records.front().number);
}

TEST(Windows, AreCutAtEachRegion) {
  const Windows found = windows_of([] {
    send(0, 5);
    cw_trace_observer.region(7);
    send(0, 20);
    cw_trace_observer.region(-2);
    send(1, 3);
  });
  EXPECT_EQ(total(found, 0, 1), 5u);
  EXPECT_EQ(total(found, 0, 7), 20u);
  EXPECT_EQ(found.open_regions, std::set<std::int32_t>{-2});
  EXPECT_EQ(found.counted_by_rows, 28u);
}

TEST(Windows, AreAddedUpInPairsWhereThereAreTooMany) {
  // 20,000 regions need far more records than are kept; the sums of each region must stay correct.
  const Windows found = windows_of([] {
    for (int i = 0; i < 10000; ++i) {
      cw_trace_observer.region(3);
      send(0, 1);
      cw_trace_observer.region(4);
      send(1, 2);
    }
    cw_trace_observer.region(5);
  });
  EXPECT_EQ(total(found, 0, 3), 10000u);
  EXPECT_EQ(total(found, 1, 4), 20000u);
  EXPECT_LE(found.records.size(), 1024u);
  ASSERT_EQ(found.levels.size(), 1u);
  EXPECT_GE(*found.levels.begin(), 1u);
}

}  // namespace
}  // namespace corewise
