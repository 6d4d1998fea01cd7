/// Properties of every policy on every machine: inside the mask, disjoint, adjacent, deterministic.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fixtures.hpp"

using testing::IsSupersetOf;

namespace {

Bitmap mask_of(const Machine& machine, hwloc_topology_t topology) {
  Bitmap mask(hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(topology)));
  if (*machine.mask != 0) hwloc_bitmap_and(mask.get(), mask.get(), bitmap(machine.mask).get());
  return mask;
}

class EveryMachine : public testing::TestWithParam<Machine> {};

TEST(Register, IsSortedAndEveryRowHasASentence) {
  const std::vector<std::string> names = policies();
  EXPECT_THAT(names, IsSupersetOf({"default", "topology"}));
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end())) << policy_list();
  for (size_t i = 0; i < names.size(); ++i) EXPECT_GT(std::string(cw_policy_sentence(i)).size(), 20U);
  EXPECT_EQ(cw_policy_sentence(names.size()), nullptr);
}

TEST_P(EveryMachine, ThreadsStayInsideTheMaskAndShareNothingWhilePusSuffice) {
  const Bitmap mask = mask_of(GetParam(), load(GetParam()).get());
  for (const std::string& policy : policies()) {
    if (policy == "pin") continue;  // ignores the mask, as documented
    for (const char* overrides :
         {"", "comm_servers=1;helpers=1;workers=1", "comm_servers=0;helpers=2;workers=2"}) {
      check_promises(plan_on(GetParam(), policy.c_str(), overrides), policy, mask);
    }
  }
}

TEST_P(EveryMachine, AsManyThreadsAsPusUseEveryPu) {
  const Bitmap mask = mask_of(GetParam(), load(GetParam()).get());
  const int n_pus = hwloc_bitmap_weight(mask.get());
  const std::string overrides = "comm_servers=0;helpers=0;workers=" + std::to_string(n_pus);
  for (const std::string& policy : policies()) {
    if (!has_places(policy)) continue;
    const Bitmap seen = bitmap("");
    const Plan plan = plan_on(GetParam(), policy.c_str(), overrides.c_str());
    for (size_t thread = 0; thread < cw_thread_plan_size(plan.get()); ++thread)
      hwloc_bitmap_or(seen.get(), seen.get(), bitmap(cpuset_of(plan, thread)).get());
    EXPECT_TRUE(hwloc_bitmap_isequal(seen.get(), mask.get())) << policy;
  }
}

/// Threads in the order comm_server, helpers, workers enter each package, NUMA domain, L3 and group once.
TEST_P(EveryMachine, TopologyEntersEachPartOfTheMachineOnce) {
  const Topology topology = load(GetParam());
  const Plan plan = plan_on(GetParam(), "topology");
  std::vector<std::string> row = cpusets_of(plan, "comm_server");
  for (const char* role : {"helper", "worker"}) {
    for (const std::string& cpuset : cpusets_of(plan, role)) row.push_back(cpuset);
  }
  for (int depth = 0; depth < hwloc_topology_get_depth(topology.get()); ++depth) {
    std::set<hwloc_obj_t> left;
    hwloc_obj_t now = nullptr;
    for (const std::string& cpuset : row) {
      const hwloc_obj_t pu =
          hwloc_get_pu_obj_by_os_index(topology.get(), hwloc_bitmap_first(bitmap(cpuset).get()));
      const hwloc_obj_t here = hwloc_get_ancestor_obj_by_depth(topology.get(), depth, pu);
      if (here == now || here == nullptr) continue;
      if (now != nullptr) left.insert(now);
      EXPECT_FALSE(left.contains(here)) << hwloc_obj_type_string(here->type) << " twice in\n" << print(plan);
      now = here;
    }
  }
}

TEST_P(EveryMachine, TheSameInputGivesTheSamePlan) {
  for (const std::string& policy : policies())
    EXPECT_EQ(print(plan_on(GetParam(), policy.c_str())), print(plan_on(GetParam(), policy.c_str())));
}

TEST_P(EveryMachine, RanksThatShareTheMaskTakeDisjointPartsThatFillIt) {
  const Topology topology = load(GetParam());
  const Bitmap mask = mask_of(GetParam(), topology.get());
  const Bitmap singlified(hwloc_bitmap_dup(mask.get()));
  hwloc_bitmap_singlify_per_core(topology.get(), singlified.get(), 0);
  if (hwloc_bitmap_weight(singlified.get()) < 3) {  // fewer cores than ranks: ranks share
    EXPECT_EQ(cpuset_of(plan_on(GetParam(), "default", "part=0/9"), 0),
              cpuset_of(plan_on(GetParam(), "default", "part=1/9"), 0));
    return;
  }
  const Bitmap seen = bitmap("");
  for (const char* part : {"part=0/3", "part=1/3", "part=2/3"}) {
    const Bitmap cpuset = bitmap(cpuset_of(plan_on(GetParam(), "default", part), 0));
    EXPECT_FALSE(hwloc_bitmap_intersects(cpuset.get(), seen.get()));
    hwloc_bitmap_or(seen.get(), seen.get(), cpuset.get());
  }
  EXPECT_TRUE(hwloc_bitmap_isequal(seen.get(), mask.get()));
}

INSTANTIATE_TEST_SUITE_P(Fixtures, EveryMachine, testing::ValuesIn(MACHINES),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
