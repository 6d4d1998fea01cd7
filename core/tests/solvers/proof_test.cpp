/// Proofs: bounds and searches, compared with enumeration on small trees.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "corewise/random.hpp"
#include "proof_cases.hpp"
#include "solvers/bounds/spectral.hpp"
#include "solvers/exact/close_gap.hpp"
#include "solvers/exact/set_partitioning.hpp"
#include "solvers/exact/subset_pricing.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;

double hop_bytes(const Traffic& traffic, const Machine& machine, const Placement& placement) {
  return objective("hop-bytes").evaluate(traffic, machine, placement).values.front();
}

/// The best or worst score of all placements of the ranks on the machine's cores.
double enumerated(const Traffic& traffic, const Machine& machine, bool worst) {
  std::vector<std::int32_t> cores(machine.n_cores());
  std::iota(cores.begin(), cores.end(), 0);
  const auto n_ranks = static_cast<std::size_t>(traffic.n_ranks());
  double best = worst ? -1 : 1e300;
  do {
    const double value = hop_bytes(traffic, machine, placed({cores.begin(), cores.begin() + n_ranks}));
    best = worst ? std::max(best, value) : std::min(best, value);
  } while (std::ranges::next_permutation(cores).found);
  return best;
}

/// Only the proof, from block order, without the help of a good placement from the search of auto.
Solution gap_closed(const PlacedProblem& problem, std::uint64_t most_steps) {
  Solution solution;
  solution.placement = Placement(problem.places.block);
  exact::close_distance_gap(distance_form(problem), problem, most_steps, Deadline({}), solution);
  return solution;
}

Solution gap_closed(const Traffic& traffic, const Machine& machine, bool worst, std::uint64_t most_steps) {
  return gap_closed(hop_bytes_problem(traffic, machine, worst), most_steps);
}

TEST(CloseDistanceGap, EqualsTheEnumerationOfAllPlacements) {
  const std::vector<Machine> machines{tree({8}, {3}), tree({2, 4}, {1, 10}), tree({4, 2}, {1, 10}),
                                      tree({2, 2, 2}, {1, 10, 100}), tree({2, 2, 2}, {1, 1, 5})};
  Random random(5);
  for (const Machine& machine : machines) {
    for (const std::int32_t n_ranks : {8, 6}) {
      const Traffic traffic = random_traffic(n_ranks, 6 + random.below(30), random);
      for (const bool worst : {false, true}) {
        const Solution solution = gap_closed(traffic, machine, worst, 1'000'000);
        const double expected = enumerated(traffic, machine, worst);
        EXPECT_TRUE(solution.proven) << machine.name();
        EXPECT_EQ(solution.bound->values.front(), expected) << machine.name();
        EXPECT_EQ(hop_bytes(traffic, machine, solution.placement), expected) << machine.name();
      }
    }
  }
}

TEST(CloseDistanceGap, EqualsTheEnumerationOfAllPlacementsOnUnevenMachines) {
  Random random(31);
  int n_compared = 0;
  for (int sample = 0; sample < 120; ++sample) {
    UnevenCase c = uneven_case(random);
    for (std::int32_t& capacity : c.capacity) capacity = std::min(capacity, 1);
    if (std::accumulate(c.capacity.begin(), c.capacity.end(), 0) < c.traffic.n_ranks()) continue;
    for (const bool worst : {false, true}) {
      const PlacedProblem problem =
          with_places({c.traffic, c.machine, objective("hop-bytes"), worst, {c.capacity}});
      if (!hop_instance(distance_form(problem), problem)) continue;  // all places on one core
      const Solution solution = gap_closed(problem, 1'000'000);
      std::vector<double> values;
      for_each_placement(problem, [&](const Placement& placement) {
        values.push_back(hop_bytes(c.traffic, c.machine, placement));
      });
      const double expected = worst ? std::ranges::max(values) : std::ranges::min(values);
      ++n_compared;
      EXPECT_TRUE(solution.proven) << "sample " << sample;
      EXPECT_EQ(solution.bound->values.front(), expected) << "sample " << sample;
      EXPECT_EQ(hop_bytes(c.traffic, c.machine, solution.placement), expected) << "sample " << sample;
    }
  }
  EXPECT_GE(n_compared, 150);
}

/// Hop-bytes of the best (or worst) placement of 12 ranks on tree:s:g or tree:s:g:2, by a table of all sets.
class SetTable {
 public:
  SetTable(const Traffic& traffic, const Machine& machine, bool worst) : machine_(machine), worst_(worst) {
    const PairGraph graph(traffic.folded());
    for (unsigned set = 0; set < (1u << 12); ++set) {
      std::uint64_t bytes = 0;
      for (std::int32_t u = 0; u < 12; ++u) {
        for (const PairTraffic& pair : graph.partners(Rank{u})) {
          const bool both = (set >> u & 1) != 0 && (set >> raw(pair.peer) & 1) != 0;
          if (both && raw(pair.peer) > u) bytes += pair.bytes;
        }
      }
      inside_.push_back(static_cast<double>(bytes));
    }
  }

  /// Least (or greatest) cost of the pairs in a set that fills one object of `level`.
  double cost(unsigned set, int level) {
    if (level == 0) return 0;
    const double distance = machine_.levels()[level - 1].distance;
    return distance * inside_[set] + split(set, level, distance);
  }

 private:
  /// Change of that cost by the groups one level down, compared with `distance` for all pairs.
  double split(unsigned rest, int level, double distance) {
    if (rest == 0) return 0;
    const int size = machine_.n_cores() / machine_.n_groups(level - 1);
    double best = worst_ ? -1e300 : 1e300;
    for (unsigned group = rest; group != 0; group = (group - 1) & rest) {
      if (std::popcount(group) != size || (group & (rest & -rest)) == 0) continue;
      const double value =
          cost(group, level - 1) - distance * inside_[group] + split(rest & ~group, level, distance);
      best = worst_ ? std::max(best, value) : std::min(best, value);
    }
    return best;
  }

  const Machine& machine_;
  bool worst_;
  std::vector<double> inside_;
};

TEST(CloseDistanceGap, EqualsATableOverAllSetsOfTwelveRanks) {
  const std::vector<Machine> machines{tree({3, 4}, {1, 10}), tree({4, 3}, {2, 3}), tree({6, 2}, {1, 10}),
                                      tree({3, 2, 2}, {1, 10, 100}), tree({2, 3, 2}, {1, 10, 100})};
  Random random(6);
  for (const Machine& machine : machines) {
    const Traffic traffic = random_traffic(12, 20 + random.below(60), random);
    for (const bool worst : {false, true}) {
      const Solution solution = gap_closed(traffic, machine, worst, 10'000'000);
      const double expected = SetTable(traffic, machine, worst).cost((1u << 12) - 1, machine.n_levels());
      EXPECT_TRUE(solution.proven) << machine.name();
      EXPECT_EQ(solution.bound->values.front(), expected) << machine.name();
      EXPECT_EQ(hop_bytes(traffic, machine, solution.placement), expected) << machine.name();
    }
  }
}

TEST(CloseDistanceGap, GivesABoundThatHoldsWhereItsStepsRunOut) {
  Random random(7);
  const Machine machine = tree({4, 2, 2}, {1, 10, 100});
  const Traffic traffic = random_traffic(16, 100, random);
  for (const bool worst : {false, true}) {
    const Solution quick = gap_closed(traffic, machine, worst, 1000);
    const Solution proven = gap_closed(traffic, machine, worst, 100'000'000);
    EXPECT_FALSE(quick.proven);
    ASSERT_TRUE(proven.proven);
    const double optimum = proven.bound->values.front();
    EXPECT_TRUE(worst ? quick.bound->values.front() >= optimum : quick.bound->values.front() <= optimum);
  }
}

TEST(HopInstance, KnowsByWhatPlacementsCanDiffer) {
  // Pairs of 6 and 10 bytes, distances 1, 10 and 100: one level up costs 9 or 90 more per byte.
  const Traffic traffic = traffic_of(8, {{0, 1, 6}, {2, 5, 10}});
  EXPECT_EQ(instance_of(traffic, tree({2, 2, 2}, {1, 10, 100}), false).granularity, kCostScale * 2 * 9);
  EXPECT_EQ(instance_of(traffic, tree({2, 4}, {3, 4}), true).granularity, kCostScale * 2);
}

/// Random messages among `n_active` of twelve ranks, and feasible duals for groups of three.
struct TwelveRanks {
  TwelveRanks(const Machine& machine, std::int32_t n_active, bool worst, Random& random)
      : machine(machine),
        worst(worst),
        traffic(among(n_active, random)),
        instance(instance_of(traffic, machine, worst)) {
    duals.push_back(exact::Duals::zero(instance));
    duals.push_back(exact::degree_duals({instance, 1, instance.factor(1), duals.front()}));
  }
  static Traffic among(std::int32_t n_active, Random& random) {
    std::vector<Message> messages;
    for (std::uint32_t i = 20 + random.below(40); i > 0; --i) {
      messages.push_back({static_cast<std::int32_t>(random.below(n_active)),
                          static_cast<std::int32_t>(random.below(n_active)), 1 + random.below(20)});
    }
    return traffic_of(12, messages);
  }
  double best_by_table() const {
    return SetTable(traffic, machine, worst).cost((1u << 12) - 1, machine.n_levels());
  }
  double hop_bytes(const exact::PartitionResult& found) const {
    const double cost = static_cast<double>(instance.cost_at_root() + found.cost) / kCostScale;
    return worst ? -cost : cost;
  }

  const Machine& machine;
  bool worst;
  Traffic traffic;
  HopInstance instance;
  std::vector<exact::Duals> duals;  ///< [level]
};

constexpr Cost kAnyCost = Cost{1} << 50;

TEST(SolveSetPartitioning, FindsTheBestOfAllPartitions) {
  Random random(15);
  const Machine machine = tree({3, 4}, {1, 10});
  const Deadline none({});
  for (const std::int32_t n_active : {12, 9}) {
    for (const bool worst : {false, true}) {
      const TwelveRanks ranks(machine, n_active, worst, random);
      exact::StepBudget budget({100'000'000, none});
      exact::NestedCost nested(ranks.instance, ranks.duals, budget);
      const exact::SetPartitioning partitioning{ranks.instance, 1, ranks.instance.factor(1), ranks.duals[0]};
      std::vector<exact::Column> sets;
      ASSERT_TRUE(list_columns(partitioning, ranks.duals[1], kAnyCost, budget, sets));
      const auto found = exact::solve_set_partitioning(partitioning, nested, std::move(sets), ranks.duals[1],
                                                       kAnyCost, ranks.instance.granularity, budget);
      ASSERT_TRUE(found.complete);
      EXPECT_EQ(ranks.hop_bytes(found), ranks.best_by_table());
    }
  }
}

TEST(WeightInsideMinBisection, EqualsTheEnumerationOfAllBisections) {
  Random random(16);
  for (const bool worst : {false, true}) {
    const auto instance = instance_of(random_traffic(12, 40, random), tree({4, 3}, {1, 10}), worst);
    const Subset set = 0b1011'1011'1101;
    for (int size = 1; size <= 8; ++size) {
      Cost greatest = -kAnyCost;
      for (Subset half = set; half != 0; half = (half - 1) & set) {
        if (std::popcount(half) == size)
          greatest = std::max(greatest, instance.inside(half) + instance.inside(set & ~half));
      }
      EXPECT_EQ(exact::weight_inside_min_bisection(instance, set, size), greatest) << size;
    }
  }
}

/// Lower bound on the weight between three or four groups of equal size.
double least_cut(const HopInstance& instance, int n_groups) {
  const std::vector<double> weight(instance.weight.begin(), instance.weight.end());
  return bounds::least_cut(bounds::laplacian_spectrum(instance.n, weight),
                           std::vector<int>(n_groups, instance.n / n_groups));
}

TEST(LeastCut, IsTightForRecursiveDoubling) {
  // 16 ranks in groups of 4: the two largest exchanges stay within groups. 16/2 edges of 1 byte and 16/2 of 2
  // bytes are cut, in both directions.
  const auto instance = instance_of(recursive_doubling(16), tree({4, 4}, {1, 10}), false);
  EXPECT_NEAR(least_cut(instance, 4), 2 * 8 * (1 + 2), 1e-6);
}

TEST(LeastCut, HoldsForEveryPartition) {
  Random random(10);
  for (const bool worst : {false, true}) {
    const Traffic traffic = random_traffic(12, 40, random);
    const Machine machine = tree({4, 3}, {1, 2});
    const auto instance = instance_of(traffic, machine, worst);
    // Distances 1 and 2: the hop-bytes are all bytes plus the bytes between groups.
    const double best = SetTable(traffic, machine, worst).cost((1u << 12) - 1, 2);
    const double bytes = static_cast<double>(std::abs(instance.inside(instance.all())));
    const double cut = worst ? -(best - bytes) : best - bytes;
    EXPECT_LE(least_cut(instance, 3), cut);
  }
}

TEST(CloseDistanceGap, ProvesStencilsOfSixtyFour) {
  // 8 x 8 in groups of 4 and of 16: 64 edges in 2 x 2 blocks, 32 more in 4 x 4 blocks, 16 between these.
  std::vector<Message> messages;
  for (std::int32_t rank = 0; rank < 64; ++rank) {
    if (rank % 8 != 7) messages.push_back({rank, rank + 1, 1});
    if (rank < 56) messages.push_back({rank, rank + 8, 1});
  }
  const Traffic traffic = traffic_of(64, messages);
  const Machine machine = tree({4, 4, 4}, {1, 10, 100});
  const MappingProblem problem{traffic, machine, objective("hop-bytes")};
  const Solution solution = solve(problem, "auto", {});
  EXPECT_TRUE(solution.proven);
  EXPECT_EQ(solution.score.values.front(), 64 + 320 + 1600);
}

}  // namespace
}  // namespace corewise
