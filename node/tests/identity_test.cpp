/// The identity of a node: equal for two processes on it, different in another network namespace.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

extern "C" {
#include <corewise_node/identity.h>
}

namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

cw_node found() {
  cw_node node;
  cw_node_find(&node);
  return node;
}

std::string file_name(const cw_node& node) {
  char name[1024];
  EXPECT_LT(cw_node_file_name(&node, name, sizeof name), 1024);
  return name;
}

TEST(Node, IsNamedByHostBootIdAndNetwork) {
  unsetenv("SLURMD_NODENAME");
  const cw_node node = found();
  char host[256];
  ASSERT_EQ(gethostname(host, sizeof host), 0);
  EXPECT_STREQ(node.host, host);
  EXPECT_THAT(node.id, MatchesRegex("[0-9a-f]{8}-[0-9]+"));
  EXPECT_STREQ(node.id, found().id);
  EXPECT_STREQ(node.batch_name, "");
  EXPECT_EQ(file_name(node), std::string(host) + "-" + node.id);
}

TEST(Node, LeavesOutAddressesThatEveryNodeHas) {
  EXPECT_THAT(found().addresses, Not(HasSubstr("127.0.0.1")));
  EXPECT_THAT(found().addresses, Not(HasSubstr("fe80:")));
}

TEST(Node, OfABatchSystemHasItsNameThere) {
  setenv("SLURMD_NODENAME", "rack1/n0", 1);
  const cw_node node = found();
  unsetenv("SLURMD_NODENAME");
  EXPECT_STREQ(node.batch_name, "rack1/n0");
  EXPECT_EQ(file_name(node), std::string(node.host) + "-" + node.id + "-rack1_n0");
}

TEST(Node, InANetworkOfItsOwnIsAnother) {
  const std::string outside = found().id;
  const pid_t child = fork();
  if (child == 0) _exit(unshare(CLONE_NEWNET) != 0 ? 77 : outside == found().id ? 1 : 0);
  int status = 0;
  waitpid(child, &status, 0);
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "a network namespace needs privilege";
  EXPECT_EQ(status, 0);
}

}  // namespace
