// Communication between nodes: reports as messages, the board, growth from report to report, requests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "made.hpp"
#include "nodes_in_c.h"

namespace {

using made::kMs;

std::unique_ptr<cw_report> made_report() {
  auto report = std::make_unique<cw_report>();
  report->number = 7;
  report->node = 1;
  report->n_ranks = 2;
  report->n_peers = 1;
  for (int rank = 0; rank < 2; ++rank) {
    report->ranks[rank] = {};
    report->ranks[rank].id = 2 + rank;
    report->ranks[rank].node = 1;
    report->ranks[rank].compute_ns = 1000 + rank;
    report->ranks[rank].cache_misses = report->ranks[rank].unexpected = report->ranks[rank].posted = -1;
  }
  report->peers[0] = {2, 0, 4096};
  return report;
}

TEST(Report, IsTheSameAfterItWasAMessageOfItsRanksAlone) {
  const auto report = made_report();
  auto again = std::make_unique<cw_report>();
  std::vector<std::uint64_t> words(CW_REPORT_WORDS);
  const int n = cw_report_pack(report.get(), words.data());
  EXPECT_LT(n, 64);  // 11 words of the head, 17 for each rank, 3 for the pair
  ASSERT_TRUE(cw_report_unpack(words.data(), n, again.get()));
  EXPECT_EQ(again->number, 7);
  EXPECT_EQ(again->ranks[1].compute_ns, 1001);
  EXPECT_EQ(again->peers[0].bytes, 4096);
}

TEST(Report, OfAnotherLengthOrWithNumbersThatNoLogMayHoldIsRefused) {
  const auto report = made_report();
  auto again = std::make_unique<cw_report>();
  std::vector<std::uint64_t> words(CW_REPORT_WORDS);
  const int n = cw_report_pack(report.get(), words.data());
  EXPECT_FALSE(cw_report_unpack(words.data(), n - 1, again.get()));
  EXPECT_FALSE(cw_report_unpack(words.data(), n + 1, again.get()));
  EXPECT_FALSE(cw_report_unpack(words.data(), 0, again.get()));
  report->ranks[0].core = CW_STEER_MOST_CORES;
  cw_report_pack(report.get(), words.data());
  EXPECT_FALSE(cw_report_unpack(words.data(), n, again.get()));
}

TEST(Report, AnyDamageIsRefusedOrStaysWithinBounds) {
  std::mt19937_64 random(3);
  const auto report = made_report();
  auto again = std::make_unique<cw_report>();
  std::vector<std::uint64_t> words(CW_REPORT_WORDS);
  for (int trial = 0; trial < 2000; ++trial) {
    const int n = cw_report_pack(report.get(), words.data());
    words[random() % n] = random() >> (random() % 64);
    if (!cw_report_unpack(words.data(), n, again.get())) continue;
    ASSERT_LE(again->n_ranks, CW_REPORT_RANKS);
    ASSERT_LE(again->n_peers, CW_REPORT_PEERS);
    for (int i = 0; i < again->n_ranks; ++i) ASSERT_LT(again->ranks[i].core, CW_STEER_MOST_CORES);
  }
}

/// Node 1 reports to node 0: its rank 2 sends to rank 0. Packets take a third of its core 0.
struct Nodes : ::testing::Test {
  NodesTest* nodes = nodes_test_make();
  std::unique_ptr<cw_steering> steering = made::steering(2, 1, 2);
  std::unique_ptr<cw_snapshot> told = made::snapshot(2);
  std::unique_ptr<cw_snapshot> seen = std::make_unique<cw_snapshot>();
  cw_rank_sample totals[2] = {};
  Nodes() {
    steering->settings.node = 1;
    for (int i = 0; i < 2; ++i) {
      told->ranks[i].id = totals[i].id = 2 + i;
      told->ranks[i].node = 1;
      totals[i].cache_misses = totals[i].unexpected = totals[i].posted = -1;
    }
    made::packets(*told, 0, 107143);  // of 700 ns each: 75 of 250 ms
  }
  ~Nodes() override { nodes_test_free(nodes); }

  void report(std::int64_t compute_ns, std::int64_t bytes) {
    totals[0].compute_ns = compute_ns;
    const cw_peer_sample peer = {2, 0, bytes};
    nodes_test_report(nodes, 1, steering.get(), told.get(), totals, 2, &peer, 1);
  }
  void deliver() {
    nodes_test_messenger(nodes, 1);
    nodes_test_messenger(nodes, 0);
  }
  void take(std::int64_t now_ns) {
    cw_snapshot_clear(seen.get());
    nodes_test_take(nodes, 0, now_ns, seen.get());
  }
};

TEST_F(Nodes, OneMessageCarriesAllRanksOfANodeAndTheOtherNodeSeesWhatTheyDidSinceTheLastOne) {
  report(5 * kMs, 1000);
  deliver();
  take(50 * kMs);
  EXPECT_EQ(seen->n_ranks, 0);  // nothing to compare with
  report(8 * kMs, 1500);
  deliver();
  take(100 * kMs);
  EXPECT_EQ(nodes_test_carried(nodes), 2);
  ASSERT_EQ(seen->n_ranks, 2);
  EXPECT_EQ(seen->ranks[0].id, 2);
  EXPECT_EQ(seen->ranks[0].node, 1);
  EXPECT_EQ(seen->ranks[0].compute_ns, 3 * kMs);
  EXPECT_EQ(seen->ranks[0].capability, 700);
  EXPECT_EQ(seen->ranks[1].capability, 1000);
  ASSERT_EQ(seen->n_peers, 1);
  EXPECT_EQ(seen->peers[0].bytes, 500);
}

TEST_F(Nodes, RanksThatToldNothingNewHaveAPlaceUntilTheirNodeIsSilentForTwoSeconds) {
  report(5 * kMs, 1000);
  deliver();
  take(50 * kMs);
  take(100 * kMs);
  ASSERT_EQ(seen->n_ranks, 2);
  EXPECT_EQ(seen->ranks[0].compute_ns, 0);
  take(2050 * kMs);
  EXPECT_EQ(seen->n_ranks, 2);
  take(2051 * kMs);
  EXPECT_EQ(seen->n_ranks, 0);
}

TEST_F(Nodes, AMessageIsSentOnlyWhenTheLastOneWasReceived) {
  for (int i = 1; i <= 5; ++i) {
    report(i * kMs, 1000 * i);
    nodes_test_messenger(nodes, 1);
    EXPECT_EQ(nodes_test_under_way(nodes, 0), 1);
  }
  EXPECT_EQ(nodes_test_carried(nodes), 1);
  nodes_test_messenger(nodes, 0);
  nodes_test_messenger(nodes, 1);  // sends the newest report
  nodes_test_messenger(nodes, 0);
  take(50 * kMs);
  report(9 * kMs, 9000);
  deliver();
  take(100 * kMs);
  ASSERT_EQ(seen->n_ranks, 2);
  EXPECT_EQ(seen->ranks[0].compute_ns, 4 * kMs);
  EXPECT_EQ(nodes_test_carried(nodes), 3);
}

TEST_F(Nodes, NothingIsSentToANodeThatExchangesNoBytesWithThisOne) {
  nodes_test_report(nodes, 1, steering.get(), told.get(), totals, 2, nullptr, 0);
  deliver();
  EXPECT_EQ(nodes_test_carried(nodes), 0);
}

TEST_F(Nodes, ARequestArrivesOnceAtTheNodeThatItIsFor) {
  report(5 * kMs, 1000);
  deliver();
  take(50 * kMs);
  cw_proposal proposal = {};
  proposal.weight = 930;
  proposal.evidence[3] = 2;  // the receiver; rank, leader and sender are rank 0
  nodes_test_ask(nodes, 1, &proposal);
  report(6 * kMs, 2000);
  deliver();
  take(100 * kMs);
  ASSERT_EQ(seen->n_requests, 1);
  EXPECT_EQ(seen->requests[0].rank, 0);
  EXPECT_EQ(seen->requests[0].capability, 930);
  EXPECT_EQ(seen->requests[0].receiver, 2);
  report(7 * kMs, 3000);
  deliver();
  take(150 * kMs);
  EXPECT_EQ(seen->n_requests, 0);
}

}  // namespace
