/// Torus: points, dimension-order routes, and refused tori.
#include "corewise/torus.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "corewise/error.hpp"
#include "corewise/machine.hpp"
#include "topology/shapes.hpp"

namespace corewise::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Torus torus_of(std::vector<std::int32_t> sizes, std::vector<std::int32_t> points) {
  return {std::move(sizes), std::move(points), 1e9, 1e-7, "test"};
}

std::vector<std::int32_t> route(const Torus& torus, std::int32_t from, std::int32_t to) {
  std::vector<std::int32_t> links;
  torus.route(from, to, links);
  return links;
}

TEST(Torus, RoutesAlongOneAxisAfterTheOtherTheShorterWayRound) {
  const Torus torus = torus_of({4, 3}, {});
  // From (0, 0) to (3, 2): one step back to (3, 0), point 3, then one step back to (3, 2).
  EXPECT_THAT(route(torus, 0, 3 + 4 * 2),
              ElementsAre(torus.number_of({0, 0, true}), torus.number_of({3, 1, true})));
  // From (1, 1) to (2, 2): forwards on both axes.
  EXPECT_THAT(route(torus, 5, 10),
              ElementsAre(torus.number_of({5, 0, false}), torus.number_of({6, 1, false})));
}

TEST(Torus, GoesForwardsWhereBothWaysAreAsLong) {
  const Torus ring = torus_of({4}, {});
  EXPECT_THAT(route(ring, 3, 1), ElementsAre(ring.number_of({3, 0, false}), ring.number_of({0, 0, false})));
}

TEST(Torus, RoutesBetweenAllPointsAreShortestAndConnected) {
  const Torus torus = torus_of({5, 1, 4}, {});
  for (std::int32_t from = 0; from < torus.n_points(); ++from) {
    for (std::int32_t to = 0; to < torus.n_points(); ++to) {
      const auto apart = [&](std::int32_t stride, std::int32_t size) {
        const std::int32_t ahead = (to / stride % size - from / stride % size + size) % size;
        return std::min(ahead, size - ahead);
      };
      std::int32_t at = from;
      const std::vector<std::int32_t> links = route(torus, from, to);
      for (const std::int32_t number : links) {
        const TorusLink link = torus.link(number);
        ASSERT_EQ(link.point, at);
        ASSERT_EQ(torus.number_of(link), number);
        const std::int32_t stride = link.axis == 0 ? 1 : 5;  // the second axis has one point
        const std::int32_t size = link.axis == 0 ? 5 : 4;
        const std::int32_t coordinate = at / stride % size;
        at += ((coordinate + (link.backwards ? size - 1 : 1)) % size - coordinate) * stride;
      }
      EXPECT_EQ(at, to);
      EXPECT_EQ(links.size(), static_cast<std::size_t>(apart(1, 5) + apart(5, 4)));
    }
  }
}

TEST(Torus, FillsBoxAfterBox) {
  const std::vector<std::int32_t> sizes = {4, 4};
  const std::vector<std::int32_t> box = {2, 2};
  EXPECT_THAT(points_in_boxes(sizes, box, 9), ElementsAre(0, 1, 4, 5, 2, 3, 6, 7, 8));
  EXPECT_THAT(points_in_boxes(sizes, {}, 5), ElementsAre(0, 1, 2, 3, 4));
}

std::string refusal(const std::vector<std::int32_t>& sizes, const std::vector<std::int32_t>& box,
                    std::int32_t n_nodes) {
  return refusal_of([&] { (void)points_in_boxes(sizes, box, n_nodes); });
}

TEST(Torus, RefusesSizesAndBoxesThatDontFit) {
  EXPECT_THAT(refusal({}, {}, 1), HasSubstr("sizes none; expected one whole number from 1 for each axis"));
  EXPECT_THAT(refusal({4, 0}, {}, 1), HasSubstr("sizes 4 x 0"));
  EXPECT_THAT(refusal({1 << 12, 1 << 12, 1 << 12}, {}, 1), HasSubstr("at most 1048576 points"));
  EXPECT_THAT(refusal({4, 4}, {2}, 1), HasSubstr("expected a divisor for each axis"));
}

MachineDescription three_nodes(Torus torus) {
  MachineDescription description = of_nodes({draco_node()}, {0, 0, 0});
  description.torus = std::move(torus);
  return description;
}

TEST(Torus, OfAMachineHasAPointForEachNode) {
  EXPECT_EQ(make_machine(three_nodes(torus_of({3}, {2, 0, 1}))).torus()->point_of_node[0], 2);
  EXPECT_THROW((void)make_machine(three_nodes(torus_of({3}, {0, 1}))), Error);
  EXPECT_THROW((void)make_machine(three_nodes(torus_of({3}, {0, 1, 1}))), Error);
  EXPECT_THROW((void)make_machine(three_nodes(torus_of({3}, {0, 1, 3}))), Error);
  Torus endless = torus_of({3}, {0, 1, 2});
  endless.bandwidth_bytes_per_s = std::numeric_limits<double>::infinity();
  EXPECT_THROW((void)make_machine(three_nodes(endless)), Error);
}

TEST(Torus, OfAPartHasThePointsOfItsNodes) {
  const Machine machine = make_machine(three_nodes(torus_of({3}, {2, 0, 1})));
  const std::vector<CoreIndex> cores = {CoreIndex{1}, CoreIndex{17}, CoreIndex{18}};  // of nodes 0 and 2
  EXPECT_THAT(machine.part(cores).torus()->point_of_node, ElementsAre(2, 1));
}

}  // namespace
}  // namespace corewise::testing
