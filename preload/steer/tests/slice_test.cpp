/// The time slice of a thread that moves other processes: short meanwhile, then restored.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

extern "C" {
#include "act/slice.h"
}

namespace corewise {
namespace {

cw_slice slice_now() {
  cw_slice found{};
  EXPECT_EQ(syscall(SYS_sched_getattr, 0, &found, sizeof found, 0), 0);
  return found;
}

TEST(Slice, IsWhatItWasBehindTheSwap) {
  const cw_slice at_first = slice_now();
  const cw_slice before = cw_slice_shorten();
  const cw_slice meanwhile = slice_now();
  EXPECT_LE(meanwhile.runtime_ns, at_first.runtime_ns);  // equal if the kernel ignores the slice
  EXPECT_EQ(meanwhile.nice, at_first.nice);
  EXPECT_EQ(meanwhile.policy, at_first.policy);
  cw_slice_restore(&before);
  EXPECT_EQ(slice_now().runtime_ns, at_first.runtime_ns);
}

TEST(Slice, AnIdleThreadAndItsPolicyAreLeftAlone) {
  std::thread([] {
    const sched_param none{};
    ASSERT_EQ(sched_setscheduler(0, SCHED_IDLE, &none), 0);
    const cw_slice at_first = slice_now();
    const cw_slice before = cw_slice_shorten();
    EXPECT_EQ(slice_now().runtime_ns, at_first.runtime_ns);
    cw_slice_restore(&before);
    EXPECT_EQ(sched_getscheduler(0), SCHED_IDLE);
  }).join();
}

}  // namespace
}  // namespace corewise
