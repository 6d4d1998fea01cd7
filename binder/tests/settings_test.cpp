/// The settings file: valid contents, and reasons to refuse it.
#include "settings.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>

namespace {

std::string round_trip(const char* list) {
  auto mask = std::make_unique<cw_mask_t>();
  if (!cw_mask_parse(list, mask.get())) return "refused";
  char text[64];
  cw_mask_print(mask.get(), text, sizeof text);
  return text;
}

/// A settings file in a temporary folder, and the result of reading it.
class Settings : public ::testing::Test {
 protected:
  bool read(const std::string& text, long rank) {
    std::ofstream(path_) << text;
    return cw_settings_read(path_.c_str(), rank, settings_.get(), message_);
  }
  std::string mask() const {
    char text[64];
    cw_mask_print(&settings_->mask, text, sizeof text);
    return text;
  }
  void TearDown() override { std::remove(path_.c_str()); }

  std::string path_ = ::testing::TempDir() + "corewise_bind_settings_" + std::to_string(getpid());
  std::unique_ptr<cw_settings_t> settings_ = std::make_unique<cw_settings_t>();
  char message_[CW_MESSAGE_BYTES] = "";
};

TEST(Mask, SurvivesParsingAndPrinting) {
  EXPECT_EQ(round_trip("0"), "0");
  EXPECT_EQ(round_trip("0,2-3,7"), "0,2-3,7");
  EXPECT_EQ(round_trip("3,2,1"), "1-3");
  EXPECT_EQ(round_trip("65535"), "65535");
}

TEST(Mask, RefusesWhatIsNoList) {
  for (const char* list :
       {"", "x", "1,", "1-", "-1", "3-1", "1 2", "65536", "99999999999999999999", "0-70000"}) {
    EXPECT_EQ(round_trip(list), "refused") << list;
  }
}

TEST(Mask, IsCutShortToTheRoomThereIs) {
  auto mask = std::make_unique<cw_mask_t>();
  ASSERT_TRUE(cw_mask_parse("1,3,5,7,9,11", mask.get()));
  char text[6];
  cw_mask_print(mask.get(), text, sizeof text);
  EXPECT_STREQ(text, "1,3,5");
}

TEST_F(Settings, GiveEachRankItsOwnMask) {
  const std::string file = "corewise-bind 1\nrank 0 1\nrank 1 0,4-5\n";
  ASSERT_TRUE(read(file, 1)) << message_;
  EXPECT_TRUE(settings_->has_own_mask);
  EXPECT_EQ(mask(), "0,4-5");
  ASSERT_TRUE(read(file, 2)) << message_;
  EXPECT_TRUE(settings_->has_masks);
  EXPECT_FALSE(settings_->has_own_mask);
  ASSERT_TRUE(read(file, -1)) << message_;
  EXPECT_FALSE(settings_->has_own_mask);
}

TEST_F(Settings, SayWhatFollowsTheMask) {
  ASSERT_TRUE(read("corewise-bind 1\nplaces cores\n", 0)) << message_;
  EXPECT_TRUE(settings_->places && !settings_->memory);
  ASSERT_TRUE(read("corewise-bind 1\nmemory domains\n", 0)) << message_;
  EXPECT_TRUE(settings_->memory && !settings_->places);
  EXPECT_FALSE(read("corewise-bind 1\nplaces threads\n", 0));
}

TEST_F(Settings, TakeAVariableAway) {
  setenv("COREWISE_TEST", "1", 1);
  ASSERT_TRUE(read("corewise-bind 1\nunset COREWISE_TEST\nunset COREWISE_NEVER_SET\n", 0)) << message_;
  EXPECT_EQ(getenv("COREWISE_TEST"), nullptr);
  EXPECT_FALSE(read("corewise-bind 1\nunset \n", 0));
  EXPECT_FALSE(read("corewise-bind 1\nunset A=1\n", 0));
}

TEST_F(Settings, SetTheEnvironmentAndKeepWhatIsPreloadedAlready) {
  setenv("LD_PRELOAD", "/before.so", 1);
  ASSERT_TRUE(read("corewise-bind 1\nenv COREWISE_TEST=a b=c\npreload /lib/one.so\n", 0)) << message_;
  EXPECT_STREQ(getenv("COREWISE_TEST"), "a b=c");
  EXPECT_STREQ(getenv("LD_PRELOAD"), "/lib/one.so:/before.so");
  EXPECT_FALSE(settings_->has_masks);
  unsetenv("LD_PRELOAD");
}

TEST_F(Settings, RefuseAnotherFormatAndNameTheLine) {
  EXPECT_FALSE(read("", 0));
  EXPECT_NE(std::string(message_).find("empty"), std::string::npos);
  EXPECT_FALSE(read("corewise-bind 2\n", 0));
  EXPECT_NE(std::string(message_).find("line 1: found 'corewise-bind 2'"), std::string::npos) << message_;
  for (const char* line :
       {"rank 0", "rank x 1", "rank 0 1-", "env =x", "env X", "preload lib.so", "bind 0"}) {
    EXPECT_FALSE(read(std::string("corewise-bind 1\n") + line + "\n", 0)) << line;
    EXPECT_NE(std::string(message_).find("line 2"), std::string::npos) << message_;
  }
}

TEST_F(Settings, RefuseAFileThatIsNotThere) {
  EXPECT_FALSE(cw_settings_read("/nowhere/settings", 0, settings_.get(), message_));
  EXPECT_NE(std::string(message_).find("/nowhere/settings"), std::string::npos);
}

TEST_F(Settings, RefuseAFileThatSomebodyElseCouldHaveWritten) {
  const std::string file = "corewise-bind 1\n";
  ASSERT_TRUE(read(file, 0)) << message_;
  ASSERT_EQ(chmod(path_.c_str(), 0664), 0);
  EXPECT_TRUE(read(file, 0)) << message_;
  ASSERT_EQ(chmod(path_.c_str(), 0646), 0);
  EXPECT_FALSE(read(file, 0));
  EXPECT_NE(std::string(message_).find("everybody may write"), std::string::npos) << message_;
}

TEST_F(Settings, RefuseTheFileOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file to another user";
  ASSERT_TRUE(read("corewise-bind 1\n", 0)) << message_;
  ASSERT_EQ(chown(path_.c_str(), 65534, 65534), 0);
  EXPECT_FALSE(cw_settings_read(path_.c_str(), 0, settings_.get(), message_));
  EXPECT_NE(std::string(message_).find("belongs to another user"), std::string::npos) << message_;
}

TEST(Rank, ComesFromTheFirstVariableThatHoldsANumber) {
  setenv("PMI_RANK", "x", 1);
  setenv("SLURM_PROCID", "7", 1);
  EXPECT_EQ(cw_rank_from_environment(), 7);
  setenv("FLUX_TASK_RANK", "5", 1);
  EXPECT_EQ(cw_rank_from_environment(), 5);
  setenv("MV2_COMM_WORLD_RANK", "4", 1);
  EXPECT_EQ(cw_rank_from_environment(), 4);
  setenv("OMPI_COMM_WORLD_RANK", "3", 1);
  EXPECT_EQ(cw_rank_from_environment(), 3);
  for (const char* name :
       {"PMI_RANK", "SLURM_PROCID", "FLUX_TASK_RANK", "MV2_COMM_WORLD_RANK", "OMPI_COMM_WORLD_RANK"}) {
    unsetenv(name);
  }
  EXPECT_EQ(cw_rank_from_environment(), -1);
}

TEST_F(Settings, ARanksOwnVariableIsSetForThatRankAlone) {
  unsetenv("CW_TEST_OWN");
  const std::string text = "corewise-bind 1\nrank-env 1 CW_TEST_OWN=b=c\n";
  ASSERT_TRUE(read(text, 0)) << message_;
  EXPECT_EQ(getenv("CW_TEST_OWN"), nullptr);
  ASSERT_TRUE(read(text, 1)) << message_;
  EXPECT_STREQ(getenv("CW_TEST_OWN"), "b=c");
  unsetenv("CW_TEST_OWN");
}

TEST_F(Settings, ARanksOwnVariableIsRefusedWhereItIsNone) {
  for (const char* line : {"rank-env", "rank-env x A=b", "rank-env 1", "rank-env 1 A", "rank-env 1 =b"}) {
    EXPECT_FALSE(read(std::string("corewise-bind 1\n") + line + "\n", 0)) << line;
    EXPECT_NE(std::string(message_).find("'rank-env N NAME=VALUE'"), std::string::npos) << message_;
  }
}

}  // namespace
