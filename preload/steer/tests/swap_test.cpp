// Swaps of real processes. Each participant is killed or stopped at every step; all ranks must end on their
// homes.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

extern "C" {
#include "act/swap.h"
#include "share/shared_file.h"
}

namespace {

constexpr int kLeaseMs = 100;
enum { kA, kB, kActuator, kMender };  // slots

cw_pu_mask one_pu(int pu) {
  cw_pu_mask mask = {};
  mask.word[pu / 64] = std::uint64_t{1} << pu % 64;
  return mask;
}

bool same(const cw_pu_mask& a, const cw_pu_mask& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

std::vector<int> allowed_pus() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  std::vector<int> pus;
  for (int pu = 0; pu < CPU_SETSIZE; ++pu)
    if (CPU_ISSET(pu, &set)) pus.push_back(pu);
  return pus;
}

/// A process that does `work`. It ends with this process, or is killed at the end of the block.
class Child {
 public:
  template <typename Work>
  explicit Child(Work work) : pid_(fork()) {
    if (pid_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    work();
    _exit(0);
  }
  ~Child() {
    if (pid_ > 0) kill(SIGKILL);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  void kill(int signal) {
    ::kill(pid_, signal);
    if (signal == SIGKILL) wait();
  }
  void wait() {
    int status;
    waitpid(pid_, &status, 0);
    pid_ = -1;
  }
  /// Waits until the process has stopped itself (true) or ended.
  bool stopped() {
    int status;
    waitpid(pid_, &status, WUNTRACED);
    if (WIFSTOPPED(status)) return true;
    pid_ = -1;
    return false;
  }
  pid_t pid() const { return pid_; }
  bool lives() const { return pid_ > 0; }
  cw_process_id id() const {
    cw_process_id found = {};
    EXPECT_TRUE(cw_process_identify(pid_, &found));
    return found;
  }

 private:
  pid_t pid_;
};

void bind(pid_t thread, const std::vector<int>& pus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int pu : pus) CPU_SET(pu, &set);
  sched_setaffinity(thread, sizeof set, &set);
}

/// A rank on one PU with a second thread there, and a third one that the program lets run on both PUs. It
/// stops itself when all threads exist, to be continued.
void be_a_rank(int pu, const std::vector<int>& pus) {
  bind(0, {pu});
  std::thread other([&pus] {
    std::thread free_one([&pus] {
      bind(0, pus);
      raise(SIGSTOP);
      for (;;) pause();
    });
    for (;;) pause();
  });
  for (;;) pause();
}

std::vector<pid_t> threads_of(pid_t pid) {
  std::vector<pid_t> threads;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task"))
    threads.push_back(std::stoi(entry.path().filename()));
  std::sort(threads.begin(), threads.end());
  return threads;
}

/// Two ranks on two PUs, and a journal in a separate folder.
class Swap : public ::testing::Test {
 protected:
  void SetUp() override {
    pus_ = allowed_pus();
    if (pus_.size() < 2) GTEST_SKIP() << "a swap needs two PUs; this process may use " << pus_.size();
    path_ = std::filesystem::temp_directory_path() / ("corewise-swap-" + std::to_string(getpid()));
    std::filesystem::remove(path_);
    mender_ = open(kMender);
    for (const int slot : {kA, kB}) {
      ranks_.push_back(std::make_unique<Child>([this, slot] { be_a_rank(pus_[slot], {pus_[0], pus_[1]}); }));
      ASSERT_TRUE(ranks_[slot]->stopped());
      ranks_[slot]->kill(SIGCONT);
      homes_.push_back(one_pu(pus_[slot]));
      const cw_process_id id = ranks_[slot]->id();
      cw_journal_enter(mender_, slot, &id, &homes_[slot]);
    }
  }

  void TearDown() override {
    if (mender_) cw_journal_close(mender_);
    std::filesystem::remove(path_);
  }

  cw_journal* open(int slot) {
    char message[CW_SHARED_MESSAGE_BYTES];
    cw_journal* const journal = cw_journal_open(path_.c_str(), slot, kLeaseMs, message);
    EXPECT_NE(journal, nullptr) << message;
    return journal;
  }

  /// A process that swaps the two ranks from outside and does `fault` after a step.
  template <typename Fault>
  std::unique_ptr<Child> actuator(int at_step, Fault fault) {
    return std::make_unique<Child>([this, at_step, fault] {
      cw_journal* const journal = open(kActuator);
      bind(0, {pus_[0]});
      cw_process_id self = {};
      cw_process_identify(getpid(), &self);
      cw_pu_mask mask = {};
      cw_process_mask(&self, &mask);
      cw_journal_enter(journal, kActuator, &self, &mask);
      struct Hook {
        int at_step;
        Fault fault;
      } hook{at_step, fault};
      cw_swap(
          journal, kA, kB,
          [](cw_swap_step step, void* argument) {
            const auto* const found = static_cast<Hook*>(argument);
            if (static_cast<int>(step) == found->at_step) found->fault();
          },
          &hook);
      cw_journal_close(journal);
    });
  }

  /// Recovers, after waiting for the end of other leases.
  void recover() {
    for (int tries = 0; tries < 1000 && !cw_swap_recover(mender_); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_TRUE(cw_swap_recover(mender_));
  }

  cw_belonging belonging(const cw_pu_mask& home) const {
    return {home, {}, homes_.data(), static_cast<int>(homes_.size())};
  }
  cw_move move(const cw_process_id& id, const cw_pu_mask& home) const {
    const cw_belonging wanted = belonging(home);
    return cw_process_move(&id, &wanted);
  }
  bool is_at(const cw_process_id& id, const cw_pu_mask& home) const {
    const cw_belonging wanted = belonging(home);
    return cw_process_is_at(&id, &wanted);
  }

  /// The homes are the two PUs, one each. Every living rank is on its home with its first two threads, and
  /// the third one has kept its own mask.
  void expect_valid(const std::string& where) {
    const cw_pu_mask a = cw_journal_home(mender_, kA), b = cw_journal_home(mender_, kB);
    const cw_pu_mask first = one_pu(pus_[0]), second = one_pu(pus_[1]);
    EXPECT_TRUE((same(a, first) && same(b, second)) || (same(a, second) && same(b, first))) << where;
    for (const int slot : {kA, kB}) {
      if (!ranks_[slot]->lives()) continue;
      const cw_process_id id = ranks_[slot]->id();
      const cw_pu_mask home = slot == kA ? a : b;
      EXPECT_TRUE(is_at(id, home)) << where << ", rank " << slot;
      cpu_set_t of_third;
      sched_getaffinity(threads_of(ranks_[slot]->pid()).at(2), sizeof of_third, &of_third);
      EXPECT_EQ(CPU_COUNT(&of_third), 2) << where << ", rank " << slot;
    }
  }

  /// The other rank must end on its home.
  void kill_a_rank(int victim, int at_step) {
    const pid_t pid = ranks_[victim]->pid();
    actuator(at_step, [pid] { ::kill(pid, SIGKILL); })->wait();
    ranks_[victim]->wait();
    recover();
    expect_valid("rank " + std::to_string(victim) + " killed");
  }

  std::vector<int> pus_;
  std::filesystem::path path_;
  cw_journal* mender_ = nullptr;
  std::vector<cw_pu_mask> homes_;
  std::vector<std::unique_ptr<Child>> ranks_;
};

TEST_F(Swap, BothRanksChangeWithAllTheirThreads) {
  const cw_swap_report report = cw_swap(mender_, kA, kB, nullptr, nullptr);
  EXPECT_TRUE(report.done);
  EXPECT_GT(report.shared_ns, 0);
  EXPECT_TRUE(same(cw_journal_home(mender_, kA), one_pu(pus_[1])));
  expect_valid("after the swap");
  EXPECT_TRUE(cw_swap(mender_, kA, kB, nullptr, nullptr).done);
  EXPECT_TRUE(same(cw_journal_home(mender_, kA), one_pu(pus_[0])));
  expect_valid("after a second one");
}

// One test for each step, so that it has its own processes.
class SwapStep : public Swap, public ::testing::WithParamInterface<int> {};

TEST_P(SwapStep, AnActuatorThatIsKilledIsMended) {
  actuator(GetParam(), [] { raise(SIGKILL); })->wait();
  recover();
  expect_valid("restored");
  EXPECT_TRUE(cw_swap(mender_, kA, kB, nullptr, nullptr).done);
  expect_valid("swapped again");
}

TEST_P(SwapStep, AnActuatorThatIsStoppedIsMendedAndMendsWhatItDoesLate) {
  const auto stopped = actuator(GetParam(), [] { raise(SIGSTOP); });
  ASSERT_TRUE(stopped->stopped());
  recover();
  expect_valid("restored");
  EXPECT_TRUE(cw_swap(mender_, kA, kB, nullptr, nullptr).done);
  stopped->kill(SIGCONT);
  stopped->wait();
  recover();
  expect_valid("continued");
}

TEST_P(SwapStep, TheFirstRankThatIsKilledLeavesTheSecondOnItsHome) { kill_a_rank(kA, GetParam()); }

TEST_P(SwapStep, TheSecondRankThatIsKilledLeavesTheFirstOnItsHome) { kill_a_rank(kB, GetParam()); }

TEST_P(SwapStep, AStoppedRankIsSwappedLikeAnyOther) {
  const pid_t pid = ranks_[kA]->pid();
  actuator(GetParam(), [pid] { ::kill(pid, SIGSTOP); })->wait();
  EXPECT_TRUE(same(cw_journal_home(mender_, kA), one_pu(pus_[1])));
  expect_valid("rank stopped");
}

INSTANTIATE_TEST_SUITE_P(Every, SwapStep, ::testing::Range(0, static_cast<int>(CW_SWAP_N_STEPS)));

TEST_F(Swap, ARefusedMaskPutsTheFirstRankBack) {
  // Rank B's initial PU does not exist any more, so rank A can't go there.
  const cw_process_id b = ranks_[kB]->id();
  const cw_pu_mask nowhere = one_pu(CW_MASK_PUS - 1);
  cw_journal_enter(mender_, kB, &b, &nowhere);
  EXPECT_FALSE(cw_swap(mender_, kA, kB, nullptr, nullptr).done);
  const cw_process_id a = ranks_[kA]->id();
  const cw_pu_mask home = one_pu(pus_[0]);
  EXPECT_TRUE(is_at(a, home));
}

TEST_F(Swap, ARankWhoseHomeIsRefusedRunsWhereTheKernelLetsItAndIsLeftAlone) {
  const cw_process_id b = ranks_[kB]->id();
  const cw_pu_mask nowhere = one_pu(CW_MASK_PUS - 1);
  cw_journal_enter(mender_, kB, &b, &nowhere);
  recover();
  EXPECT_FALSE(cw_journal_is_steered(mender_, kB));
  cw_pu_mask now = {};
  EXPECT_TRUE(cw_process_mask(&b, &now));
  for (const int pu : pus_) EXPECT_TRUE(now.word[pu / 64] >> pu % 64 & 1);
  EXPECT_FALSE(cw_swap(mender_, kA, kB, nullptr, nullptr).done);
}

TEST_F(Swap, AnotherProcessWithTheSamePidIsNotTouched) {
  cw_process_id earlier = ranks_[kB]->id();
  earlier.start -= 1;  // a process that had this pid before
  const cw_pu_mask home = one_pu(pus_[1]);
  cw_journal_enter(mender_, kB, &earlier, &home);
  EXPECT_FALSE(cw_swap(mender_, kA, kB, nullptr, nullptr).done);
  const cw_pu_mask elsewhere = one_pu(pus_[0]);
  EXPECT_EQ(move(earlier, elsewhere), CW_MOVE_GONE);
  EXPECT_TRUE(is_at(ranks_[kB]->id(), home));
}

/// Does what a system call filter of a container may do to pidfd_open(2).
void forbid_pidfd_open(int error) {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_open, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {std::size(filter), filter};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) _exit(3);
}

class WithoutPidfd : public Swap, public ::testing::WithParamInterface<int> {};

TEST_P(WithoutPidfd, AProcessIsKnownByItsStartTimeAlone) {
  const pid_t pid = fork();
  if (pid == 0) {
    forbid_pidfd_open(GetParam());
    cw_journal* const journal = open(kMender);
    const bool swapped = cw_swap(journal, kA, kB, nullptr, nullptr).done;
    cw_process_id earlier = ranks_[kB]->id();
    earlier.start -= 1;
    const bool told_apart = move(earlier, homes_[kA]) == CW_MOVE_GONE;
    _exit((swapped ? 0 : 1) | (told_apart ? 0 : 2));
  }
  int status;
  waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 3) GTEST_SKIP() << "this kernel filters no system calls";
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(same(cw_journal_home(mender_, kA), one_pu(pus_[1])));
  expect_valid("swapped without pidfd_open");
}

INSTANTIATE_TEST_SUITE_P(Every, WithoutPidfd, ::testing::Values(ENOSYS, EPERM));

// A rank with two PUs, and a thread on the second of them. Needs four PUs.
TEST(OwnMasks, AThreadOnAPartOfItsHomeIsOnTheSamePartOfTheOther) {
  const std::vector<int> pus = allowed_pus();
  if (pus.size() < 4) GTEST_SKIP() << "needs four PUs; this process may use " << pus.size();
  Child rank([&pus] {
    bind(0, {pus[0], pus[1]});
    std::thread other([&pus] {
      bind(0, {pus[1]});
      raise(SIGSTOP);
      for (;;) pause();
    });
    for (;;) pause();
  });
  ASSERT_TRUE(rank.stopped());
  rank.kill(SIGCONT);
  cw_pu_mask homes[2] = {one_pu(pus[0]), one_pu(pus[2])};
  for (int i = 0; i < 2; ++i) homes[i].word[pus[2 * i + 1] / 64] |= std::uint64_t{1} << pus[2 * i + 1] % 64;
  const cw_process_id id = rank.id();
  cw_belonging there = {homes[1], {}, homes, 2}, back = {homes[0], {}, homes, 2};
  ASSERT_TRUE(cw_process_own_masks(&id, &homes[0], &there.own));
  EXPECT_EQ(there.own.n, 1);
  back.own = there.own;
  for (const auto& [belonging, pu] : {std::pair{&there, pus[3]}, std::pair{&back, pus[1]}}) {
    EXPECT_EQ(cw_process_move(&id, belonging), CW_MOVE_DONE);
    cpu_set_t set;
    sched_getaffinity(threads_of(rank.pid()).at(1), sizeof set, &set);
    EXPECT_TRUE(CPU_ISSET(pu, &set) && CPU_COUNT(&set) == 1);
  }
}

TEST_F(Swap, WhoLeavesIsNotSwappedAnyMore) {
  Child leaver([this] {
    cw_journal* const journal = open(kA);
    _exit(cw_swap_leave(journal) ? 0 : 1);
  });
  leaver.wait();
  EXPECT_FALSE(cw_journal_is_steered(mender_, kA));
  EXPECT_FALSE(cw_swap(mender_, kA, kB, nullptr, nullptr).done);
  expect_valid("left");
}

TEST_F(Swap, WhoeverHoldsTheLeaseIsAlone) {
  const auto stopped = actuator(CW_SWAP_LEASED, [] { raise(SIGSTOP); });
  ASSERT_TRUE(stopped->stopped());
  EXPECT_FALSE(cw_swap(mender_, kA, kB, nullptr, nullptr).done);
  EXPECT_FALSE(cw_swap_recover(mender_));
  recover();
}

}  // namespace
