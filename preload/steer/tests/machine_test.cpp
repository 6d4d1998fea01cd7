// The cores in the head of a steering log: valid lines are read, invalid ones are refused with a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "made.hpp"

namespace {

using ::testing::HasSubstr;

/// The error message for these lines; "": they are valid.
std::string refused(const std::vector<std::string>& lines) {
  auto machine = std::make_unique<cw_steer_machine>();
  char message[CW_MESSAGE_BYTES];
  for (const std::string& line : lines) {
    if (!cw_steer_machine_add_line(machine.get(), line.c_str(), message)) return message;
  }
  return cw_steer_machine_complete(machine.get(), message) ? "" : message;
}

TEST(SteerMachine, CoresThatShareACacheAreNear) {
  // Two packages of four cores, a cache for each two: 01 23 | 45 67.
  const auto made = made::steering(8, 2, 4);
  EXPECT_TRUE(cw_steer_cores_near(&made->machine, 0, 1));
  EXPECT_FALSE(cw_steer_cores_near(&made->machine, 1, 2));
  EXPECT_TRUE(cw_steer_same_numa(&made->machine, 1, 2));
  EXPECT_FALSE(cw_steer_same_numa(&made->machine, 3, 4));
}

TEST(SteerMachine, TheInnermostCacheThatTwoCoresShareDecides) {
  // A second-level cache for each core, a third-level cache for each two: cores are near if they share the
  // latter.
  auto machine = std::make_unique<cw_steer_machine>();
  char message[CW_MESSAGE_BYTES];
  for (const char* line :
       {"core id=0 pus=0 caches=0,0", "core id=1 pus=1 caches=1,0", "core id=2 pus=2 caches=2,1"})
    ASSERT_TRUE(cw_steer_machine_add_line(machine.get(), line, message)) << message;
  ASSERT_TRUE(cw_steer_machine_complete(machine.get(), message));
  EXPECT_EQ(machine->near_level, 1);
  EXPECT_TRUE(cw_steer_cores_near(machine.get(), 0, 1));
  EXPECT_FALSE(cw_steer_cores_near(machine.get(), 1, 2));
}

TEST(SteerMachine, WithoutASharedCacheACoreIsNearItselfAlone) {
  const auto made = made::steering(2, 1, 2);
  EXPECT_EQ(made->machine.near_level, -1);
  EXPECT_TRUE(cw_steer_cores_near(&made->machine, 1, 1));
  EXPECT_FALSE(cw_steer_cores_near(&made->machine, 0, 1));
}

TEST(SteerMachine, WhatIsWrittenIsReadAgain) {
  const auto made = made::steering(8, 2, 4);
  std::string text(4096, '\0');
  cw_buffer buffer = {text.data(), text.size(), 0, false};
  cw_steer_machine_write(&made->machine, &buffer);
  ASSERT_FALSE(buffer.overflow);
  std::vector<std::string> lines;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) < buffer.used; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  EXPECT_EQ(lines.size(), 8u);
  EXPECT_EQ(refused(lines), "");
  EXPECT_EQ(lines[5], "core id=5 pus=5 caches=2 numa=1 package=1 capability=1000");
}

TEST(SteerMachine, WrongLinesAreRefusedWithWhatWasFound) {
  EXPECT_THAT(refused({}), HasSubstr("found no core"));
  EXPECT_THAT(refused({"kern id=0"}), HasSubstr("found 'kern id=0'"));
  EXPECT_THAT(refused({"core id=0"}), HasSubstr("core 0 without pus"));
  EXPECT_THAT(refused({"core id=1 pus=1"}), HasSubstr("expected core 0"));
  EXPECT_THAT(refused({"core id=0 pus=0", "core id=1 pus=0"}), HasSubstr("PU of another core"));
  EXPECT_THAT(refused({"core id=0 pus=0 caches=0", "core id=1 pus=1"}), HasSubstr("found 0 caches"));
  EXPECT_THAT(refused({"core id=0 pus=0,1,2,3,4,5,6,7,8"}), HasSubstr("expected pus=NUMBER,..."));
  EXPECT_THAT(refused({"core id=0 pus=0 speed=3"}), HasSubstr("found 'speed=3'"));
  EXPECT_THAT(refused({"core id=0 pus=0 numa=99999999999999999999"}),
              HasSubstr("expected numa=NUMBER from 0"));
  EXPECT_THAT(refused({"core id=0 pus=0 capability=0"}), HasSubstr("from 1 to 1000"));
}

TEST(SteerMachine, AnyLineIsReadOrRefused) {
  std::mt19937 random(14);
  const std::string letters = "core id=pusnmac 0123456789,=-\t";
  int n_refused = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::string line = "core id=0 pus=0,1 caches=0 numa=0";
    for (int change = 0; change < 3; ++change)
      line[random() % line.size()] = letters[random() % letters.size()];
    n_refused += !refused({line}).empty();
  }
  EXPECT_GT(n_refused, 2000);
  EXPECT_LT(n_refused, 4000);
}

}  // namespace
