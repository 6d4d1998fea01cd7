/// Machine: folding, numbering, distances and fingerprints.
#include "corewise/machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corewise/error.hpp"

namespace corewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// One core a row of `os_pus`, all in one node of the given levels.
NodeShape shape(std::vector<std::string> names, std::vector<std::vector<std::int32_t>> group,
                const std::vector<std::vector<std::int32_t>>& os_pus) {
  NodeShape result{std::move(names), std::move(group), {}};
  std::int32_t logical = 0;
  for (const auto& of_core : os_pus) {
    auto& pus = result.pus.emplace_back();
    for (const std::int32_t os : of_core) pus.push_back({PuIndex{logical++}, OsIndex{os}});
  }
  return result;
}

/// Draco's node: two packages of two shared caches of two cores.
///   node( pkg( l2(0 1) l2(2 3) ) pkg( l2(4 5) l2(6 7) ) ),   each core with a first-level cache of its own.
NodeShape draco_node() {
  return shape({"l1d", "l2", "package", "node"},
               {{0, 1, 2, 3, 4, 5, 6, 7},
                {0, 0, 1, 1, 2, 2, 3, 3},
                {0, 0, 0, 0, 1, 1, 1, 1},
                {0, 0, 0, 0, 0, 0, 0, 0}},
               {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}});
}

MachineDescription of_nodes(std::vector<NodeShape> shapes, std::vector<std::int32_t> shape_of_node) {
  MachineDescription description;
  description.name = "test";
  description.shapes = std::move(shapes);
  description.shape_of_node = std::move(shape_of_node);
  return description;
}

std::vector<std::string> level_names(const Machine& machine) {
  std::vector<std::string> names;
  for (const Level& level : machine.levels()) names.push_back(level.name);
  return names;
}

std::string message_of(const MachineDescription& description) {
  try {
    (void)make_machine(description);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_input);
    return error.what();
  }
  return "no error";
}

TEST(Machine, FoldsLevelsWithASingleChild) {
  const Machine machine = make_machine(of_nodes({draco_node()}, {0, 0}));
  EXPECT_THAT(level_names(machine), ElementsAre("l2", "package", "node", "network"));
  EXPECT_EQ(machine.node_level(), 3);
  EXPECT_EQ(machine.n_cores(), 16);
  EXPECT_EQ(machine.n_groups(1), 8);
}

TEST(Machine, MeetsAtTheLowestCommonAncestor) {
  const Machine machine = make_machine(of_nodes({draco_node()}, {0, 0}));
  const auto meet = [&](int a, int b) { return machine.meeting_level(CoreIndex{a}, CoreIndex{b}); };
  EXPECT_EQ(meet(3, 3), 0);
  EXPECT_EQ(meet(0, 1), 1);
  EXPECT_EQ(meet(1, 2), 2);
  EXPECT_EQ(meet(3, 4), 3);
  EXPECT_EQ(meet(7, 8), 4);
  EXPECT_EQ(meet(15, 14), 1);
}

TEST(TreeMachine, TakesTheDistancesOfItsLevels) {
  const Machine tree =
      make_tree_machine(std::vector<std::int32_t>{4, 8, 32}, std::vector<std::uint32_t>{1, 10, 100});
  EXPECT_EQ(tree.n_cores(), 1024);
  EXPECT_EQ(tree.distance(CoreIndex{0}, CoreIndex{0}), 0u);
  EXPECT_EQ(tree.distance(CoreIndex{0}, CoreIndex{3}), 1u);
  EXPECT_EQ(tree.distance(CoreIndex{0}, CoreIndex{4}), 10u);
  EXPECT_EQ(tree.distance(CoreIndex{0}, CoreIndex{31}), 10u);
  EXPECT_EQ(tree.distance(CoreIndex{0}, CoreIndex{32}), 100u);
  EXPECT_FALSE(tree.has_os_indices());
  EXPECT_FALSE(tree.has_figures());
}

TEST(Machine, NamesTheNearestLevelForAFigureOfNone) {
  MachineDescription description = of_nodes({draco_node()}, {0});
  description.figures.push_back({"pakage", {1e-6, 1e9, "measured"}});
  EXPECT_THAT(message_of(description), HasSubstr("did you mean 'package'?"));
}

}  // namespace
}  // namespace corewise
