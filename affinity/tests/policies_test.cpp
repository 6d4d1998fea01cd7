/// Properties of every policy on every machine (inside the mask, disjoint, adjacent, near the network card,
/// deterministic), then plans of each policy that were worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fixtures.hpp"

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;

namespace {

Bitmap mask_of(const Machine& machine, hwloc_topology_t topology) {
  Bitmap mask(hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(topology)));
  if (*machine.mask != 0) hwloc_bitmap_and(mask.get(), mask.get(), bitmap(machine.mask).get());
  return mask;
}

std::vector<Bitmap> all_cpusets(const Plan& plan) {
  std::vector<Bitmap> sets;
  for (size_t thread = 0; thread < cw_thread_plan_size(plan.get()); ++thread)
    sets.push_back(bitmap(cpuset_of(plan, thread)));
  return sets;
}

class EveryMachine : public testing::TestWithParam<Machine> {};

TEST(Register, IsSortedAndEveryRowHasASentence) {
  const std::vector<std::string> names = policies();
  EXPECT_THAT(names, IsSupersetOf({"default", "topology"}));
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end())) << policy_list();
  for (size_t i = 0; i < names.size(); ++i) EXPECT_GT(std::string(cw_policy_sentence(i)).size(), 20U);
  EXPECT_EQ(cw_policy_sentence(names.size()), nullptr);
}

TEST_P(EveryMachine, ThreadsStayInsideTheMask) {
  const Bitmap mask = mask_of(GetParam(), load(GetParam()).get());
  for (const std::string& policy : policies()) {
    if (policy == "pin") continue;  // ignores the mask, as documented
    for (const Bitmap& cpuset : all_cpusets(plan_on(GetParam(), policy.c_str()))) {
      EXPECT_TRUE(hwloc_bitmap_isincluded(cpuset.get(), mask.get()))
          << policy << ": " << list_of(cpuset.get());
      EXPECT_FALSE(hwloc_bitmap_iszero(cpuset.get())) << policy;
    }
  }
}

TEST_P(EveryMachine, ThreadsWithPlacesShareNothingWhilePusSuffice) {
  const size_t n_pus = hwloc_bitmap_weight(mask_of(GetParam(), load(GetParam()).get()).get());
  for (const std::string& policy : policies()) {
    if (!has_places(policy)) continue;
    for (const char* overrides :
         {"", "comm_servers=1;helpers=1;workers=1", "comm_servers=0;helpers=2;workers=2"}) {
      const Plan plan = plan_on(GetParam(), policy.c_str(), overrides);
      if (cw_thread_plan_size(plan.get()) > n_pus) continue;
      const Bitmap seen = bitmap("");
      for (const Bitmap& cpuset : all_cpusets(plan)) {
        EXPECT_FALSE(hwloc_bitmap_intersects(seen.get(), cpuset.get())) << print(plan);
        hwloc_bitmap_or(seen.get(), seen.get(), cpuset.get());
      }
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
    for (const Bitmap& cpuset : all_cpusets(plan_on(GetParam(), policy.c_str(), overrides.c_str())))
      hwloc_bitmap_or(seen.get(), seen.get(), cpuset.get());
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

/// The error message for these overrides; `description` as in struct Machine.
std::string refusal(const char* description, const char* overrides) {
  const Topology topology = load({"", description});
  Request request;
  request.options.topology = topology.get();
  request.options.overrides = overrides;
  cw_status_t status = CW_OK;
  const Plan none = request.plan(&status);
  EXPECT_EQ(status, CW_ERR_OVERRIDE) << overrides;
  return request.message();
}

/// `machine`: a name in MACHINES, or overrides. `cpuset`: the comm_server's. `said`: from the printed plan.
struct Near {
  const char *machine, *cpuset, *said;
};

TEST(Network, TheCommServerIsNearestTheCard) {
  const Near cases[] = {
      {"devcluster", "10", "mlx5_0 (OpenFabrics), nearest in Package 1"},
      {"devcluster_package_0", "0",
       "mlx5_0 (OpenFabrics), nearest in Machine 0"},                     // not on the card's package
      {"deception", "32", "mlx5_0 (OpenFabrics), nearest in Package 1"},  // OpenFabrics before Ethernet
      {"perlmutter", "32,160", "hsn0 (network), nearest in Group 2"},
      {"perlmutter_numa_0", "0,128", "hsn0 (network), nearest in Package 0"},  // hsn0 is on domain 2
      {"perlmutter_numa_5", "80,208", "hsn0 (network), nearest in Machine 0"},
      {"two_cards", "0-1", "mlx5_0 (OpenFabrics), nearest in Package 0"},
      {"two_cards_package_1", "8-9", "mlx5_0 (OpenFabrics), nearest in Package 0"},
      {"ethernet", "4", "eth0 (network), nearest in Package 1"},
      {"card_on_machine", "0", "eno1 (network), nearest in Machine 0"},
      {"virtual_devices", "0", "no physical network card is known: the first core is used"},
  };
  for (const Near& expected : cases) {
    for (const char* policy : {"topology", "balanced", "new_pin"}) {
      const Plan plan = plan_on(machine(expected.machine), policy);
      EXPECT_THAT(cpusets_of(plan, "comm_server"), ElementsAre(expected.cpuset)) << expected.machine;
      EXPECT_THAT(print(plan), HasSubstr(expected.said)) << expected.machine;
    }
  }
}

// gpus.xml: package 0 has cores 0-3, GPUs 3b and 3c; package 1 has cores 4-7, GPU d8, eth0 and InfiniBand.
TEST(Network, TheCommServerIsNearTheDeviceThatIsAskedFor) {
  const Near cases[] = {
      {"", "4,12", "mlx5_0 (OpenFabrics), nearest in Package 1"},
      {"near=nic", "4,12", "mlx5_0 (OpenFabrics), nearest in Package 1"},
      {"near=eth0", "4,12", "eth0 (network), nearest in Package 1"},
      {"near=gpu", "0,8", "0000:3b:00.0 (GPU), nearest in Package 0"},
      {"near=gpu;mask=5-7", "5", "0000:d8:00.0 (GPU), nearest in Package 1"},
      {"near=0000:3c:00.0", "0,8", "0000:3c:00.0 (GPU), nearest in Package 0"},
      {"near=0000:3c:00.0;mask=5-7", "5", "0000:3c:00.0 (GPU), nearest in Machine 0"},
      {"near=0000:af:00.0", "4,12", "0000:af:00.0 (PCI), nearest in Package 1"},
  };
  for (const Near& expected : cases) {
    const Plan plan = plan_on({"", "topologies/gpus.xml"}, "topology", expected.machine);
    EXPECT_THAT(cpusets_of(plan, "comm_server"), ElementsAre(expected.cpuset)) << expected.machine;
    EXPECT_THAT(print(plan), HasSubstr(expected.said)) << expected.machine;
  }
}

TEST(Network, ADeviceThatIsNotThereIsRefusedWithThoseThatAre) {
  EXPECT_EQ(refusal("affinity/ethernet.xml", "near=gpu"),
            "near 'gpu': no such device is known here; there are eth0");
  EXPECT_EQ(refusal("pack:1 core:2 pu:1", "near=nic"),
            "near 'nic': no such device is known here; there are none");
  EXPECT_THAT(refusal("pack:1 core:2 pu:1", "near="), HasSubstr("expected nic, gpu, or a device's name"));
}

TEST(Network, ARankBoundToAPackageTakesItsOwnCard) {
  const Plan plan = plan_on({"", "affinity/two-cards.xml", "16-31"}, "topology");
  EXPECT_THAT(print(plan), HasSubstr("mlx5_1 (OpenFabrics), nearest in Package 1"));
}

// Threads 0-9 of either process go to CPUs 0-9, though the second one may only use 10-19.
TEST(Pin, TwoRanksBoundToPackagesCollideOnTheSameCpus) {
  const Plan first = plan_on({"", "affinity/devcluster.xml", "0-9"}, "pin");
  const Plan second = plan_on({"", "affinity/devcluster.xml", "10-19"}, "pin");
  ASSERT_EQ(cw_thread_plan_size(first.get()), 10U);
  for (size_t thread = 0; thread < 10; ++thread) {
    EXPECT_EQ(cpuset_of(first, thread), std::to_string(thread));
    EXPECT_EQ(cpuset_of(second, thread), std::to_string(thread));
  }
}

TEST(Pin, AStrideThatDividesTheMachineSharesCpus) {
  const Plan plan = plan_on(machine("desktop"), "pin", "stride=8;workers=3;helpers=1;comm_servers=0");
  EXPECT_THAT(cpusets_of(plan, "worker"), ElementsAre("0", "8", "0"));  // 0, 8, 16 % 16
  EXPECT_THAT(cpusets_of(plan, "helper"), ElementsAre("8"));
}

TEST(Pin, NeighboursInNumberShareACoreWhereItsPusAreSideBySide) {
  const Plan plan = plan_on(machine("smt_side_by_side"), "pin", "workers=2;helpers=0;comm_servers=0");
  EXPECT_THAT(cpusets_of(plan, "worker"), ElementsAre("0", "1"));  // core 0 has PUs 0 and 1
}

TEST(Singlified, EveryThreadMayUseOnePuOfEachCore) {
  const Plan plan = plan_on(machine("smt_interleaved"), "singlified");
  EXPECT_EQ(cw_thread_plan_size(plan.get()), 8U);
  EXPECT_THAT(cpusets_of(plan, "worker"), Each("0-7"));
}

TEST(Default, ThereIsAThreadForEachPuAndOneOfThemIsTheCommServer) {
  const Plan plan = plan_on(machine("smt_interleaved"), "default");
  EXPECT_EQ(cpusets_of(plan, "worker").size(), 13U);
  EXPECT_EQ(cpusets_of(plan, "helper").size(), 2U);
  EXPECT_THAT(cpusets_of(plan, "comm_server"), ElementsAre("0-15"));
}

TEST(Topology, PackagesWhoseNumbersInterleaveAreNotStraddled) {
  const Plan plan =
      plan_on(machine("packages_interleaved"), "topology", "comm_servers=1;helpers=1;workers=6");
  EXPECT_THAT(cpusets_of(plan, "comm_server"), ElementsAre("0"));
  EXPECT_THAT(cpusets_of(plan, "helper"), ElementsAre("2"));
  EXPECT_THAT(cpusets_of(plan, "worker"), ElementsAre("4", "6", "8", "10", "12", "14"));
}

// The card is on domain 2, cores 32-47. comm_server and 15 helpers fill it; helper 16 is on domain 3.
TEST(Topology, OfDomainsAsNearTheNextOneComesFirst) {
  const std::vector<std::string> helpers = cpusets_of(plan_on(machine("perlmutter"), "topology"), "helper");
  ASSERT_EQ(helpers.size(), 16U);
  EXPECT_EQ(helpers.front(), "33,161");
  EXPECT_EQ(helpers.back(), "48,176");
}

// Cores 0-3 share an L3, then 4-7. The comm_server gets core 0; each L3's first free core gets a helper.
TEST(Balanced, EachL3GroupHasAHelper) {
  const Plan plan = plan_on(machine("ccx_of_four"), "balanced", "helpers=4;workers=11");
  EXPECT_THAT(cpusets_of(plan, "comm_server"), ElementsAre("0-1"));
  EXPECT_THAT(cpusets_of(plan, "helper"), ElementsAre("2-3", "8-9", "16-17", "24-25"));
}

TEST(Hybrid, WorkersTakeTheFastCoresAndTheOthersSlowOnes) {
  const Plan plan = plan_on(machine("hybrid"), "hybrid", "workers=3");
  EXPECT_THAT(cpusets_of(plan, "comm_server"), ElementsAre("16"));
  EXPECT_THAT(cpusets_of(plan, "helper"), ElementsAre("18"));
  EXPECT_THAT(cpusets_of(plan, "worker"), ElementsAre("0-1", "8-9", "20"));
}

TEST(Hybrid, WithOneKindOfCoreItIsTopology) {
  const Machine& desktop = machine("desktop");
  EXPECT_EQ(cpusets_of(plan_on(desktop, "hybrid"), "worker"),
            cpusets_of(plan_on(desktop, "topology"), "worker"));
}

TEST(FewPlaces, OneCoreHoldsEveryRoleAndThePlanSaysSo) {
  const Plan plan = plan_on(machine("one_core"), "topology");
  for (const char* role : {"worker", "helper", "comm_server"})
    EXPECT_THAT(cpusets_of(plan, role), ElementsAre("0"));
  EXPECT_THAT(print(plan), HasSubstr("note     3 threads share 1 PUs"));
}

TEST(FewPlaces, OnTwoCoresHelperAndCommServerShareOne) {
  const Plan plan = plan_on(machine("two_cores"), "topology");
  EXPECT_THAT(cpusets_of(plan, "comm_server"), ElementsAre("0"));
  EXPECT_THAT(cpusets_of(plan, "helper"), ElementsAre("0"));
  EXPECT_THAT(cpusets_of(plan, "worker"), ElementsAre("1"));
}

// 10 threads on 6 PUs: comm_server and helper get 6 * 2 / 10 = 1 PU, the 8 workers 5.
TEST(FewPlaces, WorkersThatShareAreNeighbours) {
  const Plan plan = plan_on({"", "core:6 pu:1"}, "topology", "workers=8;helpers=1;comm_servers=1");
  EXPECT_THAT(cpusets_of(plan, "worker"), ElementsAre("1", "1", "2", "2", "3", "4", "4", "5"));
}

TEST(Threads, MoreThanCoresTakeAPuEach) {
  const Plan plan =
      plan_on(machine("one_core_two_threads"), "topology", "workers=1;helpers=0;comm_servers=1");
  EXPECT_THAT(cpusets_of(plan, "comm_server"), ElementsAre("0"));
  EXPECT_THAT(cpusets_of(plan, "worker"), ElementsAre("1"));
}

}  // namespace
