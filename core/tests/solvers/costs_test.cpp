/// Incremental costs of the searches: after every swap they equal a full evaluation.
#include <gtest/gtest.h>

#include "corewise/solver.hpp"
#include "search_cases.hpp"
#include "solvers/search/gain_cache.hpp"
#include "solvers/search/hop_cost.hpp"
#include "solvers/search/load_cost.hpp"

namespace corewise::search {
namespace {

using namespace corewise::testing;

/// @param problem  with an objective of the form GreatestLoads or PhaseTimes.
LoadModel load_model_of(const PlacedProblem& problem) {
  if (const auto* times = std::get_if<PhaseTimes>(&problem.form)) return make_load_model(*times, problem);
  return make_load_model(std::get<GreatestLoads>(problem.form), problem);
}

/// Calls use(u, v, i) for n random pairs of different vertices.
template <typename Use>
void for_random_pairs(std::int32_t n_vertices, int n, Random& random, const Use& use) {
  const auto bound = static_cast<std::uint32_t>(n_vertices);
  for (int i = 0; i < n; ++i) {
    const auto u = static_cast<std::int32_t>(random.below(bound)),
               v = static_cast<std::int32_t>(random.below(bound));
    if (u != v) use(u, v, i);
  }
}

TEST(HopCost, ChangesBySwapsAsAFullEvaluationDoes) {
  Random random(5);
  const SlotTree tree = slot_tree({3, 2, 4});
  const Graph graph = graph_of(random_messages(20, 80, random), tree.n_slots());
  WorkMeter work(std::nullopt);
  for (const int sign : {1, -1}) {
    HopCost cost({graph, tree, sign}, identity_mapping(24), work);
    for_random_pairs(24, 500, random, [&](std::int32_t u, std::int32_t v, int) {
      cost.swap(u, v, cost.delta(u, v));
      ASSERT_EQ(cost.value(), hop_bytes({graph, tree, sign}, cost.mapping().slots()));
    });
  }
}

TEST(GainCache, EvaluatesSwapsAsHopCostDoes) {
  Random random(5);
  const SlotTree tree = slot_tree({3, 2, 4});
  const Graph graph = graph_of(random_messages(20, 80, random), tree.n_slots());
  WorkMeter work(std::nullopt);
  for (const int sign : {1, -1}) {
    HopCost cost({graph, tree, sign}, identity_mapping(24), work);
    GainCache cache({graph, tree, sign}, identity_mapping(24), work);
    ASSERT_EQ(cache.value(), cost.value());
    for_random_pairs(24, 1000, random, [&](std::int32_t u, std::int32_t v, int i) {
      const Cost delta = cost.delta(u, v);
      ASSERT_EQ(cache.delta(u, v, delta), delta);
      ASSERT_LE(cache.delta(u, v, delta - 1), delta);
      ASSERT_GT(cache.delta(u, v, delta - 1), delta - 1);
      if (i % 3 == 0) {
        cost.swap(u, v, delta);
        cache.swap(u, v, delta);
      }
      ASSERT_EQ(cache.value(), cost.value());
    });
  }
}

TEST(LoadCost, ChangesBySwapsAsAFullEvaluationDoesOverSeveralPhases) {
  Random random(6);
  const Machine machine = draco(3);
  Traffic traffic = random_messages(20, 60, random);
  traffic.phases.push_back({3, random_messages(20, 30, random).phases.front().matrix});
  const SlotTree tree(machine, {});
  WorkMeter work(std::nullopt);
  for (const ObjectiveInfo& row : objectives()) {
    const PlacedProblem problem = with_places({traffic, machine, row});
    if (std::holds_alternative<DistanceSum>(problem.form)) continue;
    const LoadModel model = load_model_of(problem);
    LoadCost cost(model, Mapping(tree, identity_mapping(24)), 1, work);
    for_random_pairs(24, 200, random, [&](std::int32_t u, std::int32_t v, int i) {
      const Cost delta = cost.delta(u, v);
      if (i % 2 == 0) cost.swap(u, v, delta);  // the other swaps are only tried
    });
    const SlotOfVertex slot_of = cost.mapping().slots();
    EXPECT_EQ(cost.value(), cost.evaluate()) << row.name;
    LoadCost fresh(model, Mapping(tree, slot_of), 1, work);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(cost.max_of_vector(i), fresh.max_of_vector(i)) << row.name;
  }
}

TEST(LoadCost, HasTheGreatestLoadsOfTheObjective) {
  // Draco, 8 ranks in a ring of 5 bytes: 2 messages, 10 bytes, cross the link of each cache and package.
  const Machine machine = draco(1);
  const Traffic traffic = ring(8, 5);
  const SlotTree tree(machine, {});
  const PlacedProblem problem = with_places({traffic, machine, objective("link-load")});
  const LoadModel model = load_model_of(problem);
  WorkMeter work(std::nullopt);
  LoadCost cost(model, Mapping(tree, identity_mapping(8)), 1, work);
  EXPECT_EQ(cost.max_of_vector(0), 10);  // class 2: caches
  EXPECT_EQ(cost.max_of_vector(1), 10);  // class 3: packages
}

}  // namespace
}  // namespace corewise::search
