// Counters of a rank's calls, parsers of kernel files, and the log on a full file system.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "made.hpp"

extern "C" {
#include "live/log_writer.h"
#include "monitors/backlog.h"
#include "monitors/cache.h"
#include "monitors/proc_files.h"
#include "monitors/source.h"
#include "monitors/transfer.h"
#include "share/shared_file.h"

/* From node_slots.h, whose atomic types are not valid in C++. */
extern const struct cw_source cw_source_irqtime;
struct cw_node_slots;
struct cw_node_slots* cw_node_slots_join(const char* path, int* slot, char* message);
bool cw_node_slots_leave(struct cw_node_slots* slots);
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

/// Two ends of a TCP connection over the loopback.
struct Connection {
  int sender = -1, receiver = -1;
  ~Connection() {
    close(sender);
    close(receiver);
  }
};

void open(Connection& connection) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(listen(listener, 1), 0);
  ASSERT_EQ(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
  connection.sender = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  ASSERT_TRUE(::connect(connection.sender, reinterpret_cast<sockaddr*>(&address), size) == 0 ||
              errno == EINPROGRESS);
  connection.receiver = accept(listener, nullptr, nullptr);
  ASSERT_GE(connection.receiver, 0);
  close(listener);
}

/// Writes until the connection takes no more; returns the number of bytes.
ssize_t fill(int sender) {
  const std::vector<char> bytes(1 << 16);
  ssize_t sum = 0;
  for (ssize_t n = 0; (n = write(sender, bytes.data(), bytes.size())) > 0;) sum += n;
  return sum;
}

/// Calls often enough for new sockets to be found.
int64_t backlog_of_all_sockets() {
  int64_t bytes = 0;
  for (int call = 0; call < 20; ++call) bytes = cw_backlog_bytes();
  return bytes;
}

TEST(Backlog, IsWhatTheSocketsOfThisProcessHaveNotSent) {
  Connection connection;
  ASSERT_NO_FATAL_FAILURE(open(connection));
  EXPECT_EQ(backlog_of_all_sockets(), 0);
  const ssize_t written = fill(connection.sender);
  const int64_t backlog = backlog_of_all_sockets();
  EXPECT_GT(backlog, 0);
  EXPECT_LE(backlog, written);
  std::vector<char> bytes(1 << 16);
  for (ssize_t left = written; left > 0;) left -= read(connection.receiver, bytes.data(), bytes.size());
  int64_t rest = backlog;
  for (int tries = 0; rest > 0 && tries < 1000; ++tries, usleep(1000)) rest = cw_backlog_bytes();
  EXPECT_EQ(rest, 0);  // all is acknowledged
}

TEST(Backlog, OfASocketWhoseNumberIsAFilesNowIsNothing) {
  int of_socket = -1;
  {
    Connection connection;
    ASSERT_NO_FATAL_FAILURE(open(connection));
    ASSERT_GT(fill(connection.sender), 0);
    ASSERT_GT(backlog_of_all_sockets(), 0);
    of_socket = connection.sender;
  }
  const int file = ::open("/dev/null", O_WRONLY);
  ASSERT_EQ(dup2(file, of_socket), of_socket);
  EXPECT_EQ(cw_backlog_bytes(), 0);
  close(file);
  close(of_socket);
}

/// Core 0 has PUs 0 and 2, core 1 has PUs 1 and 3.
cw_steer_machine two_cores() {
  char message[CW_MESSAGE_BYTES];
  cw_steer_machine machine = {};
  for (const char* line : {"core id=0 pus=0,2", "core id=1 pus=1,3"})
    EXPECT_TRUE(cw_steer_machine_add_line(&machine, line, message));
  return machine;
}

TEST(Softnet, AddsThePacketsOfACoresPusWhicheverLineTheyStandIn) {
  const cw_steer_machine machine = two_cores();
  const std::string zeros = " 0 0 0 0 0 0 0 0 0 0 0 ";
  cw_core_sample cores[2] = {};
  ASSERT_TRUE(cw_softnet_parse(
      ("0000000a" + zeros + "00000000\n00000014" + zeros + "00000002\n00000100" + zeros + "00000003\n")
          .c_str(),
      &machine, cores));
  EXPECT_EQ(cores[0].packets, 30);  // 10 of PU 0 and 20 of PU 2
  EXPECT_EQ(cores[1].packets, 256);
  // Before Linux 5.10: no column with the PU.
  ASSERT_TRUE(cw_softnet_parse("00000001 0 0\n00000002 0 0\n", &machine, cores));
  EXPECT_EQ(cores[0].packets, 1);
  EXPECT_EQ(cores[1].packets, 2);
  EXPECT_FALSE(cw_softnet_parse("nothing\n", &machine, cores));
  EXPECT_FALSE(cw_softnet_parse("", &machine, cores));
}

TEST(Irqtime, IsThatOfInterruptsAndSoftirqsAddedUpOverThePusOfACore) {
  const cw_steer_machine machine = two_cores();
  const std::int64_t tick_ns = 1000000000 / sysconf(_SC_CLK_TCK);
  cw_core_sample cores[2] = {};
  // PU 3 is offline: it has no line.
  ASSERT_TRUE(
      cw_irqtime_parse("cpu  900 0 90 9000 9 17 45 3 0 0\n"
                       "cpu0 300 0 30 3000 3 7 10 1 0 0\n"
                       "cpu1 300 0 30 3000 3 0 15 1 0 0\n"
                       "cpu2 300 0 30 3000 3 10 20 1 0 0\n"
                       "intr 12345 1 2 3\n"
                       "cpu1 not one of them\n",
                       &machine, cores));
  EXPECT_EQ(cores[0].irq_ns, 47 * tick_ns);  // 7 + 10 of PU 0, 10 + 20 of PU 2
  EXPECT_EQ(cores[1].irq_ns, 15 * tick_ns);
  EXPECT_FALSE(cw_irqtime_parse("cpu  900 0 90\ncpu0 1 2\n", &machine, cores));
  EXPECT_FALSE(cw_irqtime_parse("", &machine, cores));
  EXPECT_TRUE(cw_source_irqtime.read_cores(&machine, cores));
  EXPECT_THAT(cw_irqtime_tick_ns(), ::testing::AllOf(::testing::Ge(1000), ::testing::Le(10000000)));
}

TEST(Monitors, SayWhereNothingIsCounted) {
  EXPECT_EQ(cw_schedstat_run_delay_ns(0), -1);  // no process
  if (cw_cache_start()) {
    EXPECT_GE(cw_cache_misses(), 0);
  } else {
    EXPECT_EQ(cw_cache_misses(), -1);
  }
}

TEST(NodeSlots, TheLastRankToLeaveIsTheLastOfThoseThatGotOne) {
  const std::string path = ::testing::TempDir() + "corewise-slots-" + std::to_string(getpid());
  char message[CW_SHARED_MESSAGE_BYTES] = "";
  int slot = -1;
  cw_node_slots* const slots = cw_node_slots_join(path.c_str(), &slot, message);
  ASSERT_NE(slots, nullptr) << message;
  for (int rank = 1; rank < 1024; ++rank)
    ASSERT_NE(cw_node_slots_join(path.c_str(), &slot, message), nullptr);
  EXPECT_EQ(slot, 1023);
  EXPECT_EQ(cw_node_slots_join(path.c_str(), &slot, message), nullptr);
  EXPECT_THAT(message, HasSubstr("more ranks than there are slots"));
  for (int rank = 0; rank < 1023; ++rank) EXPECT_FALSE(cw_node_slots_leave(slots));
  EXPECT_TRUE(cw_node_slots_leave(slots));
  std::filesystem::remove(path);
}

/// Logs of one process in a separate folder, which is removed at the end.
struct LogWriter : ::testing::Test {
  std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("corewise-log-" + std::to_string(getpid()));
  std::string prefix = (folder / "node").string();
  std::unique_ptr<cw_steering> steering = made::steering(2, 1, 2);
  std::unique_ptr<cw_snapshot> snapshot = made::snapshot(2);
  const cw_decision none = {};
  char message[CW_MESSAGE_BYTES] = "";
  LogWriter() { std::filesystem::create_directory(folder); }
  ~LogWriter() override { std::filesystem::remove_all(folder); }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      found.push_back(entry.path().filename().string());
    std::sort(found.begin(), found.end());
    return found;
  }

  bool is_log(const std::string& name) {
    auto log = std::make_unique<cw_log>();
    const std::string path = (folder / name).string();
    if (!cw_log_open(path.c_str(), log.get(), message)) return false;
    cw_log_close(log.get());
    return true;
  }
};

TEST_F(LogWriter, ALimitOnFileSizesIsAnErrorAndNoSignal) {
  const pid_t pid = fork();
  if (pid == 0) {
    cw_log_writer writer = cw_log_writer_begin(prefix.c_str(), steering.get());
    const rlimit limit = {8192, 8192};
    setrlimit(RLIMIT_FSIZE, &limit);
    int n = 0;
    while (n < 100 && cw_log_writer_add(&writer, snapshot.get(), &none, message)) ++n;
    _exit(n > 1 && n < 100 && std::strstr(message, "(File too large)") ? 0 : 1);
  }
  int status;
  waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  // The file that was written is a valid log, and the next log gets another name.
  EXPECT_TRUE(is_log("node.steer-log")) << message;
  cw_log_writer second = cw_log_writer_begin(prefix.c_str(), steering.get());
  EXPECT_TRUE(cw_log_writer_add(&second, snapshot.get(), &none, message)) << message;
  cw_log_writer_close(&second);
  EXPECT_THAT(names(), ::testing::ElementsAre("node-2.steer-log", "node.steer-log"));
  cw_log_writer third = cw_log_writer_begin("/missing-folder/log", steering.get());
  EXPECT_FALSE(cw_log_writer_add(&third, snapshot.get(), &none, message));
  EXPECT_THAT(message, HasSubstr("No such file or directory"));
}

TEST_F(LogWriter, OfManyFullLogsTheFirstAndTheLastTwoAreKept) {
  steering->settings.log_bytes = 4096;
  cw_log_writer writer = cw_log_writer_begin(prefix.c_str(), steering.get());
  EXPECT_FALSE(cw_log_writer_is_full(&writer));
  for (int n_full = 0; n_full < 5;) {
    ASSERT_TRUE(cw_log_writer_add(&writer, snapshot.get(), &none, message)) << message;
    if (!cw_log_writer_is_full(&writer)) continue;
    cw_log_writer_close(&writer);
    ++n_full;
  }
  EXPECT_THAT(names(), ::testing::ElementsAre("node-4.steer-log", "node-5.steer-log", "node.steer-log"));
  for (const std::string& name : names()) {
    EXPECT_TRUE(is_log(name)) << message;
    EXPECT_LT(std::filesystem::file_size(folder / name), 4096u + 2000u);
  }
}

}  // namespace
