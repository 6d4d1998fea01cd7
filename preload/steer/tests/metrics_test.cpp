// The metrics on synthetic snapshots: 2x4 cores like the paper's machines, 8x8 cores, and a package with
// several L3 caches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made.hpp"

extern "C" {
#include "metrics/idleness.h"
}

namespace {

using made::kMs;

/// Number of packets that take 25 % of a core in 250 ms.
constexpr std::int64_t kQuarter = 250 * kMs / 4 / 700;

// The paper's figure 5: for each behaviour and level of core, the level to move to.
TEST(Idleness, ProcessesThatWaitGoToReducedCoresAndBusyOnesToFullCores) {
  struct {
    cw_idleness idleness;
    cw_core_level level, target;
  } const table[] = {
      {CW_IDLE_LOW, CW_CORE_REDUCED, CW_CORE_FULL},       {CW_IDLE_LOW, CW_CORE_FULL, CW_CORE_FULL},
      {CW_IDLE_MEDIUM, CW_CORE_REDUCED, CW_CORE_REDUCED}, {CW_IDLE_MEDIUM, CW_CORE_FULL, CW_CORE_FULL},
      {CW_IDLE_HIGH, CW_CORE_REDUCED, CW_CORE_REDUCED},   {CW_IDLE_HIGH, CW_CORE_FULL, CW_CORE_REDUCED},
  };
  for (const auto& row : table) EXPECT_EQ(cw_idleness_target(row.idleness, row.level), row.target);
}

// Every pair of behaviours, one on the protocol core and one elsewhere. Only one of the nine pairs swaps.
TEST(Idleness, OnlyAWaitingRankElsewhereAndABusyOneOnTheProtocolCoreSwap) {
  const double waits[] = {0.0, 0.18, 0.6};  // of the time: none, medium, high; the rest is computing
  for (const double on_protocol_core : waits) {
    for (const double elsewhere : waits) {
      const auto steering = made::steering(2, 1, 2);
      const auto seen = made::snapshot(2);
      made::share(*seen, 0, 1 - on_protocol_core, on_protocol_core);
      made::share(*seen, 1, 1 - elsewhere, elsewhere);
      made::packets(*seen, 0, kQuarter);
      made::packets(*seen, 1, 0);
      const cw_proposals found = made::proposals(*steering, *seen, "idleness");
      EXPECT_EQ(found.n, on_protocol_core == 0.0 && elsewhere == 0.6) << on_protocol_core << elsewhere;
    }
  }
}

TEST(Idleness, TheProposalNamesTheWaitingRankFirstAndPredictsItsGain) {
  // Rank 0 computes 240 ms of 250 on three quarters of a core, rank 1 100 ms on a whole core. After a swap
  // they compute 180 ms and 133 ms: 25 % less than 240.
  const auto steering = made::steering(2, 1, 2);
  const auto seen = made::snapshot(2);
  made::share(*seen, 0, 0.96, 0.0);
  made::share(*seen, 1, 0.4, 0.5);
  made::packets(*seen, 0, kQuarter);
  const cw_proposals found = made::proposals(*steering, *seen, "idleness");
  ASSERT_EQ(found.n, 1);
  EXPECT_EQ(found.at[0].rank_a, 1);
  EXPECT_EQ(found.at[0].core_b, 0);
  EXPECT_NEAR(found.at[0].gain, 250, 2);
  EXPECT_EQ(found.at[0].evidence[0], 1250);
  EXPECT_EQ(found.at[0].evidence[3], 751);
}

/// Two ranks in 250 ms. Rank 0 computes all the time on core 0, where packets, other threads (while it is
/// runnable) and interrupts take this time; rank 1 computes and waits for these parts of the time on core 1.
struct TwoRanks {
  double computes, waits;
  std::int64_t packets = 0, delay_ms = 0;
  double interrupts = -1;  // part of the time; -1: not measured
  std::int64_t tick_ns = 4 * kMs;

  /// The number of proposed swaps.
  int n_swaps() const {
    const auto steering = made::steering(2, 1, 2);
    steering->settings.tick_ns = tick_ns;
    const auto seen = made::snapshot(2);
    made::share(*seen, 0, 1.0, 0.0);
    made::share(*seen, 1, computes, waits);
    made::packets(*seen, 0, packets);
    if (interrupts >= 0) {
      seen->cores[0].irq_ns = static_cast<std::int64_t>(interrupts * 250 * kMs);
      seen->cores[seen->n_cores++] = {1, 0, 0};
    }
    seen->ranks[0].run_delay_ns = delay_ms * kMs;
    return made::proposals(*steering, *seen, "idleness").n;
  }
};

TEST(Idleness, ASwapIsProposedOnlyIfItMustGain) {
  constexpr std::int64_t kMany = kQuarter * 2 / 5;
  const struct {
    const char* why;
    TwoRanks ranks;
    int n_swaps;
  } table[] = {
      {"ratio 1: rank 0 takes a third longer because of its core",
       {.computes = 0.75, .waits = 0.25, .packets = kQuarter},
       0},
      {"ratio 1: packets take 30 % of core 0, three times the usual",
       {.computes = 0.7, .waits = 0.3, .packets = kMany},
       0},
      {"ratio 2: a gain at any cost of packets", {.computes = 0.35, .waits = 0.65, .packets = kMany}, 1},
      {"ratio 1: another thread takes 30 % and evicts data from caches",
       {.computes = 0.66, .waits = 0.34, .delay_ms = 75},
       0},
      {"other threads reduce a core too", {.computes = 0.5, .waits = 0.5, .delay_ms = 75}, 1},
      {"nothing takes time of core 0", {.computes = 0.4, .waits = 0.6}, 0},
      {"ratio 1, but only two thirds of rank 1's time are in the window",
       {.computes = 0.5, .waits = 0.17, .packets = kQuarter},
       0},
      // From packets alone, at most 35 % would be assumed, and the rest would count as the rank's own work.
      {"ratio 1: interrupts take 45 %",
       {.computes = 0.55, .waits = 0.45, .packets = kQuarter, .interrupts = 0.45},
       0},
      {"the same without a measurement of interrupts",
       {.computes = 0.55, .waits = 0.45, .packets = kQuarter},
       1},
      {"ratio 2: rank 1 has time for the interrupts",
       {.computes = 0.275, .waits = 0.725, .packets = kQuarter, .interrupts = 0.45},
       1},
      {"ratio 1.5", {.computes = 0.467, .waits = 0.533, .packets = kQuarter, .interrupts = 0.3}, 1},
      {"30 % of 250 ticks mean 24 to 36 %: a gain of 21 or 6 %",
       {.computes = 0.6, .waits = 0.4, .interrupts = 0.3},
       1},
      {"30 % of 10 ticks may mean 1 %",
       {.computes = 0.6, .waits = 0.4, .interrupts = 0.3, .tick_ns = 100 * kMs},
       0},
      // With confidence 800 of 1000, at least 3 * 1000 / 800 = 3 ticks of 4 ms are needed.
      {"too few ticks: packets count",
       {.computes = 0.4, .waits = 0.6, .packets = kQuarter, .interrupts = 0.008},
       1},
      {"enough ticks", {.computes = 0.4, .waits = 0.6, .packets = kQuarter, .interrupts = 0.012}, 0},
  };
  for (const auto& row : table) EXPECT_EQ(row.ranks.n_swaps(), row.n_swaps) << row.why;
}

TEST(Idleness, TooFewCallsOrPacketsAreNoEvidence) {
  const auto steering = made::steering(2, 1, 2);
  const auto seen = made::snapshot(2);
  made::share(*seen, 0, 1.0, 0.0);
  made::share(*seen, 1, 0.4, 0.6);
  made::packets(*seen, 0, kQuarter);
  seen->ranks[1].calls = 1;  // 4 in the window; confidence 900 of 1000 needs 4 * 1000 / 900 = 4
  EXPECT_EQ(made::proposals(*steering, *seen, "idleness").n, 1);
  steering->confidences.of[CW_MONITOR_CALLS] = 500;  // now 8 are needed
  EXPECT_EQ(made::proposals(*steering, *seen, "idleness").n, 0);
  seen->ranks[1].calls = 2;
  EXPECT_EQ(made::proposals(*steering, *seen, "idleness").n, 1);
  steering->confidences.of[CW_MONITOR_SOFTNET] = 0;  // off: nothing is known about the cores
  EXPECT_EQ(made::proposals(*steering, *seen, "idleness").n, 0);
}

TEST(Monitors, OfCallsHaveEnoughEventsInEveryWholeWindow) {
  // Otherwise a program with few calls would have each of its windows discarded.
  const auto steering = made::steering(2, 1, 2);
  const auto seen = made::snapshot(2);
  cw_analysis window = {};
  for (auto& rank : seen->ranks) rank.calls = steering->settings.window_iterations;
  cw_analysis_add(&window, seen.get());
  const cw_view view = {&steering->machine, &steering->settings, &steering->confidences, &window, nullptr};
  EXPECT_TRUE(cw_analysis_accepts(&view, CW_MONITOR_CALLS, 0));
  EXPECT_TRUE(cw_analysis_accepts(&view, CW_MONITOR_REQUESTS, 1));
}

TEST(Idleness, OfSixtyFourCoresTheRankThatWaitsMostIsProposedFirst) {
  const auto steering = made::steering(64, 8, 8);
  const auto seen = made::snapshot(64);
  for (int rank = 0; rank < 64; ++rank) made::share(*seen, rank, 1.0 - 0.01 * rank, 0.01 * rank);
  made::packets(*seen, 0, kQuarter);
  const cw_proposals found = made::proposals(*steering, *seen, "idleness");
  EXPECT_EQ(found.n, CW_MOST_PROPOSALS);
  // With the high cost of packets, they take 35 % of core 0. All ranks that compute at most 0.75 * 0.65 as
  // long as rank 0 give the same gain: ranks 52 to 63.
  EXPECT_EQ(found.at[0].rank_a, 52);
}

struct Topology {
  const char* name;
  int n_cores, per_cache, per_numa;
};

/// The paper's machines (a cache for two cores), eight packages of eight cores, and a package with an L3
/// cache for each four cores.
constexpr Topology kTopologies[] = {{"2x4", 8, 2, 4}, {"8x8", 64, 8, 8}, {"CCX", 32, 4, 32}};

TEST(EveryTopology, OutOfSyncTheSlowerRankChangesWithOneOnACoreLikeItsPeers) {
  for (const Topology& on : kTopologies) {
    SCOPED_TRACE(on.name);
    const auto steering = made::steering(on.n_cores, on.per_cache, on.per_numa);
    const auto seen = made::snapshot(on.n_cores);
    made::bytes(*seen, 3, 5, 1 << 20);
    seen->ranks[3].unsent_compute_ns = 100 * kMs;
    seen->ranks[3].unsent_bytes = seen->ranks[3].backlog_bytes = 1 << 20;
    made::share(*seen, 5, 0.4, 0.5);
    for (const int slower : {3, 5}) {
      seen->n_cores = 0;
      made::packets(*seen, slower, kQuarter);
      const cw_proposals found = made::proposals(*steering, *seen, "out-of-sync");
      ASSERT_EQ(found.n, std::min<int>(on.n_cores - 2, CW_MOST_PROPOSALS));
      EXPECT_EQ(found.at[0].kind, CW_PROPOSE_SWAP);
      EXPECT_EQ(found.at[0].rank_a, slower);
      EXPECT_EQ(found.at[0].rank_b, 0);
    }
  }
}

TEST(EveryTopology, CacheLocalityTheHeaviestRankGoesBesideTheProtocolCoreUnderItsCache) {
  for (const Topology& on : kTopologies) {
    SCOPED_TRACE(on.name);
    const auto steering = made::steering(on.n_cores, on.per_cache, on.per_numa);
    const auto seen = made::snapshot(on.n_cores);
    made::packets(*seen, 0, 50000);
    made::bytes(*seen, on.n_cores - 1, 100, 1 << 30);  // rank 100 is on another node
    made::bytes(*seen, on.per_cache, 101, 1 << 20);
    const cw_proposals found = made::proposals(*steering, *seen, "cache-locality");
    ASSERT_GE(found.n, 1);
    EXPECT_EQ(found.at[0].rank_a, on.n_cores - 1);
    EXPECT_EQ(found.at[0].rank_b, 1);
    for (int i = 0; i < found.n; ++i) EXPECT_LT(found.at[i].core_b, on.per_cache);
  }
}

/// 2x4 cores. Rank 0 sends to rank 4, which is in the other package.
struct OutOfSync : ::testing::Test {
  std::unique_ptr<cw_steering> steering = made::steering(8, 2, 4);
  std::unique_ptr<cw_snapshot> seen = made::snapshot(8);
  OutOfSync() {
    made::bytes(*seen, 0, 4, 1 << 20);
    seen->ranks[0].unsent_compute_ns = 100 * kMs;
    seen->ranks[0].unsent_bytes = seen->ranks[0].backlog_bytes = 1 << 20;
    made::share(*seen, 4, 0.4, 0.5);
  }
  cw_proposals proposals() { return made::proposals(*steering, *seen, "out-of-sync"); }
  /// Proposed are `n` changes, the first of this kind for this rank; a swap would be with rank 1.
  void expect(int n, std::int64_t kind, int rank) {
    const cw_proposals found = proposals();
    ASSERT_EQ(found.n, n);
    EXPECT_EQ(found.at[0].kind, kind);
    EXPECT_EQ(found.at[0].rank_a, rank);
    if (kind == CW_PROPOSE_SWAP) {
      EXPECT_EQ(found.at[0].rank_b, 1);
    }
  }
};

TEST_F(OutOfSync, OnCoresAlikeProgressIsMissing) {
  expect(1, CW_PROPOSE_ASSISTANCE, 0);
  seen->ranks[0].assisted = 1;
  EXPECT_EQ(proposals().n, 0);
}

TEST_F(OutOfSync, WhereTheSocketsHaveRoomProgressIsMissingUnlessMessagesWaitForTheReceiver) {
  made::packets(*seen, 0, kQuarter);
  seen->ranks[0].backlog_bytes = 0;
  expect(1, CW_PROPOSE_ASSISTANCE, 0);
  seen->ranks[4].unexpected = 3;
  expect(6, CW_PROPOSE_SWAP, 0);
  seen->ranks[4].posted = 0;
  expect(6, CW_PROPOSE_SWAP, 0);
  seen->ranks[4].posted = 1;  // the receiver asked for the message; those that wait are of others
  expect(1, CW_PROPOSE_ASSISTANCE, 0);
  seen->ranks[0].assisted = 1;  // the symptom persists with assistance: then the cores matter
  expect(6, CW_PROPOSE_SWAP, 0);
}

TEST_F(OutOfSync, BelowEitherThresholdThereIsNoSymptom) {
  seen->ranks[0].unsent_compute_ns = 49 * kMs;
  EXPECT_EQ(proposals().n, 0);
  seen->ranks[0].unsent_compute_ns = 50 * kMs;
  EXPECT_EQ(proposals().n, 1);
  made::share(*seen, 4, 0.4, 0.19);
  EXPECT_EQ(proposals().n, 0);
}

TEST_F(OutOfSync, OfSeveralPairsTheOneThatWaitsMostIsHelped) {
  made::bytes(*seen, 3, 6, 1 << 20);
  seen->ranks[3].unsent_compute_ns = 100 * kMs;
  made::share(*seen, 6, 0.2, 0.7);
  expect(1, CW_PROPOSE_ASSISTANCE, 3);
}

/// A package with two L3 caches for four cores each, in one NUMA domain: 0123 4567. Core 0 processes the
/// packets.
struct Ccx : ::testing::Test {
  std::unique_ptr<cw_steering> steering = made::steering(8, 4, 8);
  std::unique_ptr<cw_snapshot> seen = made::snapshot(8);
  Ccx() { made::packets(*seen, 0, 50000); }
  cw_proposals proposals() { return made::proposals(*steering, *seen, "cache-locality"); }
};

TEST_F(Ccx, TheHeaviestRankOfTheOtherCacheChangesWithALightOneBesideTheProtocolCore) {
  made::bytes(*seen, 5, 100, 1 << 30);  // rank 100 is on another node
  made::bytes(*seen, 6, 101, 1 << 20);
  made::bytes(*seen, 1, 102, 1 << 28);
  const cw_proposals found = proposals();
  ASSERT_GE(found.n, 1);
  EXPECT_EQ(found.at[0].rank_a, 5);
  EXPECT_EQ(found.at[0].rank_b, 2);
  EXPECT_EQ(found.at[0].confidence, 450);
}

TEST_F(Ccx, TrafficWithinTheNodeDoesNotCount) {
  made::bytes(*seen, 5, 6, 1 << 30);
  EXPECT_EQ(proposals().n, 0);
}

TEST_F(Ccx, WithCountedMissesTheHeavyRankMustMissMore) {
  made::bytes(*seen, 5, 100, 1 << 30);
  for (int rank = 0; rank < 8; ++rank) seen->ranks[rank].cache_misses = 100000;
  EXPECT_EQ(proposals().n, 0);
  seen->ranks[5].cache_misses = 300000;
  ASSERT_EQ(proposals().n, 3);
  EXPECT_EQ(proposals().at[0].confidence, 800);
}

TEST_F(Ccx, WhereTheNeighboursAreHeavyTooTheProtocolCoreServesOneMore) {
  for (const int rank : {1, 2, 3, 5}) made::bytes(*seen, rank, 100 + rank, 1 << 30);
  EXPECT_EQ(proposals().n, 0);  // not without miss counts
  for (int rank = 0; rank < 8; ++rank) seen->ranks[rank].cache_misses = rank == 5 ? 300000 : 100000;
  const cw_proposals found = proposals();
  ASSERT_EQ(found.n, 1);
  EXPECT_EQ(found.at[0].rank_a, 5);
  EXPECT_EQ(found.at[0].rank_b, 0);
}

TEST_F(Ccx, WithoutAProtocolCoreThereIsNoNearAndFar) {
  made::bytes(*seen, 5, 100, 1 << 30);
  for (int core = 1; core < 8; ++core) made::packets(*seen, core, 50000);
  EXPECT_EQ(proposals().n, 0);
}

TEST(Placement, SwapsThatBringBothRanksHomeGoFirst) {
  // Ranks 0 to 3 on cores 0 to 3 should be on cores 1, 2, 0, 3; ranks 4 and 5 should exchange their cores.
  const auto steering = made::steering(6, 1, 6);
  const auto seen = made::snapshot(6);
  const std::int64_t wanted[] = {1, 2, 0, 3, 5, 4};
  for (int rank = 0; rank < 6; ++rank) seen->targets[seen->n_targets++] = {rank, wanted[rank]};
  const cw_proposals found = made::proposals(*steering, *seen, "placement");
  ASSERT_EQ(found.n, 5);
  EXPECT_EQ(found.at[0].rank_a, 4);
  EXPECT_EQ(found.at[0].rank_b, 5);
  EXPECT_EQ(found.at[2].rank_a, 0);
}

}  // namespace
