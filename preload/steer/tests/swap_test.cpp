// Swaps of real processes, with every party killed or stopped at every step: all end on their homes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

extern "C" {
#include "act/swap.h"
#include "share/shared_file.h"
}

namespace {

using ::testing::HasSubstr;

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

/// A process that does `work` and ends with this one; killed at the end of the block.
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
  /// Until it stopped itself (true) or ended.
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

/// A rank with a second thread; it stops itself once both threads are there, and is continued.
void be_a_rank() {
  std::thread other([] {
    for (;;) pause();
  });
  raise(SIGSTOP);
  for (;;) pause();
}

/// Two ranks on two PUs, and a journal in a folder of its own.
class Swap : public ::testing::Test {
 protected:
  void SetUp() override {
    pus_ = allowed_pus();
    if (pus_.size() < 2) GTEST_SKIP() << "a swap needs two PUs; this process may use " << pus_.size();
    path_ = std::filesystem::temp_directory_path() / ("corewise-swap-" + std::to_string(getpid()));
    std::filesystem::remove(path_);
    mender_ = open(kMender);
    for (const int slot : {kA, kB}) {
      ranks_.push_back(std::make_unique<Child>(be_a_rank));
      ASSERT_TRUE(ranks_[slot]->stopped());
      ranks_[slot]->kill(SIGCONT);
      const cw_process_id id = ranks_[slot]->id();
      const cw_pu_mask mask = one_pu(pus_[slot]);
      ASSERT_EQ(cw_process_move(&id, &mask), CW_MOVE_DONE);
      cw_journal_enter(mender_, slot, &id, &mask);
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

  /// A process that swaps the two ranks from outside and does `fault` behind a step.
  template <typename Fault>
  std::unique_ptr<Child> actuator(int at_step, Fault fault) {
    return std::make_unique<Child>([this, at_step, fault] {
      cw_journal* const journal = open(kActuator);
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

  /// Waits out other holders' leases.
  void recover() {
    for (int tries = 0; tries < 1000 && !cw_swap_recover(mender_); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_TRUE(cw_swap_recover(mender_));
  }

  /// The homes are the two PUs, one each, and every rank that lives is on its home with both threads.
  void expect_valid(const std::string& where) {
    const cw_pu_mask a = cw_journal_home(mender_, kA), b = cw_journal_home(mender_, kB);
    const cw_pu_mask first = one_pu(pus_[0]), second = one_pu(pus_[1]);
    EXPECT_TRUE((same(a, first) && same(b, second)) || (same(a, second) && same(b, first))) << where;
    for (const int slot : {kA, kB}) {
      if (!ranks_[slot]->lives()) continue;
      const cw_process_id id = ranks_[slot]->id();
      const cw_pu_mask home = slot == kA ? a : b;
      EXPECT_TRUE(cw_process_is_at(&id, &home)) << where << ", rank " << slot;
    }
  }

  std::vector<int> pus_;
  std::filesystem::path path_;
  cw_journal* mender_ = nullptr;
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

// One test for each step, so that it has processes of its own.
class SwapStep : public Swap, public ::testing::WithParamInterface<int> {};

TEST_P(SwapStep, AnActuatorThatIsKilledIsMended) {
  actuator(GetParam(), [] { raise(SIGKILL); })->wait();
  recover();
  expect_valid("mended");
  EXPECT_TRUE(cw_swap(mender_, kA, kB, nullptr, nullptr).done);
  expect_valid("swapped again");
}

TEST_P(SwapStep, AnActuatorThatIsStoppedIsMendedAndMendsWhatItDoesLate) {
  const auto stopped = actuator(GetParam(), [] { raise(SIGSTOP); });
  ASSERT_TRUE(stopped->stopped());
  recover();
  expect_valid("mended");
  EXPECT_TRUE(cw_swap(mender_, kA, kB, nullptr, nullptr).done);
  stopped->kill(SIGCONT);
  stopped->wait();
  recover();
  expect_valid("continued");
}

TEST_P(SwapStep, ARankThatIsKilledLeavesTheOtherOneOnItsHome) {
  for (const int victim : {kA, kB}) {
    if (!ranks_[victim]->lives()) continue;
    const pid_t pid = ranks_[victim]->pid();
    actuator(GetParam(), [pid] { ::kill(pid, SIGKILL); })->wait();
    ranks_[victim]->wait();
    recover();
    expect_valid("rank " + std::to_string(victim) + " killed");
    break;
  }
}

TEST_P(SwapStep, TheSecondRankThatIsKilledLeavesTheFirstOnItsHome) {
  const pid_t pid = ranks_[kB]->pid();
  actuator(GetParam(), [pid] { ::kill(pid, SIGKILL); })->wait();
  ranks_[kB]->wait();
  recover();
  expect_valid("second rank killed");
}

TEST_P(SwapStep, AStoppedRankIsSwappedLikeAnyOther) {
  const pid_t pid = ranks_[kA]->pid();
  actuator(GetParam(), [pid] { ::kill(pid, SIGSTOP); })->wait();
  EXPECT_TRUE(same(cw_journal_home(mender_, kA), one_pu(pus_[1])));
  expect_valid("rank stopped");
}

INSTANTIATE_TEST_SUITE_P(Every, SwapStep, ::testing::Range(0, static_cast<int>(CW_SWAP_N_STEPS)));

TEST_F(Swap, ARefusedMaskPutsTheFirstRankBack) {
  // Rank B came from a PU that is not there any more: rank A can't go there.
  const cw_process_id b = ranks_[kB]->id();
  const cw_pu_mask nowhere = one_pu(CW_MASK_PUS - 1);
  cw_journal_enter(mender_, kB, &b, &nowhere);
  EXPECT_FALSE(cw_swap(mender_, kA, kB, nullptr, nullptr).done);
  const cw_process_id a = ranks_[kA]->id();
  const cw_pu_mask home = one_pu(pus_[0]);
  EXPECT_TRUE(cw_process_is_at(&a, &home));
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
  earlier.start -= 1;  // who had this pid before
  const cw_pu_mask home = one_pu(pus_[1]);
  cw_journal_enter(mender_, kB, &earlier, &home);
  EXPECT_FALSE(cw_swap(mender_, kA, kB, nullptr, nullptr).done);
  const cw_pu_mask elsewhere = one_pu(pus_[0]);
  EXPECT_EQ(cw_process_move(&earlier, &elsewhere), CW_MOVE_GONE);
  const cw_process_id now = ranks_[kB]->id();
  EXPECT_TRUE(cw_process_is_at(&now, &home));
}

TEST_F(Swap, WhoeverHoldsTheLeaseIsAlone) {
  const auto stopped = actuator(CW_SWAP_LEASED, [] { raise(SIGSTOP); });
  ASSERT_TRUE(stopped->stopped());
  EXPECT_FALSE(cw_swap(mender_, kA, kB, nullptr, nullptr).done);
  EXPECT_FALSE(cw_swap_recover(mender_));
  recover();
}

TEST(Journal, AFolderWithoutRoomIsAnErrorAndNoSignal) {
  const std::string path = ::testing::TempDir() + "corewise-journal-" + std::to_string(getpid());
  const pid_t pid = fork();
  if (pid == 0) {
    const rlimit limit = {4096, 4096};
    setrlimit(RLIMIT_FSIZE, &limit);
    char message[CW_SHARED_MESSAGE_BYTES];
    const bool opened = cw_journal_open(path.c_str(), 0, kLeaseMs, message) != nullptr;
    _exit(!opened && std::strstr(message, "File too large; steering is off on this node") ? 0 : 1);
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
