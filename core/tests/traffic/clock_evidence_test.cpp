/// Bounds on the clocks of two nodes from events, worked out by hand. Node 1 is 5 s ahead in all cases.
#include "traffic/clock_evidence.hpp"

#include <corewise_formats/profile.h>
#include <gtest/gtest.h>

namespace corewise {
namespace {

enum Call : std::int32_t { kSsend, kRecv, kIssend, kWait, kBarrier, kAllreduce, kBcast };
constexpr std::uint64_t kComm = 7;

class ClockEvidenceOf : public testing::Test {
 protected:
  ClockEvidenceOf() {
    const auto call = [&](const char* name, Layer layer, int flow) {
      log_.calls.push_back({name, layer});
      order_.push_back(order_of(log_.calls.back(), flow));
    };
    call("MPI_Ssend", Layer::p2p, CW_FLOW_NONE);
    call("MPI_Recv", Layer::p2p, CW_FLOW_NONE);
    call("MPI_Issend", Layer::p2p, CW_FLOW_NONE);
    call("MPI_Wait", Layer::p2p, CW_FLOW_NONE);
    call("MPI_Barrier", Layer::coll, CW_FLOW_NONE);
    call("MPI_Allreduce", Layer::coll, CW_FLOW_THROUGH_FIRST);
    call("MPI_Bcast", Layer::coll, CW_FLOW_FROM_ROOT);
  }

  Event& event(std::int32_t rank, Call call, double begin_s, double end_s) {
    Event added;
    added.rank = Rank{rank};
    added.call = call;
    added.begin_s = begin_s;
    added.end_s = end_s;
    added.comm = kComm;
    return log_.events.emplace_back(added);
  }
  void collective(std::int32_t rank, Call call, double begin_s, double end_s, std::uint64_t bytes = 8) {
    Event& added = event(rank, call, begin_s, end_s);
    added.collective = true;
    added.bytes = bytes;
  }

  /// The clock of node 1, where rank 1 is; ranks 0 and 2 are on node 0.
  [[nodiscard]] NodeClock clock(std::set<std::uint64_t> identified = {kComm}) const {
    ClockComparison comparison;
    add_evidence({log_, {0, 1, 0}, order_, std::move(identified)}, comparison);
    return comparison.clocks({{10, 20}, {16, 16}})[1];
  }

  EventLog log_;
  std::vector<Order> order_;
};

TEST_F(ClockEvidenceOf, ASynchronousSendBindsFromBothSides) {
  // Rank 1's clock is ahead: at most 7 s, as a message sent at 10 is received at 17; at least 3 s, as a send
  // completes at 11 whose receive was posted at 14.
  event(0, kSsend, 10, 11).sends = true;
  event(1, kRecv, 14, 17).receives = true;
  log_.events[0].matches = 1;
  log_.events[1].matches = 0;
  EXPECT_NEAR(clock().error_s.value(), 2, 0.01);
  EXPECT_NEAR(clock().at(16), 11, 0.01);
}

TEST_F(ClockEvidenceOf, ASynchronousSendWithARequestEndsWhereItIsWaitedFor) {
  event(0, kIssend, 10, 10.5).sends = true;
  log_.events[0].starts = true;
  log_.events[0].completed_by = 1;
  event(0, kWait, 10.5, 11);
  event(1, kRecv, 14, 17).receives = true;
  log_.events[0].matches = 2;
  log_.events[2].matches = 0;
  EXPECT_NEAR(clock().error_s.value(), 2, 0.01);
}

TEST_F(ClockEvidenceOf, NobodyLeavesABarrierBeforeAllHaveEnteredIt) {
  // Node 0: last entry at 12, first exit at 14. Node 1: entry at 16, exit at 18, so it is 2 to 6 s ahead.
  collective(0, kBarrier, 10, 14, 0);
  collective(1, kBarrier, 16, 18, 0);
  collective(2, kBarrier, 12, 15, 0);
  EXPECT_NEAR(clock().error_s.value(), 2, 0.01);
  EXPECT_NEAR(clock().at(16), 12, 0.01);
}

TEST_F(ClockEvidenceOf, AnAllreduceWithoutBytesBindsNobody) {
  collective(0, kAllreduce, 10, 14, 0);
  collective(1, kAllreduce, 16, 18, 0);
  EXPECT_FALSE(clock().error_s.has_value());
}

TEST_F(ClockEvidenceOf, ABroadcastBindsNobodyAndIsCounted) {
  // The allreduce is the second collective of each rank: rank 1's clock is 16 - 14 to 18 - 10 s ahead.
  collective(0, kBcast, 1, 2);
  collective(0, kAllreduce, 10, 14);
  collective(1, kBcast, 6, 7);
  collective(1, kAllreduce, 16, 18);
  EXPECT_NEAR(clock().error_s.value(), 3, 0.01);
}

TEST_F(ClockEvidenceOf, CollectivesThatCannotBeTheSameAreLeftOut) {
  collective(0, kBcast, 1, 2);
  collective(0, kAllreduce, 10, 14);
  collective(1, kAllreduce, 16, 18);
  EXPECT_FALSE(clock().error_s.has_value());
}

TEST_F(ClockEvidenceOf, CollectivesOfCommunicatorsThatShareAnIdAreLeftOut) {
  collective(0, kBarrier, 10, 14, 0);
  collective(1, kBarrier, 16, 18, 0);
  EXPECT_FALSE(clock({}).error_s.has_value());
}

TEST_F(ClockEvidenceOf, CollectivesOfALogThatIsNotWholeAreLeftOut) {
  collective(0, kBarrier, 10, 14, 0);
  collective(1, kBarrier, 16, 18, 0);
  EXPECT_TRUE(clock().error_s.has_value());
  log_.n_dropped = 1;
  EXPECT_FALSE(clock().error_s.has_value());
}

}  // namespace
}  // namespace corewise
