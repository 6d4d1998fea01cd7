/// Fingerprints: what they depend on, what they don't depend on, and that they never change.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topology/shapes.hpp"

namespace corewise::testing {
namespace {

// The expected values are 64-bit FNV-1a hashes of the texts next to them, computed by a separate Python
// script. They must never change, because placement files contain fingerprints.

TEST(Fingerprint, HashesTheTreeAndTheOsIndices) {
  EXPECT_EQ(make_machine(of_nodes({two_by_two()}, {0})).fingerprint(), "62402ca43df26aea");  // ((0 1)(2 3))
  EXPECT_EQ(make_machine(of_nodes({two_by_two()}, {0, 0})).fingerprint(),
            "e154969a3961c13a");  // (((0 1)(2 3))((0 1)(2 3)))
}

TEST(Fingerprint, WritesAllThreadsOfACoreInLogicalOrder) {
  // ((0,4 2,6)(1,5 3,7))
  const NodeShape threads =
      shape({"package", "node"}, {{0, 0, 1, 1}, {0, 0, 0, 0}}, {{0, 4}, {2, 6}, {1, 5}, {3, 7}});
  EXPECT_EQ(make_machine(of_nodes({threads}, {0})).fingerprint(), "998a2ebb4c8c6710");
}

TEST(Fingerprint, OfABareTreeHasNoNumbers) {
  // (((- -)(- -))((- -)(- -)))
  EXPECT_EQ(make_tree_machine(std::vector<std::int32_t>{2, 2, 2}, {}).fingerprint(), "56919d92f36ea1da");
}

TEST(Fingerprint, IgnoresNamesFiguresDistancesAndLevelsWithASingleChild) {
  const std::string plain = make_machine(of_nodes({two_by_two()}, {0})).fingerprint();
  MachineDescription other = of_nodes(
      {shape({"l1d", "l3", "node"}, {{0, 1, 2, 3}, {0, 0, 1, 1}, {0, 0, 0, 0}}, {{0}, {1}, {2}, {3}})}, {0});
  other.name = "another name";
  other.figures = {{"l3", {1e-6, 1e9, "measured"}}};
  other.distances = {{"l3", 4}, {"node", 7}};
  EXPECT_EQ(make_machine(other).fingerprint(), plain);
}

TEST(Fingerprint, OfANodeIsWhatTheNodeAloneWouldGive) {
  // The second node has one package: alone, its package level is merged; with the first node it is not.
  const NodeShape cut = cut_to_first_cores(two_by_two(), 2);
  const Machine both = make_machine(of_nodes({two_by_two(), cut}, {0, 1}));
  EXPECT_EQ(both.node_fingerprint(NodeIndex{0}), make_machine(of_nodes({two_by_two()}, {0})).fingerprint());
  EXPECT_EQ(both.node_fingerprint(NodeIndex{1}), make_machine(of_nodes({cut}, {0})).fingerprint());
}

}  // namespace
}  // namespace corewise::testing
