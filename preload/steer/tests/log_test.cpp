// Steering's log: it replays to the same bytes, an incomplete last interval is ignored, and errors are
// reported with their line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "made.hpp"

extern "C" {
#include "history.h"
}

namespace {

using ::testing::HasSubstr;

/// A file that is removed at the end.
class File {
 public:
  explicit File(const std::string& text) : path_(std::filesystem::temp_directory_path() / name()) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~File() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  static std::string name() {
    static int n = 0;
    return "corewise-steer-test-" + std::to_string(getpid()) + "-" + std::to_string(++n);
  }
  std::filesystem::path path_;
};

/// The log of a synthetic job with two ranks, 4 ms and 1 ms of work, one on the protocol core, with a swap
/// that is kept.
std::string made_log() {
  const auto steering = made::steering(2, 1, 2);
  made::Job job{.work_ns = {4e6, 1e6}, .speed = {0.7, 1.0}, .core = {0, 1}};
  std::string text(1 << 20, '\0');
  cw_buffer buffer = {text.data(), text.size(), 0, false};
  cw_log_write_head(steering.get(), &buffer);
  auto state = std::make_unique<cw_decide_state>();
  auto seen = std::make_unique<cw_snapshot>();
  for (int interval = 0; interval < 24; ++interval) {
    job.observe(*seen, 50 * made::kMs);
    seen->peers[seen->n_peers++] = {0, 1, 4096};
    const cw_decision decision = cw_decide(steering.get(), seen.get(), state.get());
    cw_log_write_interval(seen.get(), &decision, &buffer);
    job.act(decision);
  }
  EXPECT_FALSE(buffer.overflow);
  text.resize(buffer.used);
  return text;
}

struct Replay {
  std::string text;     // the log written again from the decisions that were computed
  std::string message;  // error; "": the log was read to its end
  int n_intervals = 0;
  cw_history history = {};
};

Replay replay(const std::string& log_text) {
  const File file(log_text);
  const std::string path = file.path();
  Replay found;
  auto log = std::make_unique<cw_log>();
  auto interval = std::make_unique<cw_log_interval>();
  auto state = std::make_unique<cw_decide_state>();
  char message[CW_MESSAGE_BYTES] = "";
  if (!cw_log_open(path.c_str(), log.get(), message)) {
    found.message = message;
    return found;
  }
  std::string text(2 << 20, '\0');
  cw_buffer buffer = {text.data(), text.size(), 0, false};
  cw_log_write_head(&log->steering, &buffer);
  int next;
  while ((next = cw_log_next(log.get(), interval.get(), message)) > 0) {
    const cw_decision decision = cw_decide(&log->steering, &interval->snapshot, state.get());
    cw_log_write_interval(&interval->snapshot, &decision, &buffer);
    EXPECT_TRUE(cw_history_add(&found.history, interval.get(), &log->steering.settings, &decision));
    ++found.n_intervals;
  }
  cw_log_close(log.get());
  found.message = next < 0 ? message : "";
  found.text = text.substr(0, buffer.used);
  return found;
}

TEST(SteerLog, ReplaysToTheSameBytes) {
  const std::string log = made_log();
  Replay again = replay(log);
  EXPECT_EQ(again.message, "");
  EXPECT_EQ(again.text, log);
  EXPECT_EQ(again.history.n_compared, 24);
  EXPECT_EQ(again.history.differs_at, 0);
  ASSERT_EQ(again.history.n_rows, 1u);
  EXPECT_THAT(again.history.rows[0].because, HasSubstr("rank 1 on core 1 waits"));
  EXPECT_THAT(again.history.rows[0].outcome, HasSubstr("kept: an iteration took 5.714 ms before"));
  EXPECT_EQ(again.history.n_swaps, 1);
  EXPECT_EQ(again.history.n_rollbacks, 0);
  cw_history_free(&again.history);
}

// The log of docs/evidence/log/2026-11-steering.md. CW_UPDATE_GOLDEN=1 rewrites it.
TEST(SteerLog, TheFixtureIsTheLogOfTheMadeJob) {
  const std::string path = CW_FIXTURES "/idleness.steer-log";
  if (std::getenv("CW_UPDATE_GOLDEN")) std::ofstream(path, std::ios::binary) << made_log();
  std::ifstream file(path, std::ios::binary);
  const std::string kept{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_EQ(kept, made_log());
}

// A log of a real program: the same decisions are computed again (fixtures/steer/README.md).
TEST(SteerLog, ARecordedRunReplaysToTheSameBytes) {
  std::ifstream file(CW_FIXTURES "/lammps-packets.steer-log", std::ios::binary);
  const std::string log{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  Replay again = replay(log);
  EXPECT_EQ(again.message, "");
  EXPECT_EQ(again.text, log);
  EXPECT_EQ(again.history.n_compared, 35);
  EXPECT_EQ(again.history.differs_at, 0);
  ASSERT_EQ(again.history.n_rows, 3u);
  EXPECT_THAT(again.history.rows[0].outcome, HasSubstr("undone"));
  EXPECT_THAT(again.history.rows[2].outcome, HasSubstr("kept: an iteration took 2.623 ms before"));
  cw_history_free(&again.history);
}

TEST(SteerLog, ADecisionThatWasChangedIsFound) {
  std::string log = made_log();
  const std::size_t at = log.find("decision swap");
  log.replace(at, 13, "decision keep");
  Replay again = replay(log);
  EXPECT_GT(again.history.differs_at, 0);
  EXPECT_THAT(again.history.recorded, HasSubstr("decision keep idleness"));
  EXPECT_THAT(again.history.again, HasSubstr("decision swap idleness"));
  cw_history_free(&again.history);
}

TEST(SteerLog, ASwapOfADryRunIsToldAsNotDone) {
  std::string log = made_log();
  log.replace(log.find("dry_run=0"), 9, "dry_run=1");
  // In a dry run, the actuator does nothing and says so in the next interval.
  log.replace(log.find(" done=1"), 7, " done=0");
  Replay again = replay(log);
  EXPECT_EQ(again.message, "");
  ASSERT_GE(again.history.n_rows, 1u);
  EXPECT_STREQ(again.history.rows[0].outcome, "not done: dry run");
  EXPECT_EQ(again.history.n_swaps, 0);
  cw_history_free(&again.history);
  // The log may end before the answer.
  again = replay(log.substr(0, log.find("\nresult ") + 1));
  ASSERT_EQ(again.history.n_rows, 1u);
  EXPECT_STREQ(again.history.rows[0].outcome, "not done: dry run");
  cw_history_free(&again.history);
}

TEST(SteerLog, WhatAJobTellsThatWasStoppedForDaysIsReadAgain) {
  const auto seen = made::snapshot(2);
  seen->length_ns = seen->ranks[0].request_age_ns = std::int64_t{1} << 50;  // 13 days
  seen->ranks[1].compute_ns = -1;
  cw_snapshot_limit(seen.get());
  EXPECT_EQ(seen->ranks[1].compute_ns, 0);
  std::string text(1 << 16, '\0');
  cw_buffer buffer = {text.data(), text.size(), 0, false};
  cw_snapshot_write(seen.get(), &buffer);
  std::istringstream lines(buffer.data);
  std::string line;
  auto again = std::make_unique<cw_snapshot>();
  char message[CW_MESSAGE_BYTES];
  std::getline(lines, line);
  ASSERT_TRUE(cw_snapshot_begin(again.get(), line.c_str(), message)) << message;
  while (std::getline(lines, line))
    ASSERT_TRUE(cw_snapshot_add_line(again.get(), line.c_str(), message)) << message;
  EXPECT_EQ(again->length_ns, 1000000000000);
  EXPECT_EQ(again->ranks[0].request_age_ns, 1000000000000);
}

TEST(SteerLog, AnIntervalThatWasCutOffIsLeftOut) {
  const std::string log = made_log();
  const std::size_t last = log.rfind("\ntick ") + 1;
  for (const std::size_t end : {last, last + 3, last + 40, log.size() - 1}) {
    Replay again = replay(log.substr(0, end));
    EXPECT_EQ(again.message, "") << end;
    EXPECT_EQ(again.n_intervals, 23) << end;
    cw_history_free(&again.history);
  }
}

TEST(SteerLog, DamageIsToldByItsLine) {
  const std::string head = "corewise-steer-log 1\ncore id=0 pus=0\n";
  EXPECT_THAT(replay("").message, HasSubstr("line 1: found ''; expected 'corewise-steer-log 1'"));
  EXPECT_THAT(replay("corewise-steer-log 3\n").message, HasSubstr("found 'corewise-steer-log 3'"));
  EXPECT_THAT(replay(head + "metric luck priority=1\n").message, HasSubstr("line 3: found metric 'luck"));
  EXPECT_THAT(replay(head + "monitor calls confidence=2000\n").message, HasSubstr("from 0 to 1000"));
  EXPECT_THAT(replay(head + "tick number=1\nrank id=0 core=1\ndecide\n").message,
              HasSubstr("line 5: found core 1; the machine of this log has cores 0-0"));
  EXPECT_THAT(replay(head + "tick number=1\nrank id=1\nrank id=0\ndecide\n").message, HasSubstr("ascending"));
  EXPECT_THAT(replay(head + "tick number=1\nload core=0 packets=-1\n").message,
              HasSubstr("found 'packets=-1'"));
  EXPECT_THAT(replay(head + std::string(2000, 'x') + "\n").message, HasSubstr("found a longer line"));
}

TEST(SteerLog, AnyDamageIsReadOrTold) {
  const std::string log = made_log();
  std::mt19937 random(8);
  for (int trial = 0; trial < 400; ++trial) {
    std::string damaged = log.substr(0, 4000);
    for (int change = 0; change < 1 + trial % 4; ++change) {
      const std::size_t at = random() % damaged.size();
      if (random() % 2) {
        damaged[at] = static_cast<char>(random());
      } else {
        damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 60));
      }
    }
    Replay again = replay(damaged);
    EXPECT_TRUE(again.message.empty() || again.message.find("line ") != std::string::npos) << again.message;
    cw_history_free(&again.history);
  }
}

}  // namespace
