/// Events of a rank without MPI: synthetic calls are recorded, then read by the core's reader.
#include "corewise/events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "corewise/profile.hpp"

extern "C" {
#include "../pmpi/observer.h"
#include "../store/clock.h"
#include "../store/store.h"
#include "../trace/trace.h"
}

namespace corewise {
namespace {

enum Call : std::uint16_t {
  kSend,
  kBcast,
  kIsend,
  kIrecv,
  kWaitall,
  kAlltoallv,
  kTestall,
  kSendrecv,
  kIprobe,
  kGetStatus,
  kStart,
  kAlltoallvInit
};
constexpr cw_profile_call kCalls[] = {
    {"MPI_Send", CW_LAYER_P2P, CW_FLOW_NONE, {}},
    {"MPI_Bcast", CW_LAYER_COLL, CW_FLOW_FROM_ROOT, {}},
    {"MPI_Isend", CW_LAYER_P2P, CW_FLOW_NONE, {}},
    {"MPI_Irecv", CW_LAYER_P2P, CW_FLOW_NONE, {}},
    {"MPI_Waitall", CW_LAYER_P2P, CW_FLOW_NONE, {}},
    {"MPI_Alltoallv", CW_LAYER_COLL, CW_FLOW_NONE, {}},
    {"MPI_Testall", CW_LAYER_P2P, CW_FLOW_NONE, {}},
    {"MPI_Sendrecv", CW_LAYER_P2P, CW_FLOW_NONE, {}},
    {"MPI_Iprobe", CW_LAYER_P2P, CW_FLOW_NONE, {}},
    {"MPI_Request_get_status", CW_LAYER_P2P, CW_FLOW_NONE, {}},
    {"MPI_Start", CW_LAYER_P2P, CW_FLOW_NONE, {}},
    {"MPI_Alltoallv_init", CW_LAYER_COLL, CW_FLOW_NONE, {}},
};
constexpr int kRanks = 64;
constexpr cw_message kNothing = {CW_PEER_NONE, CW_TAG_ANY, 0};

cw_communicator communicator() {
  cw_communicator comm{};
  comm.id = 70;
  return comm;
}

cw_event count(std::uint8_t flags, std::int32_t peer = -1, std::uint64_t bytes = 0) {
  return {0, flags, peer, 0, bytes, 0, 0};
}

cw_operation operation(std::uint64_t number, std::uint8_t flags, cw_message sent, cw_message received) {
  return {number, 0, flags, 70, sent, received, 0};
}

cw_completion completion(const cw_operation& done, std::uint8_t flags, cw_message received) {
  return {&done, flags, 0, received, 0};
}

/// One rank in a child process. It makes one call after the other; each takes 1,000 ticks and begins 500
/// after the end of the one before.
class Caller {
 public:
  /// Sets the call number of those `counts` that have none (0).
  void call(Call number, std::uint8_t flags, cw_message sent, cw_message received,
            std::vector<cw_event> counts, const std::vector<cw_operation>& posted = {},
            const std::vector<cw_completion>& completed = {}) {
    for (cw_event& count : counts) {
      if (count.call == 0) count.call = number;
    }
    cw_call made{};
    made.call = number;
    made.flags = flags;
    made.comm = &comm;
    made.sent = sent;
    made.received = received;
    made.begin = at_ + 500;
    made.end = at_ += 1500;
    made.counts = counts.data();
    made.n_counts = static_cast<std::uint32_t>(counts.size());
    made.posted = posted.data();
    made.n_posted = static_cast<std::uint32_t>(posted.size());
    made.completed = completed.data();
    made.n_completed = static_cast<std::uint32_t>(completed.size());
    cw_trace_observer.after(&made);
  }
  void send(std::int32_t peer, std::int32_t tag, std::uint64_t bytes) {
    call(kSend, CW_CALL_SENDS, {peer, tag, bytes}, kNothing, {one_call});
  }

  cw_communicator comm = communicator();
  cw_event one_call = count(CW_ROW_CALL);

 private:
  std::uint64_t at_ = cw_ticks();
};

class TracedEvents : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    directory_ = testing::TempDir() + "/cw_events_" + name + "_" + std::to_string(getpid());
    std::filesystem::remove_all(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  [[nodiscard]] EventLog log_of(const std::function<void(Caller&)>& work) const {
    const pid_t child = fork();
    if (child == 0) {
      const cw_store_job job = {directory_.c_str(), "job", "", 0, kRanks, kCalls, std::size(kCalls)};
      if (cw_store_open(&job) != nullptr) _exit(3);
      cw_store_rank()->mode = CW_MODE_EVENTS;
      cw_trace_observer.start();
      Caller caller;
      work(caller);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return read_events(directory_);
  }
  [[nodiscard]] Profile profile() const { return Profile::read(directory_); }

  std::string directory_;
};

TEST_F(TracedEvents, AreReadAsTheyWereWritten) {
  // Half of the peers get messages of one size and tag each, the other half messages of random sizes and
  // tags.
  struct Sent {
    std::int32_t peer, tag;
    std::uint64_t bytes;
  };
  std::vector<Sent> sent;
  std::mt19937 random(5);
  for (int i = 0; i < 20000; ++i) {
    const auto peer = static_cast<std::int32_t>(random() % kRanks);
    const bool regular = peer < kRanks / 2;
    sent.push_back({peer, regular ? 7 : static_cast<std::int32_t>(random() % 1000),
                    regular ? 100u * static_cast<unsigned>(1 + peer % 3) : random()});
  }
  const EventLog log = log_of([&](Caller& caller) {
    for (const Sent& one : sent) caller.send(one.peer, one.tag, one.bytes);
  });
  ASSERT_EQ(log.events.size(), sent.size());
  EXPECT_EQ(log.n_damaged, 0u);
  double last_end_s = log.events[0].begin_s;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    const Event& event = log.events[i];
    ASSERT_EQ(event.peer, sent[i].peer) << i;
    ASSERT_EQ(event.tag, sent[i].tag) << i;
    ASSERT_EQ(event.bytes, sent[i].bytes) << i;
    ASSERT_EQ(event.comm, 70u);
    ASSERT_TRUE(event.sends);
    ASSERT_LE(last_end_s, event.begin_s);
    ASSERT_LT(event.begin_s, event.end_s);
    last_end_s = event.end_s;
  }
  // A call takes 1,000 of 1,500 ticks, except for the rounding of times.
  const double length_s = log.events.back().end_s - log.events.front().begin_s;
  const double call_s = log.events[9].end_s - log.events[9].begin_s;
  EXPECT_NEAR(call_s / length_s, 1000.0 / (1500 * 20000.0 - 500), 3e-6);
}

TEST_F(TracedEvents, OfAProgramThatRepeatsItselfTakeFewBytes) {
  // An exchange with four neighbours, 5,000 times: 5 events each time.
  (void)log_of([](Caller& caller) {
    for (std::uint64_t step = 0; step < 5000; ++step) {
      std::vector<cw_completion> done;
      std::vector<cw_operation> operations;
      for (unsigned i = 0; i < 4; ++i) {
        const cw_message sent = {static_cast<std::int32_t>(i), 3, 800u << i};
        operations.push_back(operation(4 * step + i + 1, CW_CALL_SENDS, sent, kNothing));
      }
      for (const cw_operation& one : operations) {
        caller.call(kIsend, CW_CALL_SENDS, one.sent, kNothing, {caller.one_call}, {one});
        done.push_back(completion(one, 0, kNothing));
      }
      caller.call(kWaitall, CW_CALL_COMPLETES, kNothing, kNothing, {caller.one_call}, {}, done);
    }
  });
  EXPECT_EQ(profile().events().count, 25000u);
  EXPECT_LE(profile().events().bytes, 25000u * 7);
}

TEST_F(TracedEvents, TellWhatAReceiveGotWhereItAskedForSomethingElse) {
  const EventLog log = log_of([](Caller& caller) {
    const cw_operation any = operation(1, CW_CALL_RECEIVES, kNothing, {CW_PEER_ANY, CW_TAG_ANY, 4096});
    const cw_operation exact = operation(2, CW_CALL_RECEIVES, kNothing, {5, 6, 8});
    caller.call(kIrecv, CW_CALL_RECEIVES, kNothing, any.received, {caller.one_call}, {any});
    caller.call(kIrecv, CW_CALL_RECEIVES, kNothing, exact.received, {caller.one_call}, {exact});
    caller.call(kTestall, CW_CALL_COMPLETES, kNothing, kNothing, {caller.one_call});  // not recorded
    caller.call(kWaitall, CW_CALL_COMPLETES, kNothing, kNothing, {caller.one_call}, {},
                {completion(exact, CW_COMPLETED_STATUS, exact.received),
                 completion(any, CW_COMPLETED_STATUS, {9, 11, 16})});
  });
  ASSERT_EQ(log.events.size(), 3u);
  EXPECT_EQ(log.events[0].peer, 9);
  EXPECT_EQ(log.events[0].tag, 11);
  EXPECT_EQ(log.events[0].bytes, 16u);
  EXPECT_EQ(log.events[1].peer, 5);
  EXPECT_EQ(log.events[0].completed_by, 2);
  EXPECT_EQ(log.events[1].completed_by, 2);
}

TEST_F(TracedEvents, OfAPollingProgramAreThoseThatFoundSomething) {
  const cw_message asked = {CW_PEER_ANY, CW_TAG_ANY, 0};
  const EventLog log = log_of([&](Caller& caller) {
    for (int i = 0; i < 1000; ++i) caller.call(kIprobe, CW_CALL_PROBES, kNothing, asked, {caller.one_call});
    caller.call(kIprobe, CW_CALL_PROBES | CW_CALL_GOT, kNothing, {5, 6, 8}, {caller.one_call});
    for (int i = 0; i < 1000; ++i) caller.call(kGetStatus, 0, kNothing, kNothing, {caller.one_call});
    caller.call(kWaitall, CW_CALL_COMPLETES | CW_CALL_WAITS, kNothing, kNothing, {caller.one_call});
  });
  ASSERT_EQ(log.events.size(), 2u);
  EXPECT_EQ(log.calls[static_cast<std::size_t>(log.events[0].call)].name, "MPI_Iprobe");
  EXPECT_EQ(log.calls[static_cast<std::size_t>(log.events[1].call)].name, "MPI_Waitall");
}

TEST_F(TracedEvents, OfAStartedCollectiveHaveThePartsOfTheCallThatMadeIt) {
  const EventLog log = log_of([](Caller& caller) {
    cw_operation started = operation(1, 0, kNothing, kNothing);
    started.call = kAlltoallvInit;
    std::vector<cw_event> counts;
    for (std::int32_t peer = 1; peer < 4; ++peer) counts.push_back(count(CW_ROW_TO_PEER, peer, 8));
    for (cw_event& one : counts) one.call = kAlltoallvInit;
    counts.push_back(caller.one_call);
    caller.call(kStart, 0, kNothing, kNothing, counts, {started});
  });
  ASSERT_EQ(log.events.size(), 4u);
  EXPECT_TRUE(log.events[0].starts);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_TRUE(log.events[i].part && log.events[i].sends);
    EXPECT_EQ(log.events[i].peer, static_cast<std::int32_t>(i));
    EXPECT_EQ(log.events[i].bytes, 8u);
  }
}

TEST_F(TracedEvents, OfSeveralMessagesHaveAPartForEach) {
  const EventLog log = log_of([](Caller& caller) {
    caller.call(kSendrecv, CW_CALL_SENDS | CW_CALL_RECEIVES, {1, 2, 30}, {4, 5, 60}, {caller.one_call});
    std::vector<cw_event> counts = {caller.one_call};
    for (std::int32_t peer = 1; peer < kRanks; ++peer) counts.push_back(count(CW_ROW_TO_PEER, peer, 8));
    caller.call(kAlltoallv, 0, kNothing, kNothing, counts);
    caller.call(kBcast, 0, kNothing, kNothing, {count(CW_ROW_CALL | CW_ROW_COLLECTIVE, 3, 100)});
  });
  ASSERT_EQ(log.events.size(), 2u + kRanks + 1u);
  EXPECT_TRUE(log.events[0].sends);
  EXPECT_TRUE(log.events[1].part);
  EXPECT_TRUE(log.events[1].receives);
  EXPECT_EQ(log.events[1].bytes, 60u);
  EXPECT_TRUE(log.events[2].collective);
  EXPECT_EQ(log.events[2 + 17].peer, 17);
  EXPECT_EQ(log.events[2 + 17].bytes, 8u);
  EXPECT_EQ(log.events.back().peer, 3);
  EXPECT_TRUE(log.events.back().collective);
  EXPECT_EQ(log.events.back().bytes, 100u);
}

TEST_F(TracedEvents, BeyondTheLimitAreLeftOutAndCounted) {
  setenv("COREWISE_EVENT_BYTES", "40000", 1);
  const EventLog log = log_of([](Caller& caller) {
    for (int i = 0; i < 20000; ++i) caller.send(1, i % 100, static_cast<unsigned>(i));
  });
  unsetenv("COREWISE_EVENT_BYTES");
  EXPECT_LE(profile().events().bytes, 40000u);
  EXPECT_GE(log.events.size(), 2000u);
  EXPECT_EQ(log.events.size() + log.n_dropped, 20000u);
  EXPECT_EQ(profile().events().dropped, log.n_dropped);
  for (std::size_t i = 0; i < log.events.size(); ++i) ASSERT_EQ(log.events[i].bytes, i);
}

TEST_F(TracedEvents, OfAKilledProcessEndWithAWholeOne) {
  const EventLog log = log_of([](Caller& caller) {
    for (int i = 0; i < 3000; ++i) caller.send(i % kRanks, i, static_cast<unsigned>(i));
    raise(SIGKILL);
  });
  EXPECT_EQ(log.events.size(), 3000u);
  EXPECT_EQ(log.n_damaged, 0u);
}

}  // namespace
}  // namespace corewise
