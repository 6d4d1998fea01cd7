/// Properties of every policy on random machines, masks and thread counts.
#include <gtest/gtest.h>

#include <random>

#include "fixtures.hpp"

namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  unsigned from(unsigned least, unsigned most) { return least + engine_() % (most - least + 1); }

  /// A synthetic description for hwloc; groups and L3 caches are present at random.
  std::string machine() {
    std::string text = "pack:" + std::to_string(from(1, 3)) + " [numa]";
    if (from(0, 1) == 1) text += " group:" + std::to_string(from(1, 3));
    if (from(0, 1) == 1) text += " l3:" + std::to_string(from(1, 3));
    return text + " core:" + std::to_string(from(1, 5)) + " pu:" + std::to_string(from(1, 2));
  }

  /// A random subset of the PUs, never empty.
  Bitmap mask(hwloc_const_bitmap_t all) {
    Bitmap chosen(hwloc_bitmap_alloc());
    const unsigned one_of = from(1, 3);
    for (int pu = hwloc_bitmap_first(all); pu >= 0; pu = hwloc_bitmap_next(all, pu)) {
      if (from(1, one_of) == 1) hwloc_bitmap_set(chosen.get(), static_cast<unsigned>(pu));
    }
    if (hwloc_bitmap_iszero(chosen.get()))
      hwloc_bitmap_set(chosen.get(), static_cast<unsigned>(hwloc_bitmap_first(all)));
    return chosen;
  }

 private:
  std::mt19937 engine_;
};

TEST(RandomMachines, EveryPolicyKeepsItsPromises) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    Random random(seed);
    const std::string description = random.machine();
    const Topology topology = load({"", description.c_str()});
    const Bitmap mask = random.mask(hwloc_topology_get_allowed_cpuset(topology.get()));
    std::string overrides;
    for (const char* role : {"workers=", "helpers=", "comm_servers="}) {
      if (random.from(0, 2) > 0) overrides += role + std::to_string(random.from(0, 9)) + ";";
    }
    for (const std::string& policy : policies()) {
      if (policy == "pin") continue;  // ignores the mask, as documented
      SCOPED_TRACE(description + " " + policy + " " + overrides + list_of(mask.get()));
      Request request;
      request.options.topology = topology.get();
      request.options.mask = mask.get();
      request.options.policy = policy.c_str();
      request.options.overrides = overrides.c_str();
      check_promises(request.plan(), policy, mask);
    }
  }
}

/// If a node has at least as many cores as ranks, the parts of the ranks are disjoint and cover the mask.
TEST(RandomMachines, PartsOfAMaskAreDisjointAndFillIt) {
  for (unsigned seed = 1000; seed < 1100; ++seed) {
    Random random(seed);
    const std::string description = random.machine();
    const Topology topology = load({"", description.c_str()});
    const Bitmap mask = random.mask(hwloc_topology_get_allowed_cpuset(topology.get()));
    const Bitmap one_a_core(hwloc_bitmap_dup(mask.get()));
    hwloc_bitmap_singlify_per_core(topology.get(), one_a_core.get(), 0);
    const unsigned n_ranks = random.from(1, static_cast<unsigned>(hwloc_bitmap_weight(one_a_core.get())));
    const Bitmap seen = bitmap("");
    for (unsigned rank = 0; rank < n_ranks; ++rank) {
      Request request;
      request.options.topology = topology.get();
      request.options.mask = mask.get();
      request.options.policy = "default";
      request.options.local_rank = rank;
      request.options.local_size = n_ranks;
      const Bitmap part = bitmap(cpuset_of(request.plan(), 0));
      EXPECT_FALSE(hwloc_bitmap_intersects(part.get(), seen.get())) << description;
      hwloc_bitmap_or(seen.get(), seen.get(), part.get());
    }
    EXPECT_TRUE(hwloc_bitmap_isequal(seen.get(), mask.get())) << description;
  }
}

}  // namespace
