/// Events: hand-written records, requests, matching compared with brute force, damaged files.
#include "corewise/events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <tuple>

#include "corewise/error.hpp"
#include "profile_builder.hpp"
#include "profile_folder.hpp"

namespace corewise {
namespace {

using testing::SizeIs;

/// Writes records in the format of FORMATS.md.
class Records {
 public:
  Records& shape(std::uint16_t call, std::uint64_t flags, std::int64_t peer, std::int64_t tag,
                 std::uint64_t comm, std::uint64_t bytes) {
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{call}, flags, unsigned_of(peer), unsigned_of(tag), comm, bytes}) {
      put_varint(bytes_, value);
    }
    ++n_shapes_;
    return *this;
  }
  /// An event of the latest shape. `rest` are the further numbers that its flags require.
  Records& event(std::uint64_t gap, std::uint64_t duration, const std::vector<std::int64_t>& rest = {}) {
    for (const std::uint64_t value : {4 * (n_shapes_ - 1) + 1, gap, duration}) put_varint(bytes_, value);
    for (const std::int64_t value : rest) put_varint(bytes_, static_cast<std::uint64_t>(value));
    return *this;
  }
  Records& numbers(const std::vector<std::int64_t>& values) {
    for (const std::int64_t value : values) put_varint(bytes_, static_cast<std::uint64_t>(value));
    return *this;
  }
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  void add_to(HandMadeFile& file, std::int32_t rank, std::uint64_t begin_ticks = 1000) const {
    const std::size_t at = file.chunk(CW_CHUNK_EVENTS, rank);
    file.put(at, cw_profile_events{0, begin_ticks, bytes_.size(), 0, 0});
    std::copy(bytes_.begin(), bytes_.end(),
              file.data().begin() + static_cast<std::ptrdiff_t>(at + sizeof(cw_profile_events)));
  }

 private:
  static std::uint64_t unsigned_of(std::int64_t value) { return static_cast<std::uint64_t>(zigzag(value)); }
  std::vector<std::uint8_t> bytes_;
  std::uint64_t n_shapes_ = 0;
};

class Events : public ProfileFolder {
 protected:
  [[nodiscard]] EventLog log_of(const HandMadeFile& file) const {
    file.write(directory_);
    return read_events(directory_);
  }
};

/// Rank 0 sends 8 bytes to rank 1 with tag 5. Rank 1 has posted a receive from any source and waits for it.
HandMadeFile one_message() {
  HandMadeFile file = file_of(2);
  Records().shape(kSend, CW_EVENT_SENDS, 1, 5, 70, 8).event(100, 20).add_to(file, 0);
  Records()
      .shape(kIrecv, CW_EVENT_RECEIVES | CW_EVENT_STARTS, -1, -1, 70, 64)
      .event(10, 1, {zigzag(3)})
      .shape(kWait, CW_EVENT_COMPLETES, -1, 0, 0, 0)
      .event(30, 90, {1, 4 * zigzag(0) + CW_COMPLETION_STATUS, zigzag(0), zigzag(5), 8})
      .add_to(file, 1);
  return file;
}

TEST_F(Events, HaveTimesFromTheBeginOfTheFirstRankOn) {
  const EventLog log = log_of(one_message());
  ASSERT_THAT(log.events, SizeIs(3));
  EXPECT_DOUBLE_EQ(log.events[0].begin_s, 0.1);
  EXPECT_DOUBLE_EQ(log.events[0].end_s, 0.12);
  EXPECT_DOUBLE_EQ(log.events[2].begin_s, 0.041);  // 10 + 1 + 30 ticks of a millisecond
}

TEST_F(Events, OfOneNodeAreTimedByTheClockThatItsRanksShare) {
  // Rank 1 has read the system time 5 us later than rank 0, but recorded the same tick.
  HandMadeFile file(2);
  file.rank(0);
  cw_profile_rank late{};
  late.ticks_per_s = 1001;
  late.begin_ticks = 1000;
  late.begin_unix_ns = 5000;
  file.put(file.chunk(CW_CHUNK_RANK, 1), late);
  Records().shape(kSend, CW_EVENT_SENDS, 1, 5, 70, 8).event(500, 100).add_to(file, 0);
  Records().shape(kSend, CW_EVENT_SENDS, 0, 5, 70, 8).event(500, 100).add_to(file, 1);
  const EventLog log = log_of(file);
  EXPECT_EQ(log.events[0].begin_s, 0.5);
  EXPECT_EQ(log.events[1].begin_s, 0.5);
}

TEST_F(Events, OfSeveralNodesAreByTheirOwnClocks) {
  // Rank 1 starts 1 s after rank 0, and its node's clock is 10 s ahead.
  HandMadeFile other(2, "job", "n1");
  cw_profile_rank late{};
  late.ticks_per_s = 1000;
  late.begin_ticks = 1000;
  late.begin_unix_ns = 11'000'000'000;
  other.put(other.chunk(CW_CHUNK_RANK, 1), late);
  Records().shape(kIrecv, CW_EVENT_RECEIVES, 0, 5, 70, 8).event(1300, 100).add_to(other, 1);
  other.write(directory_, "n1.cwprof");
  HandMadeFile file(2);
  file.rank(0);
  Records().shape(kSend, CW_EVENT_SENDS, 1, 5, 70, 8).event(2000, 10).add_to(file, 0);
  const EventLog log = log_of(file);
  EXPECT_EQ(log.n_nodes, 2);
  EXPECT_DOUBLE_EQ(log.events[0].begin_s, 2);
  EXPECT_DOUBLE_EQ(log.events[1].begin_s, 12.3);  // 11 s, and 300 ms after its start at tick 1000
  EXPECT_EQ(log.events[1].matches, 0);            // though it seems sent after it was received
}

TEST_F(Events, OfAReceiveHaveWhatItReallyReceived) {
  const EventLog log = log_of(one_message());
  const Event& receive = log.events[1];
  EXPECT_EQ(std::tuple(receive.peer, receive.tag, receive.bytes), std::tuple(0, 5, 8u));
  EXPECT_EQ(receive.completed_by, 2);
  EXPECT_EQ(receive.matches, 0);
  EXPECT_EQ(log.events[0].matches, 1);
}

TEST_F(Events, OfAMatchedProbeTakeTheirMessageBeforeLaterReceives) {
  // MPI_Mprobe matches the first message, the receive gets the second, and then MPI_Mrecv receives the first.
  HandMadeFile file = file_of(2);
  Records().shape(kSend, CW_EVENT_SENDS, 1, 0, 70, 8).event(1, 1).event(1, 1).add_to(file, 0);
  Records()
      .shape(kMprobe, CW_EVENT_RECEIVES | CW_EVENT_STARTS, 0, 0, 70, 8)
      .event(1, 1, {zigzag(1)})
      .shape(kIrecv, CW_EVENT_RECEIVES, 0, 0, 70, 8)
      .event(1, 1)
      .shape(kMrecv, CW_EVENT_COMPLETES, -1, 0, 0, 0)
      .event(1, 1, {1, 4 * zigzag(0)})
      .add_to(file, 1);
  const EventLog log = log_of(file);
  ASSERT_THAT(log.events, SizeIs(5));
  EXPECT_EQ(log.events[0].matches, 2);
  EXPECT_EQ(log.events[1].matches, 3);
  EXPECT_EQ(log.events[2].completed_by, 4);
}

TEST_F(Events, OfOneSidedCallsMatchNothing) {
  HandMadeFile file = file_of(2);
  Records().shape(kSend, CW_EVENT_SENDS, 1, 0, 70, 8).event(1, 1).add_to(file, 0);
  Records().shape(kGet, CW_EVENT_RECEIVES, 0, 0, 70, 8).event(1, 1).add_to(file, 1);
  for (const Event& event : log_of(file).events) EXPECT_EQ(event.matches, -1);
}

TEST_F(Events, MayHaveBytesAndATagOfTheirOwnAndFurtherParts) {
  HandMadeFile file = file_of(2);
  Records()
      .shape(kSend, CW_EVENT_SENDS, 1, 5, 70, 8)
      .numbers({4 * 0 + 1 + 3, 1000, zigzag(-9), 7, 2})  // shape 0 with both: bytes, tag, gap, duration
      .shape(kSend, CW_EVENT_SENDS | CW_EVENT_PART, 0, 5, 70, 16)
      .numbers({4 * 1 + 1})
      .add_to(file, 0);
  const EventLog log = log_of(file);
  ASSERT_THAT(log.events, SizeIs(2));
  EXPECT_EQ(std::tuple(log.events[0].bytes, log.events[0].tag), std::tuple(1000u, -9));
  EXPECT_TRUE(log.events[1].part);
  EXPECT_DOUBLE_EQ(log.events[1].end_s, log.events[0].end_s);
}

TEST_F(Events, ThatAreCutOffEndBeforeTheBrokenOne) {
  const std::vector<std::uint8_t> whole =
      Records().shape(kSend, CW_EVENT_SENDS, 1, 5, 70, 8).event(1, 300).event(1, 300).bytes();
  for (std::size_t left = 0; left <= whole.size(); ++left) {
    HandMadeFile file = file_of(2);
    const std::size_t at = file.chunk(CW_CHUNK_EVENTS, 0);
    file.put(at, cw_profile_events{0, 0, left, 0, 0});
    std::copy(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(left),
              file.data().begin() + static_cast<std::ptrdiff_t>(at + sizeof(cw_profile_events)));
    const EventLog log = log_of(file);
    const std::size_t after_shape = left < 7 ? 0 : (left - 7) / 4;  // an event has 4 bytes here
    EXPECT_EQ(log.events.size(), after_shape) << left;
    const bool between_records = left == 0 || (left >= 7 && (left - 7) % 4 == 0);
    EXPECT_EQ(log.n_damaged, between_records ? 0u : 1u) << left;
  }
}

TEST_F(Events, MatchAsBruteForceDoes) {
  // Four ranks send 400 messages with two tags. A receiver receives the messages of each source and tag in
  // the order of sending; different sources and tags are mixed at random.
  std::mt19937 random(7);
  struct Message {
    int src, dst, tag;
    std::uint64_t bytes;
  };
  std::vector<Message> messages;
  for (int i = 0; i < 400; ++i) {
    const int src = static_cast<int>(random() % 4);
    messages.push_back({src, (src + 1 + static_cast<int>(random() % 3)) % 4, static_cast<int>(random() % 2),
                        static_cast<std::uint64_t>(1000 + i)});  // every message has a different size
  }
  HandMadeFile file(4);
  for (int rank = 0; rank < 4; ++rank) {
    file.rank(rank);
    std::vector<Message> received;
    Records records;
    for (const Message& message : messages) {
      if (message.dst == rank) received.push_back(message);
      if (message.src != rank) continue;
      records.shape(kSend, CW_EVENT_SENDS, message.dst, message.tag, 70, message.bytes).event(3, 2);
    }
    for (int swap = 0; swap < 2000; ++swap) {  // neighbours of different source or tag may change places
      const std::size_t i = random() % (received.size() - 1);
      if (received[i].src != received[i + 1].src || received[i].tag != received[i + 1].tag)
        std::swap(received[i], received[i + 1]);
    }
    for (const Message& message : received) {
      records.shape(kIrecv, CW_EVENT_RECEIVES, message.src, message.tag, 70, message.bytes).event(1, 1);
    }
    records.add_to(file, rank);
  }
  const EventLog log = log_of(file);
  std::size_t n_matched = 0;
  for (std::size_t i = 0; i < log.events.size(); ++i) {
    const Event& event = log.events[i];
    if (event.matches < 0) continue;
    const Event& other = log.events[static_cast<std::size_t>(event.matches)];
    EXPECT_EQ(static_cast<std::size_t>(other.matches), i);
    EXPECT_EQ(other.bytes, event.bytes);
    EXPECT_NE(other.sends, event.sends);
    ++n_matched;
  }
  EXPECT_EQ(n_matched, 800u);
}

TEST_F(Events, SurviveAnyDamage) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    HandMadeFile file = one_message();
    std::vector<char>& data = file.data();
    for (int hit = 0; hit < 6; ++hit) {
      const std::size_t chunk = random() % (data.size() / CW_PROFILE_CHUNK_BYTES) * CW_PROFILE_CHUNK_BYTES;
      data[chunk + random() % 200] = static_cast<char>(random());
    }
    if (random() % 4 == 0) data.resize(random() % data.size());
    file.write(directory_);
    try {
      EXPECT_LE(read_events(directory_).events.size(), 10000u);
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("expected"));
    }
  }
}

}  // namespace
}  // namespace corewise
