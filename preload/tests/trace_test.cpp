/// The observers without MPI. Each rank is a forked process that creates synthetic events; the core's reader
/// reads the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <functional>
#include <latch>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "corewise/profile.hpp"

extern "C" {
#include "../counters/rows.h"
#include "../store/clock.h"
#include "../store/store.h"
#include "../trace/trace.h"
#include "../verify/verify.h"
}

namespace {
long file_system = 0xEF53;  // result of fstatfs(): ext
int n_synced = 0;
bool has_hard_links = true;
bool has_shared_maps = true;
}  // namespace

/// Replaces functions of the C library: simulates other file systems, and counts calls of fsync().
extern "C" int fstatfs(int, struct statfs* found) noexcept {
  found->f_type = file_system;
  return 0;
}
extern "C" int fsync(int) {
  ++n_synced;
  return 0;
}
extern "C" int linkat(int from_place, const char* from, int to_place, const char* to, int flags) noexcept {
  if (has_hard_links) return static_cast<int>(syscall(SYS_linkat, from_place, from, to_place, to, flags));
  errno = EPERM;
  return -1;
}
/// ThreadSanitizer calls mmap() before it is initialised.
extern "C" __attribute__((no_sanitize("thread"))) void* mmap(void* at, std::size_t n, int protection,
                                                             int flags, int fd, off_t offset) noexcept {
  if (has_shared_maps || (flags & MAP_SHARED) == 0)
    return reinterpret_cast<void*>(syscall(SYS_mmap, at, n, protection, flags, fd, offset));
  errno = ENODEV;
  return MAP_FAILED;
}

namespace corewise {
namespace {

using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr cw_profile_call kCalls[] = {{"MPI_Send", CW_LAYER_P2P, CW_FLOW_NONE, {}},
                                      {"MPI_Bcast", CW_LAYER_COLL, CW_FLOW_FROM_ROOT, {}}};

void send(std::int32_t peer, std::uint64_t bytes) {
  const std::uint64_t now = cw_ticks();
  const cw_event event = {0, CW_ROW_CALL | CW_ROW_TO_PEER, peer, 0, bytes, now, now};
  cw_row_count(&event, true);
}

class Tracing : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    directory_ = testing::TempDir() + "/cw_trace_" + name + "_" + std::to_string(getpid());
    std::filesystem::remove_all(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  [[nodiscard]] const char* open(std::int32_t rank, std::uint32_t n_ranks, const std::string& job) const {
    const cw_store_job store_job = {directory_.c_str(), job.c_str(), "", rank, n_ranks, kCalls, 2};
    return cw_store_open(&store_job);
  }

  /// Runs `work` as one rank in a child process; returns its pid.
  [[nodiscard]] pid_t start(std::int32_t rank, std::uint32_t n_ranks,
                            const std::function<void()>& work) const {
    const pid_t child = fork();
    if (child != 0) return child;
    if (open(rank, n_ranks, "job") != nullptr) _exit(3);
    cw_trace_observer.start();
    cw_verify_observer.start();
    work();
    cw_verify_observer.finish();
    cw_store_rank()->finished = 1;
    _exit(0);
  }

  /// The exit code, or the negative signal number.
  [[nodiscard]] static int wait_for(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  /// Runs `work` as rank 0 of a job; its process must end like this.
  void run(std::uint32_t n_ranks, const std::function<void()>& work, int ends = 0) const {
    EXPECT_EQ(wait_for(start(0, n_ranks, work)), ends);
  }

  [[nodiscard]] Profile profile() const { return Profile::read(directory_); }

  std::string directory_;
};

TEST_F(Tracing, RanksThatStartTogetherShareOneFile) {
  std::vector<pid_t> ranks;
  for (int rank = 0; rank < 16; ++rank) {
    ranks.push_back(start(rank, 16, [&] { send((rank + 1) % 16, 8); }));
  }
  for (const pid_t rank : ranks) EXPECT_EQ(wait_for(rank), 0);
  EXPECT_TRUE(profile().complete());
  EXPECT_EQ(profile().traffic(Layer::p2p, 0).folded().messages(), 16u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory_), {}), 1);
}

TEST_F(Tracing, ThreadsCountIntoRowsOfTheirOwn) {
  // Twice 8 threads with 1000 messages of 10 bytes each to peers 0-3: 4000 messages to each peer.
  run(4, [] {
    for (int round = 0; round < 2; ++round) {
      std::vector<std::thread> threads;
      for (int i = 0; i < 8; ++i) {
        threads.emplace_back([] {
          for (int k = 0; k < 1000; ++k) send(k % 4, 10);
        });
      }
      for (std::thread& thread : threads) thread.join();
    }
  });
  const Profile found = profile();
  ASSERT_EQ(found.rows().size(), 4u);
  for (const ProfileRow& row : found.rows()) {
    EXPECT_EQ(row.count, 4000u);
    EXPECT_EQ(row.bytes, 40000u);
  }
}

TEST_F(Tracing, GrowsWithThePairsThatTalk) {
  // Rows of 10,000 peers need 10,000 / 84 = 120 chunks; header, record and threads need a few more. Windows
  // record the growth of rows for at most 30,000 calls in 6 bytes each: 44 chunks. As much again may be
  // reserved.
  run(10000, [] {
    for (int round = 0; round < 3; ++round) {
      for (int peer = 0; peer < 10000; ++peer) send(peer, 1);
    }
  });
  const Profile found = profile();
  EXPECT_EQ(found.rows().size(), 10000u);
  EXPECT_EQ(found.rows()[1234].count, 3u);
  const auto file = *std::filesystem::directory_iterator(directory_);
  EXPECT_LE(file.file_size(), 2 * (120u + 10u + 44u + 4u) * CW_PROFILE_CHUNK_BYTES);
}

TEST_F(Tracing, KeepsEverythingOfAKilledProcess) {
  run(
      2,
      [] {
        for (int i = 0; i < 500; ++i) send(1, 1u << (i % 20));
        raise(SIGKILL);
      },
      -SIGKILL);
  EXPECT_EQ(profile().traffic(Layer::p2p, 0).folded().messages(), 500u);
  EXPECT_FALSE(profile().complete());
}

TEST_F(Tracing, CountsWhatAFileSizeLimitCosts) {
  run(10000, [] {
    const rlimit limit = {5 * CW_PROFILE_CHUNK_BYTES, 5 * CW_PROFILE_CHUNK_BYTES};
    setrlimit(RLIMIT_FSIZE, &limit);
    for (int peer = 0; peer < 10000; ++peer) send(peer, 1);
    for (int i = 0; i < 100; ++i) send(0, 1);
  });
  const Profile found = profile();
  EXPECT_THAT(found.faults(), testing::Contains(HasSubstr("no room")));
  EXPECT_EQ(found.rows()[0].count, 101u);  // existing rows continue counting
}

TEST_F(Tracing, HasReservedTheNextChunksWhenTheyAreNeeded) {
  // After the first event, the file can't grow. The 6 chunks for 500 peers have been reserved.
  run(1000, [] {
    send(0, 1);
    const rlimit none = {0, 0};
    setrlimit(RLIMIT_FSIZE, &none);
    for (int peer = 0; peer < 500; ++peer) send(peer, 1);
  });
  EXPECT_EQ(profile().rows().size(), 500u);
  EXPECT_THAT(profile().faults(), testing::Not(testing::Contains(HasSubstr("no room"))));
}

TEST_F(Tracing, SurvivesAProgramThatClosesAllFiles) {
  run(1000, [] {
    send(0, 1);
    for (int fd = 3; fd < 64; ++fd) close(fd);
    for (int peer = 0; peer < 1000; ++peer) send(peer, 1);
  });
  EXPECT_EQ(profile().rows().size(), 1000u);
}

TEST_F(Tracing, WritesTheFileOutOnANetworkFileSystemAlone) {
  const auto flush_on = [&](long type) {
    file_system = type;
    cw_store_flush();
    return n_synced;
  };
  // Exit code: 10 * number of fsync() calls on ext, plus that on NFS.
  run(
      1,
      [&] {
        const int on_ext = flush_on(0xEF53);
        const int on_nfs = flush_on(0x6969) - on_ext;
        _exit(10 * on_ext + on_nfs);
      },
      1);
}

TEST_F(Tracing, SaysWhatTheFileSystemLacks) {
  has_hard_links = false;
  EXPECT_STREQ(open(0, 1, "job"), "its file system has no hard links");
  has_hard_links = true;
  has_shared_maps = false;
  EXPECT_STREQ(open(0, 1, "job"), "its file can't be mapped into memory");
  has_shared_maps = true;
}

TEST_F(Tracing, RecordsTheFirstOfTwoProgramsOfOneRank) {
  run(1, [] { send(0, 1); });
  run(1, [] { send(0, 1); }, 3);
  EXPECT_THAT(profile().faults(), ElementsAre(HasSubstr("second program")));
  EXPECT_EQ(profile().rows()[0].count, 1u);
}

TEST_F(Tracing, AChunkThatAKilledRankNeverPublishedClaimsNoRank) {
  // The second page of rank 0's chunk looks like the record of rank 1.
  run(
      2,
      [] {
        cw_profile_chunk* chunk = cw_store_chunk(2 * CW_PROFILE_CHUNK_BYTES, 0);
        cw_profile_chunk* page = chunk + CW_PROFILE_CHUNK_BYTES / sizeof *chunk;
        page->kind = CW_CHUNK_RANK;
        page->bytes = CW_PROFILE_CHUNK_BYTES;
        page->rank = 1;
        raise(SIGKILL);
      },
      -SIGKILL);
  EXPECT_EQ(wait_for(start(1, 2, [] { send(0, 8); })), 0);
  EXPECT_TRUE(profile().ranks()[1].finished);
}

TEST_F(Tracing, AChunkOfAKindThatTheReaderDoesNotKnowIsSkipped) {
  run(1, [] {
    cw_profile_chunk* chunk = cw_store_chunk(3 * CW_PROFILE_CHUNK_BYTES, 0);
    cw_store_publish(chunk, static_cast<cw_profile_chunk_kind>(CW_N_CHUNK_KINDS));
    send(0, 8);
  });
  EXPECT_TRUE(profile().complete());
  EXPECT_EQ(profile().rows().size(), 1u);
  EXPECT_EQ(profile().skipped().count, 1u);
  EXPECT_EQ(profile().skipped().bytes, 3u * CW_PROFILE_CHUNK_BYTES);
}

TEST_F(Tracing, LeavesAnotherJobsFileAlone) {
  run(1, [] { send(0, 1); });
  EXPECT_THAT(open(0, 1, "another"), HasSubstr("another job"));
  EXPECT_THAT(open(0, 2, "job"), HasSubstr("another job"));
  EXPECT_TRUE(profile().complete());
}

TEST_F(Tracing, GivesEachNodeOfABatchSystemItsOwnFile) {
  // This happens with several Slurm daemons on one host.
  for (const int rank : {0, 1}) {
    setenv("SLURMD_NODENAME", rank == 0 ? "n0" : "n1", 1);
    EXPECT_EQ(wait_for(start(rank, 2, [] { send(0, 1); })), 0);
  }
  unsetenv("SLURMD_NODENAME");
  const Profile found = profile();
  EXPECT_TRUE(found.complete());
  ASSERT_EQ(found.nodes().size(), 2u);
  EXPECT_EQ(found.nodes()[0].batch_name, "n0");
  EXPECT_EQ(found.nodes()[0].id, found.nodes()[1].id);
  EXPECT_EQ(found.ranks()[0].node, 0);
  EXPECT_EQ(found.ranks()[1].node, 1);
}

TEST_F(Tracing, WritesGroupsAsRangesOnceEach) {
  run(10, [] {
    const std::int32_t members[] = {0, 2, 4, 6, 9, 8, 1};  // 0-6 by 2, 9-8 by -1, 1
    cw_communicator comm = {};
    comm.group = 7;
    comm.members = members;
    comm.n_members = 7;
    cw_trace_observer.communicator(&comm);
    cw_trace_observer.communicator(&comm);
    const std::uint64_t now = cw_ticks();
    const cw_event event = {1, CW_ROW_CALL | CW_ROW_COLLECTIVE, 0, 7, 100, now, now};
    cw_row_count(&event, true);
  });
  const CommMatrix matrix = profile().traffic(Layer::coll, 0).folded();
  std::vector<std::int32_t> peers;
  for (const PairTraffic& entry : matrix.row(Rank{0})) peers.push_back(raw(entry.peer));
  EXPECT_THAT(peers, ElementsAre(1, 2, 4, 6, 8, 9));
}

TEST_F(Tracing, WritesManyGroupsToOneChunk) {
  // 3,000 different groups of three members, two ranges each: 16 + 2 * 12 bytes, 101 in a chunk of 4,096
  // bytes. Rank 0 is the root of one collective in each: 84 rows in a chunk.
  run(4000, [] {
    for (int i = 0; i < 3000; ++i) {
      const std::uint64_t id = 0x9e3779b97f4a7c15u * static_cast<unsigned>(i + 1);
      const std::int32_t members[] = {0, i + 2, 1};
      cw_communicator comm = {};
      comm.group = id;
      comm.members = members;
      comm.n_members = 3;
      cw_trace_observer.communicator(&comm);
      const cw_event event = {1, CW_ROW_CALL | CW_ROW_COLLECTIVE, 0, id, 8, 0, 0};
      cw_row_count(&event, false);
    }
  });
  const CommMatrix matrix = profile().traffic(Layer::coll, 0).folded();
  EXPECT_EQ(matrix.messages(), 6000u);
  EXPECT_EQ(matrix.row(Rank{0}).size(), 3001u);
  const auto file = *std::filesystem::directory_iterator(directory_);
  EXPECT_LE(file.file_size(), 2 * (30u + 36u + 10u) * CW_PROFILE_CHUNK_BYTES);
}

TEST_F(Tracing, ReportsTheMaskOfTheProcess) {
  run(1, [] {});
  const Profile found = profile();
  cpu_set_t mine;
  sched_getaffinity(0, sizeof mine, &mine);
  EXPECT_EQ(static_cast<int>(found.ranks()[0].os_pus.size()), CPU_COUNT(&mine));
  ASSERT_FALSE(found.ranks()[0].threads.empty());
  EXPECT_EQ(found.ranks()[0].threads[0].os_pus, found.ranks()[0].os_pus);
  EXPECT_THAT(found.faults(), IsEmpty());
}

/// Computes until this thread has used `seconds` of CPU time.
void work(double seconds) {
  timespec used{};
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  } while (static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec) < seconds);
}

TEST_F(Tracing, TellsTheThreadsOfMpiFromThoseOfTheProgramByWhenTheyCame) {
  // One thread starts between prepare and start, as in MPI_Init. Others start before and after.
  run(1, [] {
    std::latch named{2};
    std::latch end{1};
    const auto idle = [&](const char* name) {
      pthread_setname_np(pthread_self(), name);
      named.count_down();
      end.wait();
    };
    std::thread before(idle, "before");
    cw_verify_observer.prepare();
    std::thread of_mpi(idle, "of_mpi");
    cw_verify_observer.start();
    std::latch busy{1};
    std::thread after([&] {
      pthread_setname_np(pthread_self(), "after");
      work(0.02);
      busy.count_down();
      end.wait();
    });
    named.wait();
    busy.wait();
    cw_verify_observer.finish();
    cw_store_rank()->finished = 1;
    _exit(0);  // because start() would list the threads again
  });
  std::map<std::string, ThreadInfo> found;
  const Profile traced = profile();
  for (const ThreadInfo& thread : traced.ranks()[0].threads) {
    if (thread.name == "before" || thread.name == "of_mpi" || thread.name == "after") {
      found[thread.name] = thread;
    }
  }
  ASSERT_EQ(found.size(), 3u);
  EXPECT_FALSE(found["before"].of_mpi);
  EXPECT_TRUE(found["of_mpi"].of_mpi);
  EXPECT_FALSE(found["after"].of_mpi);
  EXPECT_GE(found["after"].cpu_s.value(), 0.02);
  EXPECT_LT(found["before"].cpu_s.value(), 0.02);
}

TEST_F(Tracing, GoesOnInOneRecordWhereMpiIsStartedAgain) {
  run(1, [] {
    pthread_setname_np(pthread_self(), "rank");
    send(0, 5);
    cw_verify_observer.finish();
    cw_trace_observer.start();
    cw_verify_observer.start();
    send(0, 8);
    work(0.02);
  });
  const Profile traced = profile();
  EXPECT_EQ(traced.traffic(Layer::p2p, 0).folded().self_bytes(), 13u);
  std::vector<double> cpu_s;  // only of the thread "rank": ThreadSanitizer has its own thread
  for (const ThreadInfo& thread : traced.ranks()[0].threads)
    if (thread.name == "rank") cpu_s.push_back(thread.cpu_s.value());
  EXPECT_THAT(cpu_s, ElementsAre(Ge(0.02)));  // only the last values
}

TEST_F(Tracing, CountsTheCpuTimeOfThreadsThatEnded) {
  run(1, [] { std::thread([] { work(0.02); }).join(); });
  EXPECT_GE(profile().ranks()[0].cpu_s.value(), 0.02);
}

}  // namespace
}  // namespace corewise
