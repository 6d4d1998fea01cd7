/// Objectives: scores worked out by hand on small trees.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "corewise/error.hpp"
#include "corewise/objective.hpp"
#include "mapping_cases.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;
using ::testing::ElementsAre;

std::vector<double> score(std::string_view name, const Traffic& traffic, const Machine& machine,
                          const std::vector<std::int32_t>& cores) {
  return objective(name).evaluate(traffic, machine, placed(cores)).values;
}

struct Case {
  const char* objective;
  Traffic traffic;
  Machine machine;
  std::vector<std::int32_t> cores;
  std::vector<double> expected;
};

std::vector<std::int32_t> in_order(std::int32_t n) {
  std::vector<std::int32_t> cores(n);
  std::iota(cores.begin(), cores.end(), 0);
  return cores;
}

// A Draco node: cores (0 1)(2 3) | (4 5)(6 7). Parentheses are caches; the bar separates the packages.
// `pairs` is (0 1)(2 3); machine_of() gives class k a bandwidth of 1000/k bytes/s and a latency of k s.
TEST(Objectives, HaveTheScoresWorkedOutByHand) {
  const Machine pairs = machine_of({two_level_node({2, 2})});
  const Machine tree = make_tree_machine(std::vector<std::int32_t>{2, 2}, std::vector<std::uint32_t>{1, 10});
  const Machine flat = make_tree_machine(std::vector<std::int32_t>{4}, {});
  const Traffic chain = traffic_of(4, {{0, 1, 8}, {1, 0, 3}, {1, 2, 4}, {2, 2, 100}});
  const Traffic one_message = traffic_of(4, {{0, 2, 6000}});
  Traffic phases;
  phases.phases = {{1, matrix_of(4, {{0, 2, 5}, {0, 1, 9}})}, {3, matrix_of(4, {{3, 1, 3}})}};
  Traffic within_packages;
  within_packages.phases = {{2, matrix_of(4, {{0, 1, 5000}})}, {1, matrix_of(4, {{2, 3, 7000}})}};
  const std::vector<Case> cases = {
      // Between packages: 3->4 and 7->0, 2 messages. Cache (0 1): 1->2 and 7->0, 2; the other caches alike.
      {"link-load", ring(8), draco(1), in_order(8), {2, 2}},
      // Even ranks on package 0, odd ranks on package 1: all 8 messages cross packages, 4 cross each cache.
      {"link-load", ring(8), draco(1), {0, 4, 1, 5, 2, 6, 3, 7}, {8, 4}},
      // Two nodes. Within node 0 the ring has the messages 0->1 ... 6->7. One of them crosses packages; the
      // caches (2 3) and (4 5) have a neighbour on both sides. What travels between nodes is left out.
      {"link-load", ring(16), draco(2), in_order(16), {1, 2}},
      {"link-load", ring(4), flat, {3, 1, 0, 2}, {}},
      // As above, but 7->8 and 15->0 cross the network, and thus also links of packages and caches.
      {"congestion", ring(16), draco(2), in_order(16), {2, 2, 2}},
      // Between packages 5 B in phase 1, and 3 B in phase 2, which is repeated 3 times: 5 + 3 * 3.
      {"congestion", phases, tree, {0, 1, 2, 3}, {14}},
      // Distances 1 and 10. 8 B from 0 to 1, 3 B back, 4 B from 1 to 2: 11 * 1 + 4 * 10. After swapping the
      // ends of a message: 11 * 10 + 4 * 10.
      {"hop-bytes", chain, tree, {0, 1, 2, 3}, {51}},
      {"hop-bytes", chain, tree, {2, 1, 3, 0}, {150}},
      {"hop-bytes", traffic_of(2, {{0, 1, 8}}), tree, {1, 1}, {0}},  // on a shared core
      // 6000 B between the packages: 6 s on class 1 (1000 B/s), 12 s on class 2 (500 B/s). The latency of one
      // message is only 2 s.
      {"time", one_message, pairs, {0, 1, 2, 3}, {12}},
      {"time", one_message, pairs, {0, 2, 1, 3}, {6}},
      // Rank 0 has one message with each of the others: one at level 1 (1 s), two at level 2 (2 s each).
      {"time", traffic_of(4, {{0, 1, 1}, {2, 0, 1}, {0, 3, 1}}), pairs, {0, 1, 2, 3}, {5}},
      // Ranks 0 and 1 on core 0 send 3000 B each to rank 2 on core 1: 6000 B over a link of class 1.
      {"time", traffic_of(3, {{0, 2, 3000}, {1, 2, 3000}}), pairs, {0, 0, 1}, {6}},
      {"time", within_packages, pairs, {0, 1, 2, 3}, {2 * 5 + 7}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(score(c.objective, c.traffic, c.machine, c.cores), c.expected)
        << c.objective << " of case " << &c - cases.data();
  }
}

TEST(HopBytes, RefusesASumThatDoesNotFit) {
  const Machine tree = make_tree_machine(std::vector<std::int32_t>{2}, std::vector<std::uint32_t>{100});
  const Traffic traffic = traffic_of(2, {{0, 1, std::uint64_t{1} << 61}});
  EXPECT_THROW((void)score("hop-bytes", traffic, tree, {0, 1}), Error);
}

TEST(LinkLoads, ListEveryLinkOfTheTree) {
  // (0 1)(2 3): 5 B from 0 to 1, 3 B from 3 to 0.
  const Machine tree = make_tree_machine(std::vector<std::int32_t>{2, 2}, {});
  const PairGraph graph(matrix_of(4, {{0, 1, 5}, {3, 0, 3}}));
  EXPECT_THAT(link_loads(graph, tree, placed({0, 1, 2, 3}), 2),
              ElementsAre(ElementsAre(8, 5, 0, 3), ElementsAre(3, 3)));
  EXPECT_THAT(link_loads(graph, tree, placed({0, 1, 2, 3}), 1),
              ElementsAre(ElementsAre(5, 5, 0, 0), ElementsAre(0, 0)));
}

TEST(Objectives, RefuseAPlacementOfAnotherSize) {
  const Machine machine = draco(1);
  for (const ObjectiveInfo& row : objectives()) {
    EXPECT_THROW((void)row.evaluate(ring(4), machine, placed({0, 1, 2})), Error) << row.name;
  }
}

}  // namespace
}  // namespace corewise
