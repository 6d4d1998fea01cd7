// Descriptors that the library keeps open in the program: their numbers, and that files of the program are
// not touched.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

extern "C" {
#include "share/own_descriptor.h"
}

namespace {

int opened() { return open("/proc/self/comm", O_RDONLY | O_CLOEXEC); }

class Limited : public ::testing::TestWithParam<rlim_t> {
 protected:
  void SetUp() override {
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = GetParam();
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  void TearDown() override { setrlimit(RLIMIT_NOFILE, &before_); }
  rlimit before_;
};

TEST_P(Limited, ADescriptorGoesHighAndItsNumberIsFreeAgain) {
  const int before = opened();
  const int kept = cw_descriptor_move_up(before);
  EXPECT_GT(kept, before + 10);
  EXPECT_LT(kept, static_cast<int>(GetParam()));
  EXPECT_EQ(fcntl(kept, F_GETFD), FD_CLOEXEC);
  EXPECT_EQ(fcntl(before, F_GETFD), -1);
  close(kept);
}

INSTANTIATE_TEST_SUITE_P(AtLimits, Limited, ::testing::Values(64, 256, 900, 910, 1024, 4096));

TEST(OwnDescriptor, WhereNoHigherOneIsFreeItStays) {
  rlimit before, limit;
  getrlimit(RLIMIT_NOFILE, &before);
  limit = before;
  const int kept = opened();
  limit.rlim_cur = static_cast<rlim_t>(kept) + 1;
  setrlimit(RLIMIT_NOFILE, &limit);
  EXPECT_EQ(cw_descriptor_move_up(kept), kept);
  setrlimit(RLIMIT_NOFILE, &before);
  close(kept);
}

TEST(OwnDescriptor, AFileOfTheProgramUnderItsNumberIsLeftAlone) {
  cw_own_file file = cw_own_file_keep(opened());
  const int number = file.descriptor;
  EXPECT_TRUE(cw_own_file_is_open(&file));
  const int other = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(other, number);
  close(other);
  EXPECT_FALSE(cw_own_file_is_open(&file));
  cw_own_file_close(&file);
  EXPECT_NE(fcntl(number, F_GETFD), -1);
  close(number);
}

TEST(OwnDescriptor, AFileIsClosedOnce) {
  cw_own_file file = cw_own_file_keep(opened());
  const int number = file.descriptor;
  cw_own_file_close(&file);
  EXPECT_EQ(fcntl(number, F_GETFD), -1);
  EXPECT_FALSE(cw_own_file_is_open(&file));
  cw_own_file_close(&file);
}

}  // namespace
