/// Duals of set partitioning: every method that raises them keeps them feasible for every column.
#include "solvers/exact/duals.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "proof_cases.hpp"
#include "solvers/exact/dual_ascent.hpp"
#include "solvers/exact/subset_pricing.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;

/// All columns of a problem.
std::vector<exact::Column> all_columns(const exact::SetPartitioning& problem) {
  std::vector<exact::Column> columns;
  const Deadline none({});
  exact::StepBudget budget({100'000'000, none});
  EXPECT_TRUE(list_columns(problem, exact::degree_duals(problem), Cost{1} << 50, budget, columns));
  return columns;
}

exact::Pricing price_all_sets(const exact::SetPartitioning& problem, const exact::Duals& duals) {
  return exact::price_columns(all_columns(problem), duals);
}

TEST(SubgradientAscent, LeavesNoSetANegativeReducedCost) {
  Random random(8);
  const Machine machine = tree({4, 4}, {1, 10});
  const Traffic traffic = random_traffic(16, 60, random);
  const auto instance = instance_of(traffic, machine, false);
  const exact::SetPartitioning partitioning{instance, 1, instance.factor(1), exact::Duals::zero(instance)};
  const Deadline none({});
  const exact::Duals duals =
      exact::subgradient_ascent(all_columns(partitioning), exact::degree_duals(partitioning),
                                {instance.counts(), Cost{1} << 50, 30, none});
  for (const Cost share : price_all_sets(partitioning, duals).share) EXPECT_GE(share, 0);
}

/// The groups of level 1, filled with ranks in order.
std::vector<VertexGroup> block_groups(const HopInstance& instance) {
  std::vector<CoreIndex> cores;
  for (std::int32_t core = 0; core < instance.n; ++core) cores.push_back(CoreIndex{core});
  return instance.groups(1, cores);
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
    const Deadline none({});
    exact::StepBudget budget({100'000'000, none});
    const exact::Pricing negative = exact::price_negative_sets(partitioning, duals, budget);
    const exact::Pricing all = price_all_sets(partitioning, duals);
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
    const exact::Duals by_enumeration = exact::subgradient_ascent(
        all_columns(partitioning), start, {instance.counts(), Cost{1} << 50, 200, none});
    const exact::AscentLimits ascent{instance.counts(), by_enumeration.objective(instance), 200, none};
    exact::StepBudget budget({1'000'000, none});
    const exact::Duals duals = exact::generate_by_enumeration(partitioning, start, groups, ascent, budget);
    for (const Cost share : price_all_sets(partitioning, duals).share) EXPECT_GE(share, 0);
    const Cost quarter_of_a_byte = kCostScale / 4;  // column generation ends when a rise is smaller
    EXPECT_GE(duals.objective(instance) + quarter_of_a_byte, by_enumeration.objective(instance))
        << "sample " << sample;
    n_raised += duals.objective(instance) > start.objective(instance);
  }
  EXPECT_GE(n_raised, 4);
}

}  // namespace
}  // namespace corewise
