// Files that ranks share: which files are refused, without a signal. Also, places of PUs in masks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

extern "C" {
#include "act/journal.h"
#include "share/shared_file.h"
}

namespace {

using ::testing::HasSubstr;

constexpr int kLeaseMs = 100;

class SharedFile : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string refusal(const std::string& name) const {
    char message[CW_SHARED_MESSAGE_BYTES] = "";
    EXPECT_EQ(cw_shared_file_map((folder_ + "/" + name).c_str(), 4096, message), nullptr);
    return message;
  }
  std::string path(const char* name) const { return folder_ + "/" + name; }
  std::string folder_ = ::testing::TempDir() + "corewise-shared-" + std::to_string(getpid());
};

TEST_F(SharedFile, WhatOthersCouldChangeIsNotMapped) {
  std::ofstream(path("open")) << "";
  chmod(path("open").c_str(), 0644);
  EXPECT_THAT(refusal("open"), HasSubstr("others may read or write it"));
  symlink(path("target").c_str(), path("link").c_str());
  EXPECT_THAT(refusal("link"), HasSubstr("symbolic link"));
  EXPECT_FALSE(std::filesystem::exists(path("target")));
  mkfifo(path("pipe").c_str(), 0600);
  EXPECT_THAT(refusal("pipe"), HasSubstr("no regular file"));
}

TEST_F(SharedFile, AnotherUsersFileIsNotMapped) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file to another user";
  std::ofstream(path("foreign")) << "";
  chmod(path("foreign").c_str(), 0600);
  ASSERT_EQ(chown(path("foreign").c_str(), 65534, 65534), 0);
  EXPECT_THAT(refusal("foreign"), HasSubstr("belongs to another user"));
}

TEST(Mask, PartsKeepTheirOrder) {
  cw_pu_mask first = {}, second = {};
  first.word[0] = 0b1110;    // PUs 1, 2, 3
  second.word[1] = 0b10101;  // PUs 64, 66, 68
  cw_pu_mask part = {};
  part.word[0] = 0b1010;  // the first and the third
  EXPECT_EQ(cw_mask_places(&part, &first), 0b101u);
  EXPECT_EQ(cw_mask_at(0b101, &second).word[1], 0b10001u);
  EXPECT_EQ(cw_mask_places(&part, &second), 0u);
  const cw_pu_mask whole = cw_mask_at(1 << 5, &second);  // a place that `second` does not have
  EXPECT_TRUE(cw_mask_same(&whole, &second));
  const cw_pu_mask none = {};
  EXPECT_FALSE(cw_mask_within(&none, &first));
  EXPECT_EQ(cw_mask_first(&none), -1);
  EXPECT_EQ(cw_mask_first(&second), 64);
}

TEST(Journal, AFolderWithoutRoomIsAnErrorAndNoSignal) {
  const std::string path = ::testing::TempDir() + "corewise-journal-" + std::to_string(getpid());
  const pid_t pid = fork();
  if (pid == 0) {
    const rlimit limit = {4096, 4096};
    setrlimit(RLIMIT_FSIZE, &limit);
    char message[CW_SHARED_MESSAGE_BYTES];
    const bool opened = cw_journal_open(path.c_str(), 0, kLeaseMs, message) != nullptr;
    _exit(!opened && std::strstr(message, "File too large") ? 0 : 1);
  }
  int status;
  waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  std::filesystem::remove(path);
  char message[CW_SHARED_MESSAGE_BYTES];
  EXPECT_EQ(cw_journal_open("/dev/full", 0, kLeaseMs, message), nullptr);
  EXPECT_THAT(message, HasSubstr("/dev/full"));
  EXPECT_EQ(cw_journal_open(path.c_str(), CW_MOST_STEERED, kLeaseMs, message), nullptr);
  EXPECT_THAT(message, HasSubstr("more ranks than a journal has slots"));
}

}  // namespace
