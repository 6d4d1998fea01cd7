/// Duals of set partitioning: every method that raises them keeps them feasible for every column.
#include "solvers/exact/duals.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "proof_cases.hpp"
#include "solvers/exact/column_generation.hpp"
#include "solvers/exact/subset_pricing.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;

TEST(SubgradientAscent, LeavesNoSetANegativeReducedCost) {
  Random random(8);
  const Machine machine = tree({4, 4}, {1, 10});
  const Traffic traffic = random_traffic(16, 60, random);
  const auto instance = instance_of(traffic, machine, false);
  const exact::SetPartitioning partitioning{instance, 1, instance.factor(1), exact::Duals::zero(instance)};
  const Deadline none({});
  const exact::Duals duals = exact::subgradient_ascent(
      [&](const exact::Duals& at) { return price_all_sets(partitioning, at); },
      exact::degree_duals(partitioning), {instance.counts(), Cost{1} << 50, 30, none});
  for (const Cost share : exact::price_all_sets(partitioning, duals).share) EXPECT_GE(share, 0);
}

/// The groups of level 1, filled with ranks in order.
std::vector<VertexGroup> block_groups(const HopInstance& instance) {
  std::vector<VertexGroup> groups;
  for (const VertexGroup& object : instance.objects) {
    if (instance.classes[object.class_id].level == 1) groups.push_back(object);
  }
  return groups;
}

TEST(PriceNegativeSets, FindsTheLeastReducedCostOfEveryClassIfItIsNegative) {
  Random random(34);
  const Machine machine = machine_of({two_level_node({7, 6, 2})});
  int n_negative = 0, n_satisfied = 0;
  for (int sample = 0; sample < 12; ++sample) {
    const auto instance = instance_of(random_traffic(15, 50, random), machine, sample % 2 == 1);
    const exact::SetPartitioning partitioning{instance, 1, instance.factor(1), exact::Duals::zero(instance)};
    exact::Duals duals = degree_duals(partitioning);
    for (Cost& dual : duals.of_vertex) dual += kCostScale * random.below(sample / 2 + 1);
    std::uint64_t steps = 0;
    const exact::Pricing negative = exact::price_negative_sets(partitioning, duals, steps);
    const exact::Pricing all = exact::price_all_sets(partitioning, duals);
    for (const int class_id : partitioning.classes()) {
      const bool satisfied = all.least[class_id] >= 0;
      EXPECT_EQ(negative.least[class_id], satisfied ? exact::Pricing::kNoSet : all.least[class_id]) << sample;
      ++(satisfied ? n_satisfied : n_negative);
    }
    for (const VertexGroup& set : negative.set) {
      if (set.members == 0) continue;
      EXPECT_LT(partitioning.cost(set.members, set.class_id), duals.of(set.members, set.class_id)) << sample;
    }
  }
  EXPECT_GE(n_negative, 5);
  EXPECT_GE(n_satisfied, 5);
}

TEST(ColumnGeneration, IsFeasibleForEverySetOfEveryClassAndAsGoodAsPricingAllOfThem) {
  Random random(33);
  const Machine machine = machine_of({two_level_node({5, 4, 3})});
  int n_raised = 0;
  for (int sample = 0; sample < 6; ++sample) {
    const Traffic traffic = random_traffic(12, 40, random);
    const auto instance = instance_of(traffic, machine, sample % 2 == 1);
    const exact::SetPartitioning partitioning{instance, 1, instance.factor(1), exact::Duals::zero(instance)};
    const exact::Duals start = degree_duals(partitioning);
    const Deadline none({});
    const std::vector<VertexGroup> groups = block_groups(instance);
    const auto pricing = [&](const exact::Duals& at) { return price_all_sets(partitioning, at); };
    const exact::Duals by_enumeration =
        exact::subgradient_ascent(pricing, start, {instance.counts(), Cost{1} << 50, 200, none});
    const exact::AscentLimits ascent{instance.counts(), by_enumeration.objective(instance), 200, none};
    const exact::Duals duals = exact::generate_by_enumeration(partitioning, start, groups, ascent, 1'000'000);
    for (const Cost share : pricing(duals).share) EXPECT_GE(share, 0);
    const Cost quarter_of_a_byte = kCostScale / 4;  // column generation ends when a rise is smaller
    EXPECT_GE(duals.objective(instance) + quarter_of_a_byte, by_enumeration.objective(instance))
        << "sample " << sample;
    n_raised += duals.objective(instance) > start.objective(instance);
  }
  EXPECT_GE(n_raised, 4);
}

}  // namespace
}  // namespace corewise
