// The files for an outside solver, and reading its answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "made.hpp"

extern "C" {
#include "targets_in_c.h"
}

namespace {

using ::testing::IsEmpty;

/// Three ranks on cores 0, 1, 2 of four (targets_in_c.h). Files are in a folder of this process.
class Targets : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / ("corewise-targets-" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    prefix = (folder / "node.example").string();
    steering = made::steering(4, 2, 4);
    steering->settings.targets_ns = 1000;
    ranks.reset(made_ranks_new(steering.get()));
    seen = made::snapshot(3);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void answer(const std::string& text) { std::ofstream(prefix + ".targets") << text; }

  std::vector<std::pair<std::int64_t, std::int64_t>> exchange(std::int64_t now_ns) {
    seen->n_targets = 0;
    made_ranks_exchange(ranks.get(), prefix.c_str(), now_ns, seen.get());
    std::vector<std::pair<std::int64_t, std::int64_t>> found;
    for (int i = 0; i < seen->n_targets; ++i)
      found.emplace_back(seen->targets[i].rank, seen->targets[i].core);
    return found;
  }

  std::filesystem::path folder;
  std::string prefix;
  std::unique_ptr<cw_steering> steering;
  std::unique_ptr<made_ranks, decltype(&std::free)> ranks{nullptr, &std::free};
  std::unique_ptr<cw_snapshot> seen;
};

TEST_F(Targets, PairsAreToldAndTheTargetsOfRanksThatAreElsewhereAreTaken) {
  answer("corewise-steer-targets 1\ntarget rank=0 core=2\ntarget rank=1 core=1\ntarget rank=2 core=0\n");
  EXPECT_EQ(exchange(1), (std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 2}, {2, 0}}));
  std::ostringstream told;
  told << std::ifstream(prefix + ".pairs").rdbuf();
  EXPECT_EQ(told.str(),
            "corewise-steer-pairs 1\nrank id=0 core=0\npeer rank=0 peer=2 bytes=500\nrank id=1 core=1\n"
            "rank id=2 core=2\n");
}

TEST_F(Targets, AreReadAgainOnlyWhenTheirTimeHasCome) {
  answer("corewise-steer-targets 1\ntarget rank=0 core=2\n");
  EXPECT_EQ(exchange(1).size(), 1u);
  answer("corewise-steer-targets 1\n");
  EXPECT_EQ(exchange(1000).size(), 1u);  // due at 1001
  EXPECT_THAT(exchange(1001), IsEmpty());
}

TEST_F(Targets, ADamagedAnswerIsNoAnswer) {
  const char* const damaged[] = {
      "",
      "corewise-steer-targets 2\ntarget rank=0 core=2\n",
      "corewise-steer-targets 1\ntarget rank=0 core=2\ntarget rank=1 colour=0\n",
      "corewise-steer-targets 1\ntarget rank=0 core=2\nresult swap=1 done=1\n",
      "corewise-steer-targets 1\ntarget rank=0 core=4\n",  // cores 0 to 3
      "corewise-steer-targets 1\ntarget rank=7 core=2\n",  // no such rank
  };
  std::int64_t now_ns = 1;
  for (const char* text : damaged) {
    answer(text);
    EXPECT_THAT(exchange(now_ns += 2000), IsEmpty()) << text;
  }
  EXPECT_EQ(seen->result.swap, 0);
}

TEST_F(Targets, WithoutTheSettingNothingIsWrittenOrRead) {
  steering->settings.targets_ns = 0;
  answer("corewise-steer-targets 1\ntarget rank=0 core=2\n");
  EXPECT_THAT(exchange(1), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(prefix + ".pairs"));
}

TEST_F(Targets, ALimitOnFileSizesWritesNothingAndIsNoSignal) {
  const pid_t pid = fork();
  if (pid == 0) {
    const rlimit limit = {16, 16};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(exchange(1).empty() && !std::filesystem::exists(prefix + ".pairs") ? 0 : 1);
  }
  int status = 1;
  waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
