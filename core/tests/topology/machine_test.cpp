/// Machine: merged levels, numbering, distances and fingerprints.
#include "corewise/machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "topology/shapes.hpp"

namespace corewise::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Machine, FoldsLevelsWithASingleChild) {
  const Machine machine =
      make_machine(of_nodes({draco_node()}, {0, 0}));  // every first-level cache has one core
  EXPECT_THAT(level_names(machine), ElementsAre("l2", "package", "node", "network"));
  EXPECT_EQ(machine.node_level(), 3);
  EXPECT_EQ(machine.n_cores(), 16);
  EXPECT_EQ(machine.n_groups(1), 8);
  EXPECT_EQ(machine.n_groups(4), 1);
}

TEST(Machine, KeepsALevelThatJoinsCoresOnOneNodeOnly) {
  // Node 0: two packages of two cores. Node 1: one package of one core. So "package" has three objects.
  const Machine machine = make_machine(of_nodes({two_by_two(), cut_to_first_cores(two_by_two(), 1)}, {0, 1}));
  EXPECT_THAT(level_names(machine), ElementsAre("package", "node", "network"));
  EXPECT_EQ(machine.n_groups(1), 3);
  EXPECT_EQ(machine.group(1, CoreIndex{4}), 2);
}

TEST(Machine, GivesAFoldedLevelTheNameThatSaysMost) {
  // One package, one L3, two cores: node, package and L3 are merged into one level.
  const Machine machine =
      make_machine(of_nodes({shape({"l3", "package", "node"}, {{0, 0}, {0, 0}, {0, 0}}, {{0}, {1}})}, {0}));
  ASSERT_THAT(level_names(machine), ElementsAre("node"));
  EXPECT_THAT(machine.levels()[0].names, ElementsAre("l3", "package", "node"));
  EXPECT_EQ(machine.node_level(), 1);
}

TEST(Machine, CutsANodeToItsFirstCoresInLogicalOrder) {
  const NodeShape cut = cut_to_first_cores(shape({"node"}, {{0, 0, 0}}, {{5}, {3}, {4}}), 2);
  const Machine machine = make_machine(of_nodes({cut}, {0}));
  EXPECT_THAT(os_of(machine, 0), ElementsAre(5));  // first in the tree, though not the smallest OS index
  EXPECT_THAT(os_of(machine, 1), ElementsAre(3));
  EXPECT_THAT(refusal_of([&] { (void)cut_to_first_cores(cut, 3); }), HasSubstr("expected 1 to 2"));
}

/// Six nodes of one core on this network.
MachineDescription six_nodes(std::vector<NetworkLevel> network) {
  MachineDescription description = of_nodes({one_core()}, {0, 0, 0, 0, 0, 0});
  description.network = std::move(network);
  return description;
}

TEST(Machine, JoinsAsManyNodesByEachSwitchAsItIsTold) {
  const auto groups = [](std::vector<NetworkLevel> network, int level) {
    const Machine machine = make_machine(six_nodes(std::move(network)));
    std::vector<std::int32_t> found;
    for (std::int32_t core = 0; core < 6; ++core) found.push_back(machine.group(level, CoreIndex{core}));
    return found;
  };
  EXPECT_THAT(groups({{"switch", {4}}, {"network", {0}}}, 1), ElementsAre(0, 0, 0, 0, 1, 1));
  // Further switches have the number of children of the last one listed.
  EXPECT_THAT(groups({{"switch", {1, 2}}, {"network", {0}}}, 1), ElementsAre(0, 1, 1, 2, 2, 3));
  const std::vector<NetworkLevel> racks = {{"switch", {3, 1, 2}}, {"rack", {2, 1}}, {"network", {0}}};
  EXPECT_THAT(groups(racks, 1), ElementsAre(0, 0, 0, 1, 2, 2));
  EXPECT_THAT(groups(racks, 2), ElementsAre(0, 0, 0, 0, 1, 1));
}

/// Nodes of one, two, one and two cores. One switch joins the even nodes, one the odd nodes:
/// network( switch(0: core 0, 2: core 1) switch(1: cores 2 3, 3: cores 4 5) ).
Machine odd_and_even_nodes() {
  const NodeShape two = shape({"node"}, {{0, 0}}, {{0}, {1}});
  MachineDescription description = of_nodes({one_core(), two}, {0, 1, 0, 1});
  description.node_order = {0, 2, 1, 3};
  description.network = {{"switch", {2}}, {"network", {0}}};
  return make_machine(description);
}

TEST(Machine, KeepsTheNumbersOfNodesWhoseSwitchesJoinEverySecondOne) {
  const Machine machine = odd_and_even_nodes();
  EXPECT_EQ(machine.first_core(NodeIndex{1}), CoreIndex{2});
  EXPECT_EQ(machine.first_core(NodeIndex{2}), CoreIndex{1});
  EXPECT_EQ(machine.n_cores_on(NodeIndex{1}), 2);
  EXPECT_EQ(machine.n_cores_on(NodeIndex{2}), 1);
  EXPECT_EQ(machine.node_of(CoreIndex{1}), NodeIndex{2});
  EXPECT_EQ(machine.core_on_node(CoreIndex{5}), 1);
  EXPECT_EQ(meet(machine, 0, 1), meet(machine, 2, 4));  // nodes 0 and 2, 1 and 3: one switch
  EXPECT_GT(meet(machine, 0, 2), meet(machine, 0, 1));
}

TEST(Machine, OfNodesInAnotherOrderHasAnotherFingerprintAndNodesTheirOwn) {
  MachineDescription description = of_nodes({one_core()}, {0, 0, 0, 0});
  description.network = {{"switch", {2}}, {"network", {0}}};
  const Machine in_order = make_machine(description);
  description.node_order = {0, 1, 2, 3};
  EXPECT_EQ(make_machine(description).fingerprint(), in_order.fingerprint());
  description.node_order = {0, 2, 1, 3};
  EXPECT_NE(make_machine(description).fingerprint(), in_order.fingerprint());
  EXPECT_EQ(make_machine(description).node_fingerprint(NodeIndex{2}),
            in_order.node_fingerprint(NodeIndex{2}));
}

TEST(Machine, KeepsTheOrderOfItsNodesInAPart) {
  const std::vector<CoreIndex> cores{CoreIndex{1}, CoreIndex{2}, CoreIndex{3}, CoreIndex{5}};
  const Machine part = odd_and_even_nodes().part(cores);  // of nodes 2, 1, 1 and 3
  EXPECT_EQ(part.n_nodes(), 3);
  EXPECT_EQ(part.first_core(NodeIndex{0}), CoreIndex{1});
  EXPECT_EQ(part.first_core(NodeIndex{1}), CoreIndex{0});
  EXPECT_EQ(part.first_core(NodeIndex{2}), CoreIndex{3});
  EXPECT_EQ(part.n_cores_on(NodeIndex{0}), 2);
  EXPECT_EQ(part.n_cores_on(NodeIndex{2}), 1);
}

TEST(Machine, RefusesNetworksThatLackOrRepeatNodes) {
  EXPECT_THAT(message_of(six_nodes({{"switch", {4, 2, 1}}, {"network", {0}}})),
              HasSubstr("lists 3 switches for 6 children, which the first 2 join"));
  EXPECT_THAT(message_of(six_nodes({{"switch", {2, -1}}, {"network", {0}}})),
              HasSubstr("less than 0 children"));
  EXPECT_THAT(message_of(six_nodes({{"switch", {}}, {"network", {0}}})), HasSubstr("or lists none"));
  EXPECT_THAT(message_of(six_nodes({{"switch", {3}}})), HasSubstr("leaves 2 separate groups"));
  MachineDescription description = of_nodes({one_core()}, {0, 0, 0});
  description.node_order = {0, 2, 2};
  EXPECT_THAT(message_of(description), HasSubstr("expected each node once"));
}

TEST(Machine, AlignsNodesOfDifferentShapesByLevelName) {
  // Node 0 has one package with two L2 caches; node 1 has two packages without an L2.
  //   node( package( l2(0 1) l2(2 3) ) )   node( package(4 5) package(6 7) )
  const NodeShape with_cache =
      shape({"l2", "package", "node"}, {{0, 0, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}}, {{0}, {1}, {2}, {3}});
  const Machine machine = make_machine(of_nodes({with_cache, two_by_two()}, {0, 1}));
  EXPECT_THAT(level_names(machine), ElementsAre("l2", "package", "node", "network"));
  EXPECT_EQ(meet(machine, 0, 1), 1);
  EXPECT_EQ(meet(machine, 0, 2), 2);
  EXPECT_EQ(meet(machine, 4, 5), 2);  // no cache there: they meet in the package
  EXPECT_EQ(meet(machine, 5, 6), 3);
}

TEST(Machine, RefusesShapesThatOrderLevelsDifferently) {
  const std::vector<std::vector<std::int32_t>> pairs{{0, 0, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}};
  const NodeShape one = shape({"l3", "numa", "node"}, pairs, {{0}, {1}, {2}, {3}});
  const NodeShape other = shape({"numa", "l3", "node"}, pairs, {{0}, {1}, {2}, {3}});
  EXPECT_THAT(message_of(of_nodes({one, other}, {0, 1})), HasSubstr("order the level"));
}

TEST(Figures, AnyFoldedNameNamesALevelAndTheLowestCounts) {
  MachineDescription description =
      of_nodes({shape({"l3", "package", "node"}, {{0, 0}, {0, 0}, {0, 0}}, {{0}, {1}})}, {0});
  description.figures = {{"package", {1e-6, 1e9, "of the package"}}, {"l3", {1e-7, 2e9, "of the cache"}}};
  EXPECT_EQ(make_machine(description).levels()[0].link.source, "of the cache");
  description.figures.pop_back();
  EXPECT_EQ(make_machine(description).levels()[0].link.source, "of the package");
}

TEST(Figures, NobodyMeasuredAreAssumedByKindOfLevel) {
  const Machine machine = make_machine(of_nodes({draco_node()}, {0, 0}));
  for (const Level& level : machine.levels()) EXPECT_TRUE(level.link.assumed()) << level.name;
  EXPECT_THAT(machine.levels()[0].link.source, HasSubstr("share a cache"));
  EXPECT_THAT(machine.levels()[3].link.source, HasSubstr("network"));
  EXPECT_TRUE(machine.has_figures());
}

TEST(Figures, OfTheNetworkDoNotDisturbAMachineOfOneNode) {
  MachineDescription description = of_nodes({two_by_two()}, {0});
  description.network = {{"switch", {16}}, {"network", {0}}};
  description.figures = {{"switch", {1e-6, 1e9, "x"}}, {"network", {1e-6, 1e9, "x"}}};
  EXPECT_EQ(make_machine(description).n_levels(), 2);
}

TEST(Figures, MustBeFiniteAndPositive) {
  MachineDescription description = of_nodes({two_by_two()}, {0});
  for (const LinkFigures& bad :
       {LinkFigures{-1, 1e9, "x"}, LinkFigures{1e-6, 0, "x"}, LinkFigures{1e-6, NAN, "x"}}) {
    description.figures = {{"package", bad}};
    EXPECT_THAT(message_of(description), HasSubstr("level 'package' has latency"));
  }
}

TEST(Distances, AreTheLevelsNumbersUnlessGiven) {
  MachineDescription description = of_nodes({two_by_two()}, {0, 0});
  const Machine plain = make_machine(description);
  EXPECT_EQ(plain.distance(CoreIndex{0}, CoreIndex{0}), 0u);
  EXPECT_EQ(plain.distance(CoreIndex{0}, CoreIndex{1}), 1u);
  EXPECT_EQ(plain.distance(CoreIndex{0}, CoreIndex{4}), 3u);
  description.distances = {{"network", 50}, {"node", 5}, {"package", 5}};
  const Machine given = make_machine(description);
  EXPECT_EQ(given.distance(CoreIndex{0}, CoreIndex{1}), 5u);
  EXPECT_EQ(given.distance(CoreIndex{0}, CoreIndex{4}), 50u);
}

TEST(Distances, MustNotFall) {
  MachineDescription description = of_nodes({two_by_two()}, {0, 0});
  description.distances = {{"package", 3}, {"node", 2}, {"network", 9}};
  EXPECT_THAT(message_of(description), HasSubstr("distance 2 at level 'node' after 3"));
}

TEST(Codes, RefuseATreeWhosePathsNeedMoreThan64Bits) {
  // A caterpillar tree: level k joins core k and all cores before it, so each level needs one bit.
  const auto caterpillar = [](std::int32_t n_levels) {
    std::vector<std::vector<std::int32_t>> os_pus;
    for (std::int32_t core = 0; core <= n_levels; ++core) os_pus.push_back({core});
    NodeShape result = shape({}, {}, os_pus);
    for (std::int32_t level = 1; level <= n_levels; ++level) {
      result.level_names.push_back("level-" + std::to_string(level));
      std::vector<std::int32_t>& group = result.group.emplace_back();
      for (std::int32_t core = 0; core <= n_levels; ++core) group.push_back(std::max(0, core - level));
    }
    return of_nodes({result}, {0});
  };
  const Machine deepest = make_machine(caterpillar(64));
  EXPECT_EQ(meet(deepest, 0, 1), 1);
  EXPECT_EQ(meet(deepest, 63, 64), 64);
  EXPECT_EQ(meet(deepest, 5, 33), 33);
  EXPECT_THAT(message_of(caterpillar(65)), HasSubstr("more than 64 bits"));
}

TEST(MakeMachine, RefusesInconsistentDescriptions) {
  const std::vector<std::vector<std::int32_t>> os{{0}, {1}, {2}};
  EXPECT_THAT(message_of(of_nodes({}, {})), HasSubstr("without nodes"));
  EXPECT_THAT(message_of(of_nodes({one_core()}, {1})), HasSubstr("shape 1 of 1"));
  EXPECT_THAT(message_of(of_nodes({shape({"node"}, {{}}, {})}, {0})), HasSubstr("no core"));
  EXPECT_THAT(message_of(of_nodes({shape({"node"}, {{0}}, {{}})}, {0})), HasSubstr("core 0 has no PU"));
  EXPECT_THAT(message_of(of_nodes({shape({"node"}, {{0, 0}}, os)}, {0})), HasSubstr("groups 2 cores"));
  EXPECT_THAT(message_of(of_nodes({shape({"node"}, {{0, 0, 1}}, os)}, {0})), HasSubstr("2 objects"));
  EXPECT_THAT(message_of(of_nodes({shape({"l2", "node"}, {{0, 2, 2}, {0, 0, 0}}, os)}, {0})),
              HasSubstr("cores' order"));
  EXPECT_THAT(message_of(of_nodes({shape({"l2", "l3", "node"}, {{0, 0, 1}, {0, 1, 1}, {0, 0, 0}}, os)}, {0})),
              HasSubstr("splits an object of 'l2'"));
  EXPECT_THAT(message_of(of_nodes({shape({"l2", "l2", "node"}, {{0, 0, 1}, {0, 0, 1}, {0, 0, 0}}, os)}, {0})),
              HasSubstr("two levels of one name"));
  EXPECT_THAT(message_of(of_nodes({shape({"node"}, {{0, 0, 0}}, {{0}, {1}, {0}})}, {0})),
              HasSubstr("OS index 0 appears twice"));
}

}  // namespace
}  // namespace corewise::testing
