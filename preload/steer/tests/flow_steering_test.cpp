// Advice on receive flow steering, from the windows of the decision function.
#include <gtest/gtest.h>

#include "made.hpp"

extern "C" {
#include "history.h"
}

namespace {

using made::kMs;

/// The finding in four equal intervals.
cw_flow_steering found(const cw_steering& steering, const cw_snapshot& seen) {
  auto analysis = std::make_unique<cw_analysis>();
  for (int interval = 0; interval < 4; ++interval) cw_analysis_add(analysis.get(), &seen);
  const auto index = std::make_unique<cw_analysis_index>();
  cw_view view = {&steering.machine, &steering.settings, &steering.confidences, analysis.get(), nullptr};
  cw_view_index(&view, index.get());
  return cw_flow_steering_find(&view);
}

/// Rank 0 on core 0 waits for this share of its time, rank 1 on core 1 for half of it.
std::unique_ptr<cw_snapshot> two_ranks(double wait) {
  auto seen = made::snapshot(2);
  made::share(*seen, 0, 1 - wait, wait);
  made::share(*seen, 1, 0.5, 0.5);
  return seen;
}

TEST(FlowSteering, HelpsWhereACoreWorksOnAllPacketsAndItsRankHardlyWaits) {
  // 100,000 packets of 700 ns are 70 of 250 ms; 100,000 of 100,500 packets are 995 in a thousand.
  const auto steering = made::steering(2, 1, 2);
  const auto seen = two_ranks(0.05);
  made::packets(*seen, 0, 100000);
  made::packets(*seen, 1, 500);
  const cw_flow_steering helps = found(*steering, *seen);
  EXPECT_EQ(helps.core, 0);
  EXPECT_EQ(helps.rank, 0);
  EXPECT_EQ(helps.share, 995);
  EXPECT_EQ(helps.taken, 280);
  char text[480];
  cw_buffer sentence = {text, sizeof text, 0, false};
  cw_flow_steering_because(&helps, &sentence);
  EXPECT_EQ(std::string(text).rfind(
                "core 0 works on 100% of the node's packets, about 28% of its time, and rank 0", 0),
            0u);
}

TEST(FlowSteering, DoesNotHelpARankThatWaitsOrACoreWithFewPackets) {
  const auto steering = made::steering(2, 1, 2);
  const auto waits = two_ranks(0.3);
  made::packets(*waits, 0, 100000);
  EXPECT_EQ(found(*steering, *waits).core, -1);
  const auto over_both = two_ranks(0.05);
  made::packets(*over_both, 0, 100000);
  made::packets(*over_both, 1, 100000);
  EXPECT_EQ(found(*steering, *over_both).core, -1);
  const auto few = two_ranks(0.05);
  made::packets(*few, 0, 10000);  // 7 of 250 ms
  EXPECT_EQ(found(*steering, *few).core, -1);
}

TEST(FlowSteering, GoesByTheTimeOfInterruptsWhereThatIsMeasured) {
  const auto steering = made::steering(2, 1, 2);
  const auto seen = two_ranks(0.05);
  seen->cores[seen->n_cores++] = {0, 100000, 30 * kMs};  // 120 in a thousand of 250 ms
  seen->cores[seen->n_cores++] = {1, 0, 0};
  EXPECT_EQ(found(*steering, *seen).taken, 120);
  seen->cores[0].irq_ns = 10 * kMs;  // 40 in a thousand, less than the margin of 50
  EXPECT_EQ(found(*steering, *seen).core, -1);
}

TEST(FlowSteering, GoesByTheSettings) {
  const auto seen = two_ranks(0.05);
  made::packets(*seen, 0, 100000);
  made::packets(*seen, 1, 500);
  const struct {
    std::int64_t cw_steer_settings::* setting;
    std::int64_t value;
  } kSettings[] = {{&cw_steer_settings::protocol_share, 999},
                   {&cw_steer_settings::packet_ns, 100},  // 40 in a thousand of the core
                   {&cw_steer_settings::capability_margin, 300},
                   {&cw_steer_settings::low_idleness, 40}};  // rank 0 waits 53 in a thousand of its time
  for (const auto& each : kSettings) {
    const auto steering = made::steering(2, 1, 2);
    steering->settings.*each.setting = each.value;
    EXPECT_EQ(found(*steering, *seen).core, -1) << each.value;
  }
}

/// The state after `n` intervals of 50 ms; four make a window.
std::unique_ptr<cw_decide_state> after(const cw_steering& steering, made::Job job, int n,
                                       cw_history* history) {
  auto state = std::make_unique<cw_decide_state>();
  auto interval = std::make_unique<cw_log_interval>();
  for (int i = 0; i < n; ++i) {
    job.observe(interval->snapshot, 50 * kMs);
    const cw_decision decision = cw_decide(&steering, &interval->snapshot, state.get());
    EXPECT_TRUE(cw_history_add(history, interval.get(), &steering.settings, &decision));
    job.act(decision);
  }
  return state;
}

TEST(FlowSteering, IsAdvisedAfterWindowsEnoughForASwap) {
  // Both ranks compute the same, so neither can share a core with packets better than the other: no swap.
  const auto steering = made::steering(2, 1, 2);
  const made::Job job{.work_ns = {2e6, 2e6}, .speed = {0.7, 1.0}, .core = {0, 1}};
  cw_history history = {};
  EXPECT_FALSE(cw_decide_advises_flow_steering(steering.get(), after(*steering, job, 7, &history).get()));
  EXPECT_TRUE(cw_decide_advises_flow_steering(steering.get(), after(*steering, job, 8, &history).get()));
  steering->settings.windows_in_a_row = 3;
  EXPECT_FALSE(cw_decide_advises_flow_steering(steering.get(), after(*steering, job, 8, &history).get()));
  cw_history_free(&history);
}

TEST(FlowSteering, IsNotAdvisedWhereASwapHelpsOrADryRunLeftOneOut) {
  const auto steering = made::steering(2, 1, 2);
  made::Job job{.work_ns = {4e6, 1e6}, .speed = {0.7, 1.0}, .core = {0, 1}};
  cw_history swapped = {}, refused = {}, dry = {};
  EXPECT_FALSE(cw_decide_advises_flow_steering(steering.get(), after(*steering, job, 60, &swapped).get()));
  EXPECT_EQ(swapped.n_swaps, 1);
  job.refuses = true;
  (void)after(*steering, job, 60, &refused);
  EXPECT_FALSE(cw_history_left_swap_out(&refused));
  steering->settings.dry_run = 1;
  (void)after(*steering, job, 60, &dry);
  EXPECT_TRUE(cw_history_left_swap_out(&dry));
  for (cw_history* history : {&swapped, &refused, &dry}) cw_history_free(history);
}

}  // namespace
