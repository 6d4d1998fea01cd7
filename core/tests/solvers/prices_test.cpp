/// Prices of groups: they hold for every set, however they were raised.
#include "solvers/exact/prices.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "proof_cases.hpp"
#include "solvers/exact/column_prices.hpp"
#include "solvers/exact/set_pool.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;

TEST(RaisePrices, NeverOverdrawsASet) {
  Random random(8);
  const Machine machine = tree({4, 4}, {1, 10});
  const Traffic traffic = random_traffic(16, 60, random);
  const auto instance = instance_of(traffic, machine, false);
  const proof::GroupFamily family{instance, 1, instance.factor(1), proof::Prices::nothing(instance)};
  const Deadline none({});
  const proof::Prices prices =
      proof::raise_prices([&](const proof::Prices& at) { return cheapest_sets(family, at); },
                          proof::degree_prices(family), {counts(instance), proof::Cost{1} << 50, 30, none});
  for (const proof::Cost share : proof::cheapest_sets(family, prices).share) EXPECT_GE(share, 0);
}

/// Those of the lowest object's level, filled in order.
std::vector<proof::Group> block_groups(const proof::HopInstance& instance) {
  std::vector<proof::Group> groups;
  for (const proof::Group& object : instance.objects) {
    if (instance.kinds[object.kind].level == 1) groups.push_back(object);
  }
  return groups;
}

TEST(ColumnPrices, HoldForEverySetAndComeCloseToThoseThatLookAtAllOfThem) {
  Random random(12);
  const Machine machine = tree({4, 4}, {1, 10});
  for (int sample = 0; sample < 5; ++sample) {
    const Traffic traffic = random_traffic(16, 40, random);
    const auto instance = instance_of(traffic, machine, sample % 2 == 1);
    const proof::GroupFamily family{instance, 1, instance.factor(1), proof::Prices::nothing(instance)};
    const proof::Prices start = degree_prices(family);
    const Deadline none({});
    const proof::Prices prices = proof::column_prices(family, start, block_groups(instance),
                                                      proof::Cost{1} << 50, {100'000'000, none});
    for (const proof::Cost share : proof::cheapest_sets(family, prices).share) EXPECT_GE(share, 0);
    const proof::Prices looked =
        proof::raise_prices([&](const proof::Prices& at) { return cheapest_sets(family, at); }, start,
                            {counts(instance), proof::Cost{1} << 50, 200, none});
    const auto rise = [&](const proof::Prices& to) {
      return static_cast<double>(to.of_all(instance) - start.of_all(instance));
    };
    EXPECT_GE(rise(prices), 0.8 * rise(looked));
  }
}

TEST(OverdrawnSets, HoldTheCheapestOfEveryKindUnlessItPaysItsPrices) {
  Random random(34);
  const Machine machine = machine_of({two_level_node({7, 6, 2})});
  int n_overdrawn = 0, n_paid = 0;
  for (int sample = 0; sample < 12; ++sample) {
    const auto instance = instance_of(random_traffic(15, 50, random), machine, sample % 2 == 1);
    const proof::GroupFamily family{instance, 1, instance.factor(1), proof::Prices::nothing(instance)};
    proof::Prices prices = degree_prices(family);
    for (proof::Cost& price : prices.of_vertex) price += proof::kScale * random.below(sample / 2 + 1);
    std::uint64_t steps = 0;
    const proof::CheapestSets overdrawn = proof::overdrawn_sets(family, prices, steps);
    const proof::CheapestSets all = proof::cheapest_sets(family, prices);
    for (const int kind : family.kinds()) {
      const bool paid = all.least[kind] >= 0;
      EXPECT_EQ(overdrawn.least[kind], paid ? proof::CheapestSets::kNoSet : all.least[kind]) << sample;
      ++(paid ? n_paid : n_overdrawn);
    }
    for (const proof::Group& set : overdrawn.set) {
      if (set.members == 0) continue;
      EXPECT_LT(family.cost(set.members, set.kind), prices.of(set.members, set.kind)) << sample;
    }
  }
  EXPECT_GE(n_overdrawn, 5);
  EXPECT_GE(n_paid, 5);
}

TEST(PoolPrices, HoldForEverySetOfEveryKindAndComeAsFarAsThoseThatLookAtAllOfThem) {
  Random random(33);
  const Machine machine = machine_of({two_level_node({5, 4, 3})});
  int n_raised = 0;
  for (int sample = 0; sample < 6; ++sample) {
    const Traffic traffic = random_traffic(12, 40, random);
    const auto instance = instance_of(traffic, machine, sample % 2 == 1);
    const proof::GroupFamily family{instance, 1, instance.factor(1), proof::Prices::nothing(instance)};
    const proof::Prices start = degree_prices(family);
    const Deadline none({});
    const std::vector<proof::Group> groups = block_groups(instance);
    const auto look = [&](const proof::Prices& at) { return cheapest_sets(family, at); };
    const proof::Prices looked =
        proof::raise_prices(look, start, {counts(instance), proof::Cost{1} << 50, 200, none});
    const proof::Ascent ascent{counts(instance), looked.of_all(instance), 200, none};
    const proof::Prices prices = proof::pool_prices(family, start, groups, ascent, 1'000'000);
    for (const proof::Cost share : look(prices).share) EXPECT_GE(share, 0);
    const proof::Cost quarter_of_a_byte = proof::kScale / 4;  // less is not worth another look
    EXPECT_GE(prices.of_all(instance) + quarter_of_a_byte, looked.of_all(instance)) << "sample " << sample;
    n_raised += prices.of_all(instance) > start.of_all(instance);
  }
  EXPECT_GE(n_raised, 4);
}

TEST(GrowSets, FindsWhatALookAtAllSetsLists) {
  Random random(13);
  const Traffic traffic = random_traffic(10, 30, random);  // the other four are all the same
  const auto instance = instance_of(traffic, tree({7, 2}, {1, 10}), false);
  const proof::GroupFamily family{instance, 1, instance.factor(1), proof::Prices::nothing(instance)};
  const proof::Prices prices = degree_prices(family);
  const Deadline none({});
  std::vector<proof::CostedSet> looked, grown;
  ASSERT_TRUE(list_sets(family, prices, {400 * proof::kScale, 10'000}, looked));
  ASSERT_TRUE(grow_sets(family, prices, {400 * proof::kScale, 10'000}, {100'000'000, none}, grown));
  std::ranges::sort(grown, {}, &proof::CostedSet::members);
  std::ranges::sort(looked, {}, &proof::CostedSet::members);
  ASSERT_FALSE(looked.empty());
  EXPECT_TRUE(std::ranges::equal(looked, grown, {}, &proof::CostedSet::members, &proof::CostedSet::members));
  EXPECT_TRUE(std::ranges::equal(looked, grown, {}, &proof::CostedSet::cost, &proof::CostedSet::cost));
}

}  // namespace
}  // namespace corewise
