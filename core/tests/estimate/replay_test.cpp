/// Replays worked out by hand, comparisons with a separate slow simulation, and properties of all replays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "corewise/estimate.hpp"
#include "fluid_reference.hpp"
#include "mapping_cases.hpp"
#include "refusal.hpp"
#include "steps.hpp"

namespace corewise {
namespace {

using testing::FluidReference;
using testing::machine_with;
using testing::NamedFigures;
using testing::placed;
using testing::schedule_of_steps;

constexpr std::uint64_t kEager = 100;

/// Nodes of two packages of two cores: 1 s and 1000 bytes/s within a package, 2 s and 500 bytes/s within a
/// node, 4 s and 100 bytes/s between nodes. The eager threshold is 100 bytes.
Machine small_machine(std::size_t n_nodes, double bandwidth_factor = 1) {
  std::vector<NamedFigures> all;
  const std::vector<std::string> levels = {"package", "node", "network"};
  const std::vector<double> latencies = {1, 2, 4};
  const std::vector<double> bandwidths = {1000, 500, 100};
  for (std::size_t i = 0; i < levels.size(); ++i) {
    LinkFigures figures{latencies[i], bandwidths[i] * bandwidth_factor, "test"};
    figures.eager_bytes = kEager;
    all.push_back({levels[i], figures});
  }
  if (n_nodes == 1) all.pop_back();
  return machine_with(std::move(all), n_nodes);
}

/// Two nodes of fast links, with a network of these figures.
Machine fast_nodes(const LinkFigures& network) {
  return machine_with({{"package", {0, 1000, "test"}}, {"node", {0, 1000, "test"}}, {"network", network}}, 2);
}

const std::vector<Transfer> kExchange = {{0, 0, 1, 1000}, {0, 1, 0, 1000}};

double makespan(const std::vector<Transfer>& transfers, const Machine& machine, const Placement& placement) {
  return estimate(schedule_of_steps(placement.n_ranks(), transfers), machine, placement).makespan_s;
}

TEST(Replay, OfAFewMessagesTakesLatencyAndBytesOverTheSlowestLinkThatTheyShare) {
  const struct {
    const char* why;
    std::vector<Transfer> transfers;
    std::vector<std::int32_t> cores;
    double expected_s;
  } table[] = {
      {"within a package", {{0, 0, 1, 1000}}, {0, 1}, 1 + 1000 / 1000.0},
      {"within a node", {{0, 0, 1, 1000}}, {0, 2}, 2 + 1000 / 500.0},
      {"between nodes", {{0, 0, 1, 1000}}, {0, 4}, 4 + 1000 / 100.0},
      {"on one core", {{0, 0, 1, 1000}}, {0, 0}, 1 + 1000 / 1000.0},
      {"two over one link", {{0, 0, 2, 1000}, {0, 1, 3, 1000}}, {0, 1, 4, 5}, 4 + 2000 / 100.0},
      {"opposite directions", kExchange, {0, 4}, 4 + 1000 / 100.0},
      // Two flows into node 2 get 50 bytes/s each. The flow from node 0 to 1 gets the remaining 50 bytes/s of
      // node 0's link until the other two end (t = 4 + 20), then 100.
      {"what others leave of a link",
       {{0, 0, 2, 1000}, {0, 3, 4, 1000}, {0, 1, 5, 1500}},
       {0, 1, 8, 4, 9, 5},
       4 + 20 + 500 / 100.0},
  };
  for (const auto& row : table) {
    EXPECT_DOUBLE_EQ(makespan(row.transfers, small_machine(3), placed(row.cores)), row.expected_s) << row.why;
  }
}

Schedule late_receive(std::uint64_t bytes) {
  Schedule schedule;
  schedule.n_ranks = 2;
  schedule.messages = {{Rank{0}, Rank{1}, bytes}};
  schedule.processes = {
      {Rank{0}, true, {{Action::Kind::send, -1, 0, 0}, {Action::Kind::wait_sent, -1, 0, 0}}},
      {Rank{1},
       true,
       {{Action::Kind::compute, -1, -1, 50},
        {Action::Kind::receive, -1, 0, 0},
        {Action::Kind::wait_received, -1, 0, 0}}}};
  return schedule;
}

TEST(Replay, SendsASmallMessageBeforeItsReceiveIsPosted) {
  const Estimate found = estimate(late_receive(kEager), small_machine(2), placed({0, 4}));
  EXPECT_DOUBLE_EQ(found.makespan_s, 50);
  EXPECT_DOUBLE_EQ(found.comm_s, 0);
}

TEST(Replay, SendsALargeMessageOnceItsReceiveIsPosted) {
  const Estimate found = estimate(late_receive(1000), small_machine(2), placed({0, 4}));
  EXPECT_DOUBLE_EQ(found.makespan_s, 50 + 4 + 10);
  EXPECT_DOUBLE_EQ(found.comm_s, (64 + 14) / 2.0);
  EXPECT_EQ(found.busiest.level, 3);
  EXPECT_DOUBLE_EQ(found.busiest.busy_s, 10);
}

TEST(Replay, TakesOpenMpisHeaderOffItsEagerLimitsWhereFiguresHaveNone) {
  const LinkFigures plain{1e-6, 1e9, "test"};
  const Machine machine =
      machine_with({{"node", plain}, {"network", plain}}, 2, testing::two_level_node({2}));
  const auto sender_waits = [&](std::uint64_t bytes, std::int32_t core) {
    return estimate(late_receive(bytes), machine, placed({0, core})).comm_s >= 50 / 2.0;
  };
  EXPECT_FALSE(sender_waits(4040, 1));
  EXPECT_TRUE(sender_waits(4041, 1));
  EXPECT_FALSE(sender_waits(65480, 2));
  EXPECT_TRUE(sender_waits(65481, 2));
}

TEST(Replay, OfAReceiveThatNothingIsSentToNamesTheRankThatWaits) {
  Schedule schedule = late_receive(1000);
  schedule.calls = {"MPI_Recv"};
  for (Action& action : schedule.processes[1].actions) action.call = 0;
  schedule.processes[0].actions.clear();
  EXPECT_THAT(refusal_of([&] { (void)estimate(schedule, small_machine(2), placed({0, 4})); }),
              ::testing::HasSubstr("rank 1 waits in MPI_Recv for the message of 1000 bytes from "
                                   "rank 0 to rank 1, which never comes"));
}

TEST(Replay, OfAProcessThatIsStartedAndJoinedGoesOnBesidesItsStarter) {
  Schedule schedule;
  schedule.n_ranks = 1;
  schedule.processes = {
      {Rank{0},
       true,
       {{Action::Kind::start, -1, 1, 0}, {Action::Kind::compute, -1, -1, 3}, {Action::Kind::join, -1, 1, 0}}},
      {Rank{0}, false, {{Action::Kind::compute, -1, -1, 5}}}};
  EXPECT_DOUBLE_EQ(estimate(schedule, small_machine(1), placed({0})).makespan_s, 5);
}

TEST(Replay, OfALinkThatIsNotDuplexSharesItBothWays) {
  LinkFigures figures{0, 100, "test"};
  figures.loads = {{1, 1, false, 100, {100, 100}}, {1, 1, true, 100, {100, 100}}};
  EXPECT_DOUBLE_EQ(makespan(kExchange, fast_nodes(figures), placed({0, 4})), 20);
}

/// Nodes of two packages of two cores, without latencies: 1000 bytes/s within a package, 500 within a node,
/// 100 between nodes. Both directions of a node's link have `both` bytes/s together.
Machine hindered_both_ways(std::size_t n_nodes, double both) {
  std::vector<NamedFigures> all;
  const std::vector<std::pair<std::string, double>> levels = {
      {"package", 1000}, {"node", 500}, {"network", 100}};
  for (const auto& [name, bandwidth] : levels) {
    LinkFigures figures{0, bandwidth, "test"};
    figures.eager_bytes = kEager;
    const double together = both * bandwidth;
    if (name != "package") figures.loads = {{1, 1, true, together, {together, together}}};
    all.push_back({name, figures});
  }
  return machine_with(std::move(all), n_nodes);
}

TEST(Replay, OfALinkLimitedBothWaysTogetherGivesOneDirectionAllAndBothTheirMeasuredSum) {
  const Machine machine = hindered_both_ways(2, 1.25);
  EXPECT_DOUBLE_EQ(makespan({{0, 0, 1, 1000}}, machine, placed({0, 4})), 10);
  // Both directions have 125 bytes/s together. One message each way: 62.5 bytes/s each. Two one way and one
  // the other: a third of 125 bytes/s each, so that 1000 bytes of each have arrived after 24 s.
  const Estimate found = estimate(schedule_of_steps(2, kExchange), machine, placed({0, 4}));
  EXPECT_DOUBLE_EQ(found.makespan_s, 16);
  EXPECT_EQ(found.busiest.level, 3);
  EXPECT_TRUE(found.busiest.both_ways);
  EXPECT_DOUBLE_EQ(found.busiest.busy_s, 16);
  EXPECT_DOUBLE_EQ(makespan(kExchange, hindered_both_ways(2, 2), placed({0, 4})), 10);  // no limit of both
  const std::vector<Transfer> three = {{0, 0, 2, 1000}, {0, 1, 3, 1000}, {0, 3, 1, 1000}};
  EXPECT_DOUBLE_EQ(makespan(three, machine, placed({0, 1, 4, 5})), 24);
}

TEST(Replay, OfALinkLimitedBothWaysIsAsUnsureAsThatLimit) {
  LinkFigures network{0, 100, "test"};
  network.loads = {{1, 1, true, 125, {100, 160}}};
  const Estimate found = estimate(schedule_of_steps(2, kExchange), fast_nodes(network), placed({0, 4}));
  // The bounds give 12.5 to 20 s. The greater factor, 16 / 12.5 = 1.28, gives 16 / 1.28 to 16 * 1.28 s.
  EXPECT_NEAR(found.makespan_range_s.low, 12.5, 1e-9);
  EXPECT_NEAR(found.makespan_range_s.high, 20.48, 1e-9);
}

TEST(Replay, OfABusSharesWhatWasMeasuredOfAllItsLinks) {
  // Two pairs in one node, each on separate links: 500 bytes/s alone, 600 bytes/s together.
  LinkFigures node{0, 500, "test"};
  node.loads = {{1, 1, false, 500, {500, 500}}, {2, 2, false, 600, {600, 600}}};
  const Machine machine = machine_with({{"package", {0, 1000, "test"}}, {"node", node}}, 1,
                                       testing::two_level_node({2, 2, 2, 2}));
  const std::vector<Transfer> pairs = {{0, 0, 1, 3000}, {0, 2, 3, 3000}};
  EXPECT_DOUBLE_EQ(makespan(pairs, machine, placed({0, 2, 4, 6})), 10);
}

/// Two nodes of two packages: 100 bytes/s from each package, 50 bytes/s from each node.
Machine adapters_that_read_memory(bool rdma) {
  LinkFigures network{0, 50, "test"};
  network.rdma = rdma;
  return machine_with({{"package", {0, 1000, "test"}}, {"node", {0, 100, "test"}}, {"network", network}}, 2);
}

TEST(Replay, OfAdaptersThatReadMemoryLeavesTheLinksWithinANodeToTheCores) {
  // The first package sends 2000 bytes to the second package and 1000 bytes to the other node. If both use
  // the package's link, each gets 50 bytes/s until the shorter one ends at 20 s; the other needs 10 s more.
  const std::vector<Transfer> both = {{0, 0, 2, 2000}, {0, 1, 3, 1000}};
  const Traffic traffic = testing::traffic_of(4, {{0, 2, 2000}, {1, 3, 1000}});
  const Placement placement = placed({0, 1, 2, 4});
  for (const bool reads_memory : {false, true}) {
    const Machine machine = adapters_that_read_memory(reads_memory);
    EXPECT_DOUBLE_EQ(makespan(both, machine, placement), reads_memory ? 20 : 30);
    EXPECT_DOUBLE_EQ(estimate(traffic, {}, machine, placement).makespan_s, reads_memory ? 20 : 30);
  }
}

TEST(Replay, OfAdaptersThatReadMemoryCrossesTheirOwnLinkWhateverIsBehindIt) {
  // Two switches of two nodes: 50 bytes/s from each node, 1000 from each switch. The first node sends 1000
  // bytes to each node of the other switch.
  MachineDescription description;
  LinkFigures adapter{0, 50, "test"}, uplink{0, 1000, "test"};
  adapter.rdma = uplink.rdma = true;
  description.figures = {
      {"package", {0, 1000, "test"}}, {"node", {0, 100, "test"}}, {"switch", adapter}, {"network", uplink}};
  description.shapes = {testing::two_level_node({2, 2})};
  description.shape_of_node = {0, 0, 0, 0};
  description.network = {{"switch", {2}}, {"network", {0}}};
  const std::vector<Transfer> both = {{0, 0, 2, 1000}, {0, 1, 3, 1000}};
  EXPECT_DOUBLE_EQ(makespan(both, make_machine(description), placed({0, 1, 8, 12})), 40);
}

std::vector<Transfer> ring_steps(std::int32_t n, std::uint64_t bytes) {
  std::vector<Transfer> transfers;
  for (std::int32_t step = 0; step < n - 1; ++step) {
    for (std::int32_t i = 0; i < n; ++i) transfers.push_back({step, i, (i + 1) % n, bytes});
  }
  return transfers;
}

std::vector<Transfer> doubling_steps(std::int32_t n, std::uint64_t bytes) {
  std::vector<Transfer> transfers;
  for (std::int32_t k = 0; 1 << k < n; ++k) {
    for (std::int32_t i = 0; i < n; ++i) transfers.push_back({k, i, i ^ (1 << k), bytes << k});
  }
  return transfers;
}

std::vector<Transfer> binomial_steps(std::int32_t n, std::uint64_t bytes) {
  std::vector<Transfer> transfers;
  for (std::int32_t k = 0; 1 << k < n; ++k) {
    for (std::int32_t i = 0; i < 1 << k; ++i) transfers.push_back({k, i, i + (1 << k), bytes});
  }
  return transfers;
}

std::vector<Transfer> random_steps(std::int32_t n, std::mt19937& random) {
  std::vector<Transfer> transfers;
  std::uniform_int_distribution<std::int32_t> rank(0, n - 1);
  std::uniform_int_distribution<std::uint64_t> bytes(1, 3 * kEager);
  for (std::int32_t step = 0; step < 5; ++step) {
    for (int k = 0; k < n; ++k) {
      const std::int32_t src = rank(random);
      const std::int32_t dst = rank(random);
      if (src != dst) transfers.push_back({step, src, dst, bytes(random)});
    }
  }
  return transfers;
}

Placement random_placement(std::int32_t n, std::mt19937& random) {
  std::vector<std::int32_t> cores(static_cast<std::size_t>(n));
  std::iota(cores.begin(), cores.end(), 0);
  std::ranges::shuffle(cores, random);
  return placed(cores);
}

TEST(Replay, AgreesWithASlowSimulationAlsoWithLimitsOfBothWays) {
  std::mt19937 random(1);
  for (const Machine& machine : {small_machine(4), hindered_both_ways(4, 1.3)}) {
    for (int round = 0; round < 25; ++round) {
      const Placement placement = random_placement(16, random);
      for (const std::vector<Transfer>& transfers :
           {ring_steps(16, 300), doubling_steps(16, 40), binomial_steps(16, 300), random_steps(16, random)}) {
        const double slow_s = FluidReference(machine, placement, transfers, kEager).makespan_s();
        EXPECT_NEAR(makespan(transfers, machine, placement), slow_s, 1e-6 * slow_s);
      }
    }
  }
}

TEST(Replay, WithALimitOfBothWaysLiesBetweenSharedAndSeparateDirections) {
  std::mt19937 random(6);
  for (int round = 0; round < 25; ++round) {
    const Placement placement = random_placement(16, random);
    const std::vector<Transfer> transfers = doubling_steps(16, 1000);
    const double apart_s = makespan(transfers, hindered_both_ways(4, 2), placement);
    const double limited_s = makespan(transfers, hindered_both_ways(4, 1.3), placement);
    const double shared_s = makespan(transfers, hindered_both_ways(4, 1), placement);
    EXPECT_LE(apart_s, limited_s * (1 + 1e-9));
    EXPECT_LE(limited_s, shared_s * (1 + 1e-9));
    EXPECT_LT(apart_s, shared_s);
  }
}

TEST(Replay, HasThePropertiesOfAllReplays) {
  const Machine machine = small_machine(4);
  std::mt19937 random(2);
  std::uniform_real_distribution<double> seconds(0, 30);
  for (int round = 0; round < 50; ++round) {
    const Placement placement = random_placement(16, random);
    const std::vector<Transfer> transfers = random_steps(16, random);
    Schedule schedule = schedule_of_steps(16, transfers);
    const Estimate found = estimate(schedule, machine, placement);
    EXPECT_GE(found.makespan_s, found.busiest.busy_s);
    EXPECT_LE(found.comm_s, found.makespan_s);
    EXPECT_LE(found.makespan_range_s.low, found.makespan_s);
    EXPECT_GE(found.makespan_range_s.high, found.makespan_s);
    EXPECT_EQ(makespan(transfers, machine, placement), found.makespan_s);
    std::vector<std::int32_t> turned;  // ranks of node i move to node (i + 1) mod 4
    for (const std::int32_t core : testing::cores_of(placement)) turned.push_back((core + 4) % 16);
    EXPECT_NEAR(makespan(transfers, machine, placed(turned)), found.makespan_s, 1e-9 * found.makespan_s);
    std::vector<Transfer> chain;
    for (std::int32_t i = 0; i + 1 < 16; ++i) chain.push_back({i, i, i + 1, 1000});
    EXPECT_LT(makespan(chain, small_machine(4, 2), placement), makespan(chain, machine, placement));
    double longest_s = 0;
    for (Process& process : schedule.processes) {
      const double own_s = seconds(random);
      process.actions.insert(process.actions.begin(), {Action::Kind::compute, -1, -1, own_s});
      longest_s = std::max(longest_s, own_s);
    }
    EXPECT_GE(estimate(schedule, machine, placement).makespan_s, longest_s);
  }
}

TEST(TrafficEstimate, OfAPhaseAddsItsBusiestLinkAndTheLatenciesOfOneRank) {
  // Rank 0 sends to both ranks of node 1: 2 messages of 1000 bytes, each with a latency of 4 s.
  const Traffic traffic = testing::traffic_of(3, {{0, 1, 1000}, {0, 2, 1000}});
  const Estimate found = estimate(traffic, {}, small_machine(2), placed({0, 4, 5}));
  EXPECT_DOUBLE_EQ(found.makespan_s, 2 * 4 + 2000 / 100.0);
  EXPECT_DOUBLE_EQ(found.comm_s, found.makespan_s);
}

TEST(TrafficEstimate, AddsWhatTheSlowestRankComputes) {
  const Traffic traffic = testing::traffic_of(2, {{0, 1, 1000}});
  const Estimate found = estimate(traffic, {7, 3}, small_machine(2), placed({0, 4}));
  EXPECT_DOUBLE_EQ(found.makespan_s, 7 + 14);
  EXPECT_EQ(found.last_rank, Rank{0});
}

}  // namespace
}  // namespace corewise
