/// Advice: the guideline's thresholds, gains and reasons on small machines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "corewise/advice.hpp"
#include "corewise/solver.hpp"
#include "mapping_cases.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;
using ::testing::HasSubstr;

constexpr std::uint64_t kLarge = 1 << 20;
constexpr GainErrors kErrors{0.8, 1.1};

Placement in_order(std::int32_t n_ranks) {
  std::vector<std::int32_t> cores(n_ranks);
  std::iota(cores.begin(), cores.end(), 0);
  return placed(cores);
}

/// Every rank sends `bytes` to every other rank.
Traffic all_to_all(std::int32_t n_ranks, std::uint64_t bytes) {
  std::vector<Message> messages;
  for (std::int32_t src = 0; src < n_ranks; ++src) {
    for (std::int32_t dst = 0; dst < n_ranks; ++dst) {
      if (src != dst) messages.push_back({src, dst, bytes});
    }
  }
  return traffic_of(n_ranks, messages);
}

/// As machine_of(), but with realistic latencies; those of machine_of() are seconds and hide the bytes.
Machine fast_network(std::size_t n_nodes, double network_bandwidth) {
  std::vector<NamedFigures> figures = {{"package", {1e-7, 4e9, "test"}}, {"node", {2e-7, 2e9, "test"}}};
  if (n_nodes > 1) figures.push_back({"network", {1e-7, network_bandwidth, "test"}});
  return machine_with(std::move(figures), n_nodes);
}

/// Advice with the placements that solver auto finds; with the default as `best` if auto finds no better one.
Advice advised(const Traffic& traffic, const Machine& machine, const Placement& default_placement,
               const std::optional<MeasuredTimes>& times = {}, const SolverOptions& options = {}) {
  MappingProblem problem{traffic, machine, objective(machine.has_figures() ? "time" : "hop-bytes")};
  const Solution best = solve(problem, "auto", options);
  const bool is_better = best.score < problem.objective.evaluate(traffic, machine, default_placement);
  problem.worst = true;
  const Solution worst = solve(problem, "auto", options);
  const Placement& offered = is_better ? best.placement : default_placement;
  return advise(traffic, machine, {default_placement, offered, worst.placement, best.proven}, times, kErrors);
}

// Two pairs of ranks on a node of two packages of two cores, where `kParted` separates both pairs. Parted: 2
// * 2^20 B at 500 B/s between packages. Together: 2^20 B at 1000 B/s to each core, a quarter of that time.
const Traffic kPairs = traffic_of(4, {{0, 1, kLarge}, {2, 3, kLarge}});
const Machine kNode = machine_of({two_level_node({2, 2})});
const Placement kParted = placed({0, 2, 1, 3});

TEST(Advise, SaysThatMessagesBetweenPackagesOfANodeMatter) {
  // Even ranks send to the next odd rank. The default places both ranks of each pair on different packages.
  const Advice advice = advised(kPairs, kNode, kParted);
  EXPECT_EQ(advice.matters, Matters::yes);
  // Default: 2 * 2^20 B at 500 B/s between packages. Best: 2^20 B at 1000 B/s to each core, a quarter.
  EXPECT_DOUBLE_EQ(advice.gain.expected, 0.75);
  EXPECT_LT(advice.gain.low, 0.75);
  EXPECT_GT(advice.gain.high, 0.75);
  EXPECT_EQ(advice.ratio, 0);
  EXPECT_THAT(advice.because, HasSubstr("one node"));
}

TEST(Advise, IsNotSureOfSilentProgramsSmallMessagesAndTreesWithoutFigures) {
  const Traffic small = traffic_of(4, {{0, 1, 32 * 1024 - 1}, {2, 3, 32 * 1024 - 1}});
  const Machine tree = make_tree_machine(std::vector<std::int32_t>{2, 2}, {});
  const struct {
    Advice advice;
    Matters matters;
    const char* because;
  } table[] = {
      {advised(traffic_of(4, {}), draco(1), in_order(4)), Matters::no, "no messages"},
      {advised(small, kNode, kParted), Matters::unsure, "32 KiB"},
      {advised(kPairs, tree, kParted), Matters::unsure, "no latencies"},
  };
  for (const auto& row : table) {
    EXPECT_EQ(row.advice.matters, row.matters) << row.because;
    EXPECT_THAT(row.advice.because, HasSubstr(row.because));
  }
}

TEST(Advise, KeepsADefaultThatIsTheBestWherePlacementMatters) {
  const Advice advice = advised(kPairs, kNode, in_order(4));
  EXPECT_EQ(advice.matters, Matters::yes);
  EXPECT_EQ(advice.gain.high, 0);
  // The worst placement separates both pairs. The default needs a quarter of its time, as above.
  EXPECT_THAT(advice.because, HasSubstr("no placement is predicted to beat the default, which saves 75.0 %"));
}

TEST(Advise, PredictsALossWhereTheDefaultIsFasterThanTheBestThatWasFound) {
  // Separating both pairs takes four times as long as keeping them together, as above: 1 - 4 = -3.
  const Placement together = in_order(4);
  const Advice advice = advise(kPairs, kNode, {together, kParted, kParted}, {}, kErrors);
  EXPECT_DOUBLE_EQ(advice.gain.expected, -3);
  EXPECT_LT(advice.gain.low, -3);
  EXPECT_GT(advice.gain.high, -3);
  EXPECT_LT(advice.gain.high, 0);
  EXPECT_EQ(advice.matters, Matters::yes);
  EXPECT_THAT(advice.because,
              HasSubstr("no placement found is predicted to beat the default, which saves 75.0 %"));
}

TEST(Advise, FollowsTheGuidelineOnTheNodesOfThePaper) {
  // Section V: placement matters for the ring (ratio 1/7) on 1 and 16 nodes, but not for all-to-all (120/7).
  const SolverOptions quick{1, Effort::fast, {}};
  const Machine cluster = draco(16);
  const auto advice = [&](const Traffic& traffic, const Machine& machine) {
    return advised(traffic, machine, in_order(traffic.n_ranks()), {}, quick);
  };
  EXPECT_EQ(advice(ring(8, kLarge), draco(1)).matters, Matters::yes);
  const Advice of_ring = advice(ring(128, kLarge), cluster);
  EXPECT_EQ(of_ring.matters, Matters::yes);
  EXPECT_DOUBLE_EQ(of_ring.ratio.value(), 1.0 / 7);
  const Advice of_all = advice(all_to_all(128, kLarge), cluster);
  EXPECT_EQ(of_all.matters, Matters::no);
  EXPECT_DOUBLE_EQ(of_all.ratio.value(), 120.0 / 7);
}

TEST(Advise, IsUnsureWhereAPredictedGainContradictsTheGuideline) {
  // All-to-all over two nodes of four cores: 32 messages between nodes, 24 within. Neighbours send three more
  // to each other, so the ratio is 32 / 36. The default separates the neighbours of each pair, between the
  // packages of a node; most of the time is spent there, because the network is fast.
  std::vector<Message> messages;
  for (std::int32_t src = 0; src < 8; ++src) {
    for (std::int32_t dst = 0; dst < 8; ++dst) {
      const bool neighbours = src / 2 == dst / 2;
      if (src != dst) messages.push_back({src, dst, (neighbours && src < dst ? 4 : 1) * kLarge});
    }
  }
  const Traffic traffic = traffic_of(8, messages);
  const Advice advice = advised(traffic, fast_network(2, 64e9), placed({0, 2, 1, 3, 4, 6, 5, 7}));
  EXPECT_DOUBLE_EQ(advice.ratio.value(), 32.0 / 36);
  EXPECT_GE(advice.gain.expected, 0.05);
  EXPECT_EQ(advice.matters, Matters::unsure);
  EXPECT_THAT(advice.because,
              HasSubstr("negligible; the model disagrees with it: the best placement is predicted to save"));
}

TEST(Advise, TakesKnownSizesOverTheAverageOfAPair) {
  // 999 empty messages and one of 2^20 B: 1 KiB on average, but all bytes are in one large message.
  Traffic traffic = Traffic::of(CommMatrix::from_entries(4, {{Rank{0}, Rank{1}, kLarge, 1000}}));
  const Machine machine = fast_network(1, 1e9);
  EXPECT_EQ(advised(traffic, machine, kParted).matters, Matters::unsure);
  traffic.large = LargeMessages{32 * 1024, matrix_of(4, {{0, 1, kLarge}})};
  EXPECT_EQ(advised(traffic, machine, kParted).matters, Matters::yes);
}

TEST(Advise, SaysThatBytesBetweenNodesMatterWhereTheyCanBeSaved) {
  // Two nodes of 4 cores. The default separates every pair.
  const Traffic traffic = traffic_of(8, {{0, 4, kLarge}, {1, 5, kLarge}, {2, 6, kLarge}, {3, 7, kLarge}});
  const Advice advice = advised(traffic, fast_network(2, 1e9), in_order(8));
  EXPECT_EQ(advice.matters, Matters::yes);
  EXPECT_FALSE(advice.ratio.has_value());
  EXPECT_THAT(advice.because, HasSubstr("100.0 % fewer bytes between nodes"));
}

TEST(Advise, PromisesNoMoreThanTransferExplainsOfTheRun) {
  // Default: 2 * 2^20 B at 500 B/s between packages, 4194.3 s. With pairs together a quarter: 3/4 is saved.
  const double transfer_s = 2 * kLarge / 500.0;
  const auto timed = [&](MeasuredTimes times) { return advised(kPairs, kNode, kParted, times); };
  // Transfer takes a tenth of the run; nine tenths of the run are inside MPI.
  const Advice waiting = timed({10 * transfer_s, 9 * transfer_s});
  EXPECT_TRUE(waiting.gain_is_of_run);
  EXPECT_DOUBLE_EQ(waiting.transfer_share.value(), 0.1);
  EXPECT_DOUBLE_EQ(waiting.gain.expected, 0.075);
  EXPECT_THAT(waiting.because, HasSubstr("90.0 % of it inside MPI, 10.0 % explained by transfer"));
  // Only a twentieth of the run is inside MPI: the prediction is too pessimistic.
  EXPECT_DOUBLE_EQ(timed({2 * transfer_s, 0.1 * transfer_s}).gain.expected, 0.05 * 0.75);
}

TEST(Advise, LeavesAloneARunThatOnlyWaitsInsideMpi) {
  const double transfer_s = 2 * kLarge / 500.0;
  const Advice waiting = advised(kPairs, kNode, kParted, MeasuredTimes{1000 * transfer_s, 800 * transfer_s});
  EXPECT_EQ(waiting.matters, Matters::no);
  EXPECT_LT(waiting.gain.expected, 0.002);
  EXPECT_THAT(waiting.because, HasSubstr("80.0 % of the run inside MPI, but transfer explains only 0.1 %"));
  const Advice computing = advised(kPairs, kNode, kParted, MeasuredTimes{100 * transfer_s, transfer_s});
  EXPECT_EQ(computing.matters, Matters::no);
  EXPECT_THAT(computing.because, HasSubstr("only 1.0 % of the run"));
}

TEST(Advise, SaysThatCoresUnderOneCacheHaveNothingToWin) {
  // Four ranks on two cores: placements differ only in which ranks share a core.
  const Machine two_cores = machine_of({two_level_node({2})});
  const Advice advice =
      advise(kPairs, two_cores, {placed({0, 1, 0, 1}), placed({0, 0, 1, 1}), placed({0, 1, 0, 1})},
             MeasuredTimes{1e4, 5e3}, kErrors);
  EXPECT_EQ(advice.matters, Matters::no);
  EXPECT_EQ(advice.gain.low, 0);
  EXPECT_EQ(advice.gain.high, 0);
  EXPECT_THAT(
      advice.because,
      HasSubstr("all 2 cores share one node and are equally near to each other: placement cannot help"));
}

TEST(Advise, TrustsAssumedFiguresLess) {
  const Machine machine = machine_with({{"package", {1, 1000, "assumed"}}, {"node", {2, 500, "assumed"}}}, 1);
  const Advice assumed = advised(kPairs, machine, kParted);
  const Advice known = advised(kPairs, kNode, kParted);
  EXPECT_DOUBLE_EQ(assumed.gain.expected, known.gain.expected);
  EXPECT_LT(assumed.gain.low, known.gain.low);
  EXPECT_GT(assumed.gain.high, known.gain.high);
}

TEST(Advise, IsWiderWhereFiguresHaveWiderBounds) {
  // Default: between packages at 500 B/s. Best: within packages at 1000 B/s. Ratio of times 1/4, as above.
  const auto advice = [](std::optional<Bounds> of_package, std::optional<Bounds> of_node) {
    LinkFigures package{1, 1000, "measured"}, node{2, 500, "measured"};
    package.bandwidth_bounds_bytes_per_s = of_package;
    node.bandwidth_bounds_bytes_per_s = of_node;
    return advised(kPairs, machine_with({{"package", package}, {"node", node}}, 1), kParted);
  };
  const Advice without = advice({}, {});
  EXPECT_DOUBLE_EQ(without.gain.low, 1 - 0.25 / 0.8);
  EXPECT_DOUBLE_EQ(without.gain.high, 1 - 0.25 / 1.1);
  const Advice exact = advice(Bounds{1000, 1000}, Bounds{500, 500});
  EXPECT_DOUBLE_EQ(exact.gain.low, without.gain.low);
  EXPECT_DOUBLE_EQ(exact.gain.high, without.gain.high);
  // Half the bandwidth within packages doubles only the time of the best placement. The ratio moves by a
  // factor of 2 to 1/2 or 1/8. The errors move it by 0.8 or 1.1.
  const Advice one = advice(Bounds{500, 1000}, {});
  EXPECT_DOUBLE_EQ(one.gain.expected, 0.75);
  const double falls = std::log(1.1), grows = -std::log(0.8), twice = std::log(2);
  EXPECT_NEAR(one.gain.low, 1 - 0.25 * std::exp(std::hypot(twice, grows)), 1e-12);
  EXPECT_NEAR(one.gain.high, 1 - 0.25 / std::exp(std::hypot(twice, falls)), 1e-12);
  // Half the bandwidth between packages doubles the time of the default: a second move by a factor of 2.
  const Advice both = advice(Bounds{500, 1000}, Bounds{250, 500});
  EXPECT_NEAR(both.gain.low, 1 - 0.25 * std::exp(std::hypot(twice, twice, grows)), 1e-12);
}

TEST(Advise, TakesErrorsAsFactorsOfTheLongerOverTheShorterTime) {
  const auto gain = [](const Placement& from, const Placement& to, const GainErrors& errors) {
    return advise(kPairs, kNode, {from, to, kParted}, {}, errors).gain;
  };
  // Predicted: 4 times as long. Measured: 2 to 8 times as long.
  const GainInterval won = gain(kParted, in_order(4), {0.5, 2});
  EXPECT_DOUBLE_EQ(won.low, 0.5);
  EXPECT_DOUBLE_EQ(won.high, 0.875);  // a gain is never above 1
  // 0.5 to 4 times as long: the best placement may be slower.
  EXPECT_DOUBLE_EQ(gain(kParted, in_order(4), {0.125, 1}).low, -1);
  // The placement offered takes 4 times as long. Measured: 2 to 12 times as long.
  const GainInterval lost = gain(in_order(4), kParted, {0.5, 3});
  EXPECT_DOUBLE_EQ(lost.low, -11);
  EXPECT_DOUBLE_EQ(lost.high, -1);
}

TEST(Advise, ExpectsOtherPlacementsOfTheSameTimeToDifferByWhatItDoesNotSee) {
  const auto gain_over_order = [&](const Placement& best) {
    return advise(kPairs, kNode, {in_order(4), best, kParted}, {}, {0.8, 1.25}).gain;
  };
  const GainInterval of_other = gain_over_order(placed({2, 3, 0, 1}));
  EXPECT_DOUBLE_EQ(of_other.low, -0.25);
  EXPECT_EQ(of_other.expected, 0);
  EXPECT_DOUBLE_EQ(of_other.high, 0.2);
  const GainInterval of_itself = gain_over_order(in_order(4));
  EXPECT_EQ(of_itself.low, 0);
  EXPECT_EQ(of_itself.high, 0);
}

TEST(Advise, CallsTimesThatArePredictedAlikeTheSame) {
  // All placements of an all-to-all exchange are predicted to take the same time. Their measured times may
  // differ by a quarter, but that gives no reason to search for a better placement.
  const Advice advice =
      advise(all_to_all(4, kLarge), kNode, {in_order(4), kParted, placed({3, 1, 2, 0})}, {}, {0.8, 1.25});
  EXPECT_EQ(advice.matters, Matters::no);
  EXPECT_EQ(advised(all_to_all(4, kLarge), kNode, in_order(4)).gain.high, 0);
  EXPECT_THAT(advice.because, HasSubstr("same time"));
}

TEST(Advise, HasNoDoubtsAboutARatioOfZero) {
  // On a bare tree, hop-bytes are compared. Two ranks on the same core have 0, and every multiple of 0 is 0.
  const Machine tree = make_tree_machine(std::vector<std::int32_t>{2, 2}, {});
  const Advice advice = advise(traffic_of(2, {{0, 1, kLarge}}), tree,
                               {placed({0, 2}), placed({0, 0}), placed({0, 2})}, {}, {0.5, 2});
  EXPECT_EQ(advice.gain.low, 1);
  EXPECT_EQ(advice.gain.high, 1);
}

TEST(Advise, OffersSpreadWhereTheNetworkIsFasterThanSharedMemory) {
  const Traffic traffic = all_to_all(8, kLarge);
  EXPECT_TRUE(advised(traffic, fast_network(2, 8e9), in_order(8)).offer_spread);
  EXPECT_FALSE(advised(traffic, fast_network(2, 1e9), in_order(8)).offer_spread);
}

}  // namespace
}  // namespace corewise
