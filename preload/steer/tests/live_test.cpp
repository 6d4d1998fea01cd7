// What a rank counts of its calls, what the kernel's files say, and the log on a full file system.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <string>

#include "made.hpp"

extern "C" {
#include "live/log_writer.h"
#include "live/transfer.h"
#include "monitors/cache.h"
#include "monitors/schedstat.h"
#include "monitors/softnet.h"
}

namespace {

using ::testing::HasSubstr;

TEST(Transfer, IsWhatTheFastestCallOfItsKindAndSizeTook) {
  auto transfers = std::make_unique<cw_transfers>();
  cw_transfers_start(transfers.get(), 1);
  EXPECT_EQ(cw_transfer_ticks(transfers.get(), 3, 1024, 9000), 9000u);
  EXPECT_EQ(cw_transfer_ticks(transfers.get(), 3, 1024, 5000), 5000u);
  EXPECT_EQ(cw_transfer_ticks(transfers.get(), 3, 1024, 400000), 5000u);  // 395 us are waiting
  EXPECT_EQ(cw_transfer_ticks(transfers.get(), 4, 1024, 7000), 7000u);    // another call
  EXPECT_EQ(cw_transfer_ticks(transfers.get(), 3, 4096, 7000), 7000u);    // another size
}

TEST(Transfer, IsBoundedWhereEveryCallWaited) {
  auto transfers = std::make_unique<cw_transfers>();
  cw_transfers_start(transfers.get(), 2);
  // 20 us and 2 ns a byte: 20000 + 2000 ns, in ticks twice that.
  EXPECT_EQ(cw_transfer_ticks(transfers.get(), 0, 1000, 90000000), 44000u);
}

TEST(Softnet, AddsThePacketsOfACoresPusWhicheverLineTheyStandIn) {
  auto steering = made::steering(1, 1, 1);
  char message[CW_MESSAGE_BYTES];
  cw_steer_machine machine = {};
  ASSERT_TRUE(cw_steer_machine_add_line(&machine, "core id=0 pus=0,2", message));
  ASSERT_TRUE(cw_steer_machine_add_line(&machine, "core id=1 pus=1,3", message));
  const std::string zeros = " 0 0 0 0 0 0 0 0 0 0 0 ";
  auto softnet = std::make_unique<cw_softnet>();
  ASSERT_TRUE(cw_softnet_parse(
      ("0000000a" + zeros + "00000000\n00000014" + zeros + "00000002\n00000100" + zeros + "00000003\n")
          .c_str(),
      &machine, softnet.get()));
  EXPECT_EQ(softnet->packets[0], 30);  // 10 of PU 0 and 20 of PU 2
  EXPECT_EQ(softnet->packets[1], 256);
  // Before Linux 5.10: no column with the PU.
  ASSERT_TRUE(cw_softnet_parse("00000001 0 0\n00000002 0 0\n", &machine, softnet.get()));
  EXPECT_EQ(softnet->packets[0], 1);
  EXPECT_EQ(softnet->packets[1], 2);
  EXPECT_FALSE(cw_softnet_parse("nothing\n", &machine, softnet.get()));
  EXPECT_FALSE(cw_softnet_parse("", &machine, softnet.get()));
}

TEST(Monitors, SayWhereNothingIsCounted) {
  EXPECT_EQ(cw_schedstat_run_delay_ns(0), -1);  // no process
  if (cw_cache_start()) {
    EXPECT_GE(cw_cache_misses(), 0);
  } else {
    EXPECT_EQ(cw_cache_misses(), -1);
  }
}

TEST(LogWriter, ALimitOnFileSizesIsAnErrorAndNoSignal) {
  const std::string prefix = ::testing::TempDir() + "corewise-log-" + std::to_string(getpid());
  const auto steering = made::steering(2, 1, 2);
  const auto snapshot = made::snapshot(2);
  const pid_t pid = fork();
  if (pid == 0) {
    char message[CW_MESSAGE_BYTES] = "";
    const int log = cw_log_writer_open(prefix.c_str(), steering.get(), message);
    const rlimit limit = {8192, 8192};
    setrlimit(RLIMIT_FSIZE, &limit);
    const cw_decision none = {};
    int n = 0;
    while (log >= 0 && n < 100 && cw_log_writer_add(log, snapshot.get(), &none, message)) ++n;
    _exit(n > 1 && n < 100 && std::strstr(message, "(File too large)") ? 0 : 1);
  }
  int status;
  waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  // What is there is a log, and the next one gets another name.
  auto log = std::make_unique<cw_log>();
  char message[CW_MESSAGE_BYTES];
  EXPECT_TRUE(cw_log_open((prefix + ".steer-log").c_str(), log.get(), message)) << message;
  cw_log_close(log.get());
  const int second = cw_log_writer_open(prefix.c_str(), steering.get(), message);
  EXPECT_GE(second, 0) << message;
  close(second);
  EXPECT_TRUE(std::filesystem::remove(prefix + "-2.steer-log"));
  std::filesystem::remove(prefix + ".steer-log");
  EXPECT_EQ(cw_log_writer_open("/missing-folder/log", steering.get(), message), -1);
  EXPECT_THAT(message, HasSubstr("No such file or directory"));
}

}  // namespace
