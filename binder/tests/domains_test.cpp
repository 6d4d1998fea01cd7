/// Places and NUMA nodes of a mask, on a synthetic machine and on this one.
#include "domains.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace {

namespace fs = std::filesystem;

/// Four cores with two hardware threads each, whose numbers differ by four. NUMA node 0 has cores 0 and 1,
/// node 2 has cores 2 and 3, node 1 has CPUs and no memory, node 3 has memory and no CPUs.
class Domains : public ::testing::Test {
 protected:
  Domains() {
    for (int pu = 0; pu < 8; ++pu) {
      write("cpu/cpu" + std::to_string(pu) + "/topology/thread_siblings_list",
            std::to_string(pu % 4) + "," + std::to_string(pu % 4 + 4));
    }
    write("node/has_memory", "0,2-3");
    write("node/node0/cpulist", "0-1,4-5");
    write("node/node1/cpulist", "8");
    write("node/node2/cpulist", "2-3,6-7");
    write("node/node3/cpulist", "");
  }
  ~Domains() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text << "\n";
  }
  const cw_mask_t* mask(const char* list) {
    EXPECT_TRUE(cw_mask_parse(list, mask_.get()));
    return mask_.get();
  }
  std::string places(const char* list) {
    char* text = cw_places_of(mask(list), folder_.c_str());
    const std::string found = text ? text : "none";
    std::free(text);
    return found;
  }
  unsigned long nodes(const char* list) { return cw_numa_nodes_of(mask(list), folder_.c_str()).words[0]; }

  fs::path folder_ = fs::path(::testing::TempDir()) / ("corewise_bind_domains_" + std::to_string(getpid()));
  std::unique_ptr<cw_mask_t> mask_ = std::make_unique<cw_mask_t>();
};

TEST_F(Domains, APlaceIsACoreWithThoseOfItsThreadsThatAreInTheMask) {
  EXPECT_EQ(places("0-7"), "{0,4},{1,5},{2,6},{3,7}");
  EXPECT_EQ(places("2,4-5"), "{2},{4},{5}");
  EXPECT_EQ(places("3,7"), "{3,7}");
}

TEST_F(Domains, ACoreThatTheKernelDoesNotTellOfIsOneThread) { EXPECT_EQ(places("3,9-10"), "{3},{9},{10}"); }

TEST_F(Domains, NumaNodesAreThoseWithMemoryThatTheMaskTouches) {
  EXPECT_EQ(nodes("0"), 0b001U);
  EXPECT_EQ(nodes("1,6"), 0b101U);
  EXPECT_EQ(nodes("2-3"), 0b100U);
  EXPECT_EQ(nodes("8"), 0U);
}

TEST_F(Domains, AMachineWithoutNumaNodesHasNone) {
  fs::remove_all(folder_ / "node");
  EXPECT_EQ(nodes("0-7"), 0U);
}

/// Result of cw_bind_memory() in a child process; 100 if the policy is not MPOL_BIND afterwards.
int bound_in_a_child(cw_numa_nodes_t nodes) {
  const pid_t child = fork();
  if (child == 0) {
    int mode = -1;
    const int refused = cw_bind_memory(&nodes);
    syscall(SYS_get_mempolicy, &mode, nullptr, 0, nullptr, 0);
    _exit(refused ? refused : mode == MPOL_BIND ? 0 : 100);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

TEST(Memory, IsBoundToTheNodesOfThisProcess) {
  auto mask = std::make_unique<cw_mask_t>();
  ASSERT_EQ(sched_getaffinity(0, CW_MASK_BYTES, &mask->set), 0);
  const cw_numa_nodes_t nodes = cw_numa_nodes_of(mask.get(), CW_SYSTEM_FOLDER);
  const int refused = bound_in_a_child(nodes);
  if (refused == ENOSYS || refused == EPERM)
    GTEST_SKIP() << "this kernel or container has no memory policies";
  EXPECT_EQ(refused, 0);
}

TEST(Memory, OnNoNodeAtAllIsRefused) {
  const int refused = bound_in_a_child({});
  EXPECT_TRUE(refused == EINVAL || refused == ENOSYS || refused == EPERM) << refused;
}

}  // namespace
