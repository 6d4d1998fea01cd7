// The decision function with a synthetic job that reacts to swaps: it keeps gains, undoes losses, and
// otherwise does nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "made.hpp"

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::int64_t kSwap = CW_ACTION_SWAP, kKeep = CW_ACTION_KEEP, kUndo = CW_ACTION_UNDO;

TEST(Decide, ABusyRankOnTheProtocolCoreIsSwappedOnceIfThatHelpsAndIsAllowed) {
  const struct {
    const char* why;
    std::vector<double> work_ns;
    bool swaps;
    int per_numa = 4;  // cores of a NUMA domain
    int memory_pages = 1;
    int priority = 1;  // of the metric idleness
  } table[] = {
      {"busy on the slow core", {4e6, 1e6}, true},
      {"a good start", {1e6, 4e6}, false},
      {"all compute the same", {2e6, 2e6, 2e6, 2e6}, false},
      {"across NUMA domains, with pages", {4e6, 1e6}, true, 1},
      {"across NUMA domains, without pages", {4e6, 1e6}, false, 1, 0},
      {"the metric is not asked", {4e6, 1e6}, false, 4, 1, 0},
  };
  for (const auto& row : table) {
    const int n = static_cast<int>(row.work_ns.size());
    const auto steering = made::steering(n, 1, std::min(n, row.per_numa));
    if (row.memory_pages == 0) steering->settings.memory_pages = 0;
    if (row.priority == 0) steering->priority[cw_metric_find("idleness", 8)] = 0;
    made::Job job{.work_ns = row.work_ns, .speed = {0.7, 1, 1, 1}, .core = {0, 1, 2, 3}};
    job.core.resize(row.work_ns.size());
    const std::vector<std::int64_t> expected =
        row.swaps ? std::vector{kSwap, kKeep} : std::vector<std::int64_t>{};
    EXPECT_EQ(made::steer(*steering, job, 200), expected) << row.why;
    EXPECT_EQ(job.core[0], row.swaps ? 1 : 0) << row.why;
  }
}

TEST(Decide, TheFirstSwapComesAfterTwoWindowsOfAFifthOfASecond) {
  const auto steering = made::steering(2, 1, 2);
  made::Job job{.work_ns = {4e6, 1e6}, .speed = {0.7, 1.0}, .core = {0, 1}};
  made::Job same = job;
  EXPECT_THAT(made::steer(*steering, job, 7), IsEmpty());
  EXPECT_THAT(made::steer(*steering, same, 8), ElementsAre(kSwap));
}

/// Decisions of ten windows with four intervals each. In the first `n_in_a_row` of every four windows, the
/// ranks differ: less so in the first of them than in the second.
std::vector<cw_decision> decisions_with_disturbed_windows(int n_in_a_row) {
  const auto steering = made::steering(2, 1, 2);
  made::Job job{.work_ns = {2e6, 2e6}, .speed = {0.7, 1.0}, .core = {0, 1}};
  return made::decisions(*steering, job, 40, [n_in_a_row](int interval, made::Job& now) {
    const int window = interval / 4 % 4;
    now.work_ns = window < n_in_a_row ? std::vector{4e6 + 1e6 * window, 1e6} : std::vector{2e6, 2e6};
  });
}

TEST(Decide, ADisturbanceOfOneWindowSwapsNothing) {
  EXPECT_THAT(decisions_with_disturbed_windows(1), IsEmpty());
}

TEST(Decide, ASwapIsComparedWithTheFastestOfTheWindowsThatProposedIt) {
  const auto decisions = decisions_with_disturbed_windows(2);
  ASSERT_FALSE(decisions.empty());
  EXPECT_EQ(decisions[0].action, kSwap);
  EXPECT_NEAR(static_cast<double>(decisions[0].before_ns), 4e6 / 0.7,
              1e4);  // the second window had 5 ms of work
}

TEST(Decide, OfSeveralSwapsTheOneThatTheLastWindowProposedIsTaken) {
  // Rank 0 is busy on the slow core. Its best partner alternates between ranks 1 and 2 from window to window.
  const auto steering = made::steering(3, 1, 3);
  made::Job job{.work_ns = {}, .speed = {0.7, 1.0, 1.0}, .core = {0, 1, 2}};
  made::Job same = job;
  const auto change = [](int interval, made::Job& now) {
    now.work_ns = interval / 4 % 2 == 0 ? std::vector{4e6, 3e6, 3.2e6} : std::vector{4e6, 3.2e6, 3e6};
  };
  EXPECT_THAT(made::decisions(*steering, job, 7, change), IsEmpty());
  EXPECT_THAT(made::actions(made::decisions(*steering, same, 8, change)), ElementsAre(kSwap));
}

TEST(Decide, ASwapThatDoesNotPayIsTakenBackAndTheNextTrialsAreRarer) {
  // A wrong target: moves the rank that computes most to the slower core.
  const auto steering = made::steering(2, 1, 2);
  made::Job job{.work_ns = {2e6, 1e6}, .speed = {1, 0.7}, .core = {0, 1}};
  auto state = std::make_unique<cw_decide_state>();
  auto seen = std::make_unique<cw_snapshot>();
  std::vector<std::int64_t> swapped_at;
  int n_undone = 0;
  for (int interval = 0; interval < 8000; ++interval) {
    job.observe(*seen, 50 * made::kMs);
    seen->targets[seen->n_targets++] = {0, 1};
    const cw_decision decision = cw_decide(steering.get(), seen.get(), state.get());
    if (decision.action == kSwap) swapped_at.push_back(job.now_ns);
    n_undone += decision.action == kUndo;
    job.act(decision);
  }
  EXPECT_THAT(job.core, ElementsAre(0, 1));
  ASSERT_GE(swapped_at.size(), 4u);
  EXPECT_EQ(n_undone, static_cast<int>(swapped_at.size()));
  for (std::size_t i = 2; i < swapped_at.size(); ++i)
    EXPECT_GT(swapped_at[i] - swapped_at[i - 1], 3 * (swapped_at[i - 1] - swapped_at[i - 2]) / 2);
}

/// Actions in a job whose rank 0 is busy on the slow core. In the first 500 ms its iterations are shorter: 1
/// ms of work, then 4 ms. Because of that, a swap is undone.
std::vector<std::int64_t> actions_after_a_fast_begin(double later_speed) {
  const auto steering = made::steering(2, 1, 2);
  made::Job job{.work_ns = {1e6, 2.5e5}, .speed = {0.7, 1.0}, .core = {0, 1}};
  return made::actions(made::decisions(*steering, job, 60, [later_speed](int interval, made::Job& now) {
    if (interval != 10) return;
    now.work_ns = {4e6, 1e6};
    now.speed[0] = later_speed;
  }));
}

TEST(Decide, ASwapThatWasTakenBackIsTriedAgainAtOnceWhereTheWindowBehindIsSlowerThanWithIt) {
  EXPECT_THAT(actions_after_a_fast_begin(0.7), ElementsAre(kSwap, kUndo, kSwap, kKeep));
}

TEST(Decide, ASwapThatWasTakenBackStaysSoWhereTheWindowBehindIsAsFastAsWithIt) {
  EXPECT_THAT(actions_after_a_fast_begin(0.98), ElementsAre(kSwap, kUndo));
}

/// Actions in 100 intervals: 2 ms of work before the swap, 1.5 ms during probation, then 2.2 ms in the first
/// `n_slow` intervals, then 1.5 ms again.
std::vector<std::int64_t> actions_with_slow_intervals(int n_slow) {
  const auto steering = made::steering(2, 1, 2);
  made::Job job{.work_ns = {2e6, 2e6}, .speed = {1, 1}, .core = {0, 1}};
  std::vector<std::int64_t> actions;
  auto state = std::make_unique<cw_decide_state>();
  auto seen = std::make_unique<cw_snapshot>();
  int n_kept = 0;
  for (int interval = 0; interval < 100; ++interval) {
    const bool swapped = !actions.empty(), kept = actions.size() > 1;
    const double work = kept && n_kept++ < n_slow ? 2.2e6 : swapped ? 1.5e6 : 2e6;
    job.work_ns = {work, work};
    job.observe(*seen, 50 * made::kMs);
    seen->targets[seen->n_targets++] = {0, 1};
    const cw_decision decision = cw_decide(steering.get(), seen.get(), state.get());
    if (decision.action != CW_ACTION_NONE) actions.push_back(decision.action);
    job.act(decision);
  }
  return actions;
}

TEST(Decide, AKeptSwapThatOnlyMetAFastPhaseIsTakenBack) {
  EXPECT_THAT(actions_with_slow_intervals(100), ElementsAre(kSwap, kKeep, kUndo));
}

TEST(Decide, OneDisturbedWindowIsNoReasonToTakeASwapBack) {
  EXPECT_THAT(actions_with_slow_intervals(4), ElementsAre(kSwap, kKeep));
}

TEST(Decide, ASwapThatIsRefusedOrNotAnsweredIsGivenUp) {
  const auto steering = made::steering(2, 1, 2);
  for (const bool refuses : {true, false}) {
    made::Job job{.work_ns = {4e6, 1e6}, .speed = {0.7, 1.0}, .core = {0, 1}, .refuses = refuses};
    const auto no_answer = [](int, made::Job& now) {
      if (now.refuses) return;
      now.core = {0, 1};
      now.result = {};
    };
    EXPECT_THAT(made::actions(made::decisions(*steering, job, 30, no_answer)),
                ElementsAre(kSwap, static_cast<std::int64_t>(CW_ACTION_GIVE_UP)));
  }
}

TEST(Decide, WhereProgressIsMissingAssistanceIsAdvisedOnceBeforeRanksMove) {
  // Rank 0 is on the slower core and computes for half of the time with unsent data; its socket has room for
  // the data. Rank 2 waits for them.
  const auto steering = made::steering(3, 1, 3);
  steering->priority[cw_metric_find("idleness", 8)] = 0;
  made::Job job{.work_ns = {2e6, 2e6, 2e6}, .speed = {1, 1, 1}, .core = {0, 1, 2}};
  const auto unsent = [](int, cw_snapshot& seen) {
    seen.ranks[0].unsent_compute_ns = seen.ranks[2].wait_ns = 25 * made::kMs;
    seen.ranks[0].unsent_bytes = 1 << 20;
    made::bytes(seen, 0, 2, 1 << 20);
    seen.ranks[0].run_delay_ns = 15 * made::kMs;
  };
  const auto decisions = made::decisions(*steering, job, 20, [](int, made::Job&) {}, unsent);
  const auto actions = made::actions(decisions);
  ASSERT_GE(actions.size(), 2u);
  EXPECT_EQ(actions[0], CW_ACTION_ASSIST);
  EXPECT_EQ(actions[1], kSwap);
  EXPECT_EQ(std::count(actions.begin(), actions.end(), CW_ACTION_ASSIST), 1);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(decisions[i].proposal.rank_a, 0);
}

TEST(Decide, WhenTheBudgetOfSharedTimeIsSpentNothingIsSwapped) {
  const auto steering = made::steering(2, 1, 2);
  steering->settings.shared_share = 0;
  steering->settings.shared_first_ns = 0;
  auto state = std::make_unique<cw_decide_state>();
  auto seen = std::make_unique<cw_snapshot>();
  state->guard.shared_ns = 1;
  made::Job job{.work_ns = {4e6, 1e6}, .speed = {0.7, 1.0}, .core = {0, 1}};
  for (int interval = 0; interval < 50; ++interval) {
    job.observe(*seen, 50 * made::kMs);
    EXPECT_EQ(cw_decide(steering.get(), seen.get(), state.get()).action, CW_ACTION_NONE);
  }
}

// Random jobs and machines. Always, ranks remain a permutation of the cores. After the first verdict,
// iterations are never longer than at the start, except while a swap is on probation.
TEST(Decide, RandomJobsEndNoSlowerThanTheyBegan) {
  std::mt19937 random(5);
  int n_faster = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int n = 2 + static_cast<int>(random() % 7);
    const auto steering = made::steering(n, 1 + static_cast<int>(random() % n), n);
    made::Job job;
    for (int i = 0; i < n; ++i) {
      job.work_ns.push_back(1e6 * static_cast<double>(1 + random() % 4));
      job.speed.push_back(i == 0 ? 0.65 + 0.05 * static_cast<double>(random() % 8) : 1.0);
      job.core.push_back(i);
    }
    std::shuffle(job.core.begin(), job.core.end(), random);
    const double before = job.iteration_ns();
    const std::vector<std::int64_t> actions = made::steer(*steering, job, 400);
    const bool on_trial = !actions.empty() && actions.back() == kSwap;
    EXPECT_TRUE(on_trial || job.iteration_ns() <= before) << "trial " << trial;
    n_faster += job.iteration_ns() < 0.99 * before;
    std::vector<std::int64_t> cores = job.core;
    std::sort(cores.begin(), cores.end());
    for (int i = 0; i < n; ++i) EXPECT_EQ(cores[i], i);
  }
  EXPECT_GT(n_faster, 5);
}

}  // namespace
