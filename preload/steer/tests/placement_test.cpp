// From a bad placement to a solver's, step by step and limited by the guard, on synthetic machines.
#include <gtest/gtest.h>

#include "made.hpp"

namespace {

/// Ranks of a family communicate a lot. Members that don't share a cache make iterations longer.
struct Families {
  int n_cores;
  int per_cache;

  int n_families() const { return n_cores / per_cache; }
  int family(std::int64_t rank) const { return static_cast<int>(rank) % n_families(); }

  /// The core that the solver wants: one cache for each family.
  std::int64_t wanted(std::int64_t rank) const { return family(rank) * per_cache + rank / n_families(); }

  /// 2 ms of computation, plus up to 2 ms for messages between caches.
  double iteration_ns(const std::vector<std::int64_t>& core) const {
    double far = 0, all = 0;
    for (std::size_t a = 0; a < core.size(); ++a) {
      for (std::size_t b = 0; b < core.size(); ++b) {
        if (a == b || family(a) != family(b)) continue;
        all += 1;
        far += core[a] / per_cache != core[b] / per_cache;
      }
    }
    return 2e6 * (1 + far / all);
  }
};

/// Steers from `core` to `wanted` [rank] for this time, or until all ranks are in place.
struct Outcome {
  std::vector<std::int64_t> core;
  int n_undone = 0;
};

Outcome steer_to(const Families& families, const std::vector<std::int64_t>& core,
                 const std::vector<std::int64_t>& wanted, int seconds) {
  const auto steering = made::steering(families.n_cores, families.per_cache, families.n_cores);
  auto state = std::make_unique<cw_decide_state>();
  auto seen = std::make_unique<cw_snapshot>();
  made::Job job{.work_ns = std::vector<double>(core.size(), families.iteration_ns(core)),
                .speed = std::vector<double>(core.size(), 1.0),
                .core = core};
  Outcome outcome;
  for (int interval = 0; interval < 20 * seconds && job.core != wanted; ++interval) {
    job.observe(*seen, 50 * made::kMs);
    for (std::size_t rank = 0; rank < core.size(); ++rank) {
      if (job.core[rank] != wanted[rank])
        seen->targets[seen->n_targets++] = {static_cast<std::int64_t>(rank), wanted[rank]};
    }
    const cw_decision decision = cw_decide(steering.get(), seen.get(), state.get());
    outcome.n_undone += decision.action == CW_ACTION_UNDO;
    job.act(decision);
    if (decision.action != CW_ACTION_NONE) job.work_ns.assign(core.size(), families.iteration_ns(job.core));
  }
  outcome.core = job.core;
  return outcome;
}

std::vector<std::int64_t> in_order(int n) {
  std::vector<std::int64_t> core(n);
  for (int rank = 0; rank < n; ++rank) core[rank] = rank;
  return core;
}

std::vector<std::int64_t> wanted_by(const Families& families) {
  std::vector<std::int64_t> core(families.n_cores);
  for (int rank = 0; rank < families.n_cores; ++rank) core[rank] = families.wanted(rank);
  return core;
}

struct Shape {
  const char* name;
  Families families;
};

class OnMachines : public ::testing::TestWithParam<Shape> {};

TEST_P(OnMachines, TheSolversPlacementIsReachedStepByStep) {
  const Families& families = GetParam().families;
  const auto start = in_order(families.n_cores);
  EXPECT_GT(families.iteration_ns(start), 3e6);  // at first, few members of a family share a cache
  const Outcome outcome = steer_to(families, start, wanted_by(families), 300);
  EXPECT_EQ(families.iteration_ns(outcome.core), 2e6);
}

INSTANTIATE_TEST_SUITE_P(Placement, OnMachines,
                         ::testing::Values(Shape{"TwoByFour", {8, 4}}, Shape{"EightByEight", {64, 8}},
                                           Shape{"Ccx", {16, 4}}),
                         [](const auto& info) { return std::string(info.param.name); });

// The solver's targets are bad: they spread each family over all caches. Each step costs time and is undone.
TEST(Placement, AWrongTargetCostsNothingThatStays) {
  const Families families{8, 4};
  const Outcome outcome = steer_to(families, wanted_by(families), in_order(8), 60);
  EXPECT_GT(outcome.n_undone, 0);
  EXPECT_EQ(families.iteration_ns(outcome.core), 2e6);
}

}  // namespace
