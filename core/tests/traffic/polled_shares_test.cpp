/// polled_shares(): how the time of unsuccessful polling calls is divided among the gaps between calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "corewise/events.hpp"
#include "profile_builder.hpp"
#include "profile_folder.hpp"

namespace corewise {
namespace {

using ::testing::ElementsAre;

/// Indices of calls in the log, which differ from those in the profile.
constexpr std::int32_t kLogSend = 0, kLogIprobe = 1, kLogTest = 2;

class PolledShares : public ProfileFolder {
 protected:
  /// The shares for ranks with these rows in the profile.
  [[nodiscard]] std::vector<double> shares(const std::vector<std::vector<cw_profile_row>>& rows,
                                           const EventLog& log) const {
    HandMadeFile file(static_cast<std::uint32_t>(rows.size()));
    for (std::int32_t rank = 0; rank < static_cast<std::int32_t>(rows.size()); ++rank) {
      file.rank(rank).rows(rank, rows[static_cast<std::size_t>(rank)]);
    }
    return polled_shares(read(file), log);
  }
};

EventLog log_of(std::vector<Event> events) {
  EventLog log;
  log.calls = {{"MPI_Send", Layer::p2p}, {"MPI_Iprobe", Layer::p2p}, {"MPI_Test", Layer::p2p}};
  log.events = std::move(events);
  return log;
}

Event call(std::int32_t rank, std::int32_t number, double begin_s, double end_s) {
  Event event;
  event.rank = Rank{rank};
  event.call = number;
  event.begin_s = begin_s;
  event.end_s = end_s;
  return event;
}

/// 7 calls of one second together. The 0.3 us per call for the loop are below the tests' tolerance of 10 us.
cw_profile_row second_of(TestCall number) { return test_row(number, -1, 0, CW_ROW_CALL, 7, 0); }

TEST_F(PolledShares, AreTheTimeOfLooksThatFoundNothingInTheGapsThatALookEnded) {
  // Of 1 s in MPI_Iprobe, 0.2 s were successful. The other 0.8 s belong to the gaps before, 1 + 3 s.
  const EventLog log =
      log_of({call(0, kLogSend, 0, 1), call(0, kLogIprobe, 2, 2.1), call(0, kLogSend, 3, 4),
              call(0, kLogIprobe, 7, 7.1), call(1, kLogSend, 0, 1), call(1, kLogIprobe, 2, 2.1)});
  EXPECT_THAT(shares({{second_of(kSend), second_of(kIprobe)}, {second_of(kSend)}}, log),
              testing::Pointwise(testing::DoubleNear(1e-5), {0.0, 0.2, 0.0, 0.2, 0.0, 0.0}));
}

TEST_F(PolledShares, BeyondTheseGapsAreOfTheOthers) {
  // 2 s in polling calls, of which 0.1 s in a successful one. Of the rest, the gap before that call gets all
  // of its 0.4 s, the other gaps get 1.5 of their 3 s.
  const EventLog log = log_of({call(0, kLogSend, 0, 1), call(0, kLogTest, 1.4, 1.5),
                               call(0, kLogSend, 2.5, 3), call(0, kLogSend, 5, 6)});
  EXPECT_THAT(shares({{second_of(kIprobe), second_of(kTest)}}, log),
              testing::Pointwise(testing::DoubleNear(1e-5), {0.0, 1.0, 0.5, 0.5}));
  // A rank can't have polled longer than the time between its calls.
  const EventLog brief = log_of({call(0, kLogSend, 0, 1), call(0, kLogSend, 1.2, 3)});
  EXPECT_THAT(shares({{second_of(kIprobe)}}, brief), ElementsAre(0, 1));
}

TEST_F(PolledShares, HoldWhatALoopTakesAroundItsLooks) {
  // A million polling calls in 1 s, plus 0.3 us for the loop around each: 1.3 s of 2 s.
  const EventLog log = log_of({call(0, kLogSend, 0, 1), call(0, kLogTest, 3, 3)});
  EXPECT_THAT(shares({{test_row(kTest, -1, 0, CW_ROW_CALL, 1'000'000, 0)}}, log),
              testing::Pointwise(testing::DoubleNear(1e-5), {0.0, 0.65}));
}

TEST_F(PolledShares, AreOfEachThreadsGapsAndNotOfParts) {
  // No gap of thread 1 ends in a polling call. Its calls during thread 0's gap have no effect.
  Event part = call(0, kLogSend, 0, 1);
  part.part = true;
  std::vector<Event> events = {call(0, kLogSend, 0, 1), part, call(0, kLogTest, 3, 3),
                               call(0, kLogSend, 0, 1), call(0, kLogSend, 2, 9)};
  events[3].thread = events[4].thread = 1;
  EXPECT_THAT(shares({{second_of(kTest)}}, log_of(events)),
              testing::Pointwise(testing::DoubleNear(1e-5), {0.0, 0.0, 0.5, 0.0, 0.0}));
}

TEST_F(PolledShares, OfAnyCallsAddUpToWhatThePolledTimeAndTheGapsAllow) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> seconds(0, 0.4);
  for (int repeat = 0; repeat < 200; ++repeat) {
    std::vector<Event> events;
    double now_s = 0, polled_s = 1, gaps_s = 0;
    for (int i = 0; i < 6; ++i) {
      const double gap_s = seconds(random), call_s = seconds(random) / 6;
      const auto number = static_cast<std::int32_t>(random() % 3);
      events.push_back(call(0, number, now_s + gap_s, now_s + gap_s + call_s));
      if (i > 0) gaps_s += gap_s;
      if (number != kLogSend) polled_s -= call_s;
      now_s += gap_s + call_s;
    }
    const std::vector<double> found = shares({{second_of(kTest)}}, log_of(events));
    double sum_s = 0;
    for (std::size_t i = 1; i < events.size(); ++i) {
      EXPECT_GE(found[i], 0);
      EXPECT_LE(found[i], 1);
      sum_s += found[i] * (events[i].begin_s - events[i - 1].end_s);
    }
    EXPECT_NEAR(sum_s, std::min(polled_s, gaps_s), 1e-5);
  }
}

}  // namespace
}  // namespace corewise
