/// Machines that every policy is tested on, and owning wrappers of the library's handles.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "corewise/affinity.h"

struct Machine {
  const char* name;
  const char* description;  ///< hwloc's synthetic string, or a file below fixtures/
  const char* mask = "";    ///< a list of OS indices; empty: all
};

inline const std::vector<Machine> MACHINES = {
    {"one_core", "core:1 pu:1"},
    {"one_core_two_threads", "core:1 pu:2"},
    {"two_cores", "core:2 pu:1"},
    {"three_cores", "pack:1 [numa] l3:1 core:3 pu:1"},
    {"desktop", "pack:1 [numa] l3:1 core:8 pu:2"},
    {"smt_side_by_side", "pack:2 [numa] l3:1 core:4 pu:2"},
    {"smt_interleaved", "topologies/smt-interleaved.xml"},
    {"packages_interleaved", "pack:2 [numa] l3:1 core:8 pu:1(indexes=0,2,4,6,8,10,12,14,1,3,5,7,9,11,13,15)"},
    {"cpuset_holes", "topologies/cpuset-holes.xml"},
    {"ccx_of_four", "pack:1 [numa] l3:4 core:4 pu:2"},
    {"sub_numa_clusters", "pack:2 group:2 [numa] core:6 pu:2"},
    {"four_packages", "pack:4 [numa] l3:1 core:4 pu:1"},
    {"four_threads_a_core", "pack:2 [numa] core:4 pu:4"},
    {"no_package", "topologies/no-package.xml"},
    {"groups", "topologies/groups.xml"},
    {"two_memories", "topologies/two-memories.xml"},
    {"virtual_machine", "topologies/virtual-two-cores.xml"},
    {"hybrid_without_kinds", "topologies/hybrid.xml"},
    {"hybrid", "affinity/hybrid.xml"},
    {"offline", "affinity/offline.xml"},
    {"devcluster", "affinity/devcluster.xml"},
    {"devcluster_package_0", "affinity/devcluster.xml", "0-9"},
    {"deception", "affinity/deception.xml"},
    {"deception_package_1", "affinity/deception.xml", "32-63"},
    {"perlmutter", "affinity/perlmutter.xml"},
    {"perlmutter_numa_0", "affinity/perlmutter.xml", "0-15,128-143"},
    {"perlmutter_numa_5", "affinity/perlmutter.xml", "80-95,208-223"},
    {"two_cards", "affinity/two-cards.xml"},
    {"two_cards_package_1", "affinity/two-cards.xml", "8-15"},
    {"ethernet", "affinity/ethernet.xml"},
    {"virtual_devices", "affinity/virtual-devices.xml"},
    {"card_on_machine", "affinity/card-on-machine.xml"},
    {"mask_across_packages", "pack:2 [numa] l3:2 core:4 pu:2", "1,4-9,14,15,20-31"},
};

inline const Machine& machine(const std::string& name) {
  for (const Machine& candidate : MACHINES) {
    if (name == candidate.name) return candidate;
  }
  throw std::invalid_argument("no machine " + name);
}

/// Names of all policies, in the order of the register.
inline std::vector<std::string> policies() {
  std::vector<std::string> names;
  for (size_t i = 0; cw_policy_name(i) != nullptr; ++i) names.emplace_back(cw_policy_name(i));
  return names;
}

/// All policies in the form in which messages list them.
inline std::string policy_list() {
  std::string list;
  for (const std::string& name : policies()) list += (list.empty() ? "" : ", ") + name;
  return list;
}

/// Does the policy give each thread its own PU if there are enough? Not policies with a `bind` function.
inline bool has_places(const std::string& policy) {
  return policy != "default" && policy != "pin" && policy != "singlified";
}

struct BitmapFree {
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<std::remove_pointer_t<hwloc_bitmap_t>, BitmapFree>;

inline Bitmap bitmap(const std::string& list) {
  Bitmap made(hwloc_bitmap_alloc());
  hwloc_bitmap_list_sscanf(made.get(), list.c_str());
  return made;
}

inline std::string list_of(hwloc_const_bitmap_t set) {
  char* text = nullptr;
  hwloc_bitmap_list_asprintf(&text, set);
  std::string list = text;
  free(text);
  return list;
}

struct TopologyDestroy {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, TopologyDestroy>;

inline Topology load(const Machine& machine) {
  hwloc_topology_t raw = nullptr;
  hwloc_topology_init(&raw);
  hwloc_topology_set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  const std::string text = machine.description;
  if (text.ends_with(".xml"))
    hwloc_topology_set_xml(raw, (std::string(CW_FIXTURES) + "/" + text).c_str());
  else
    hwloc_topology_set_synthetic(raw, text.c_str());
  if (hwloc_topology_load(raw) != 0) throw std::runtime_error("cannot load " + text);
  return Topology(raw);
}

struct PlanDestroy {
  void operator()(cw_thread_plan_t* plan) const { cw_thread_plan_destroy(plan); }
};
using Plan = std::unique_ptr<cw_thread_plan_t, PlanDestroy>;

/// The options of a plan and the buffers that they point to.
struct Request {
  cw_thread_plan_options_t options;
  std::string text = std::string(400, '\0');
  Bitmap mask;

  Request() {
    cw_thread_plan_options_init(&options);
    options.message = text.data();
    options.message_size = text.size();
  }
  explicit Request(const std::string& mask_list) : Request() {
    if (mask_list.empty()) return;
    mask = bitmap(mask_list);
    options.mask = mask.get();
  }

  std::string message() const { return text.c_str(); }

  /// Creates the plan. Without `status`, a failure fails the test.
  Plan plan(cw_status_t* status = nullptr) {
    cw_thread_plan_t* made = nullptr;
    const cw_status_t answer = cw_thread_plan_create(&options, &made);
    if (status != nullptr) {
      *status = answer;
    } else {
      EXPECT_EQ(answer, CW_OK) << message();
    }
    return Plan(made);
  }
};

inline Plan plan_on(const Machine& machine, const char* policy, const char* overrides = nullptr) {
  const Topology topology = load(machine);
  Request request(machine.mask);
  request.options.topology = topology.get();
  request.options.policy = policy;
  request.options.overrides = overrides;
  return request.plan();
}

inline std::string cpuset_of(const Plan& plan, size_t thread) {
  hwloc_const_bitmap_t cpuset = nullptr;
  EXPECT_EQ(cw_thread_plan_cpuset(plan.get(), thread, &cpuset), CW_OK);
  return list_of(cpuset);
}

inline std::vector<std::string> cpusets_of(const Plan& plan, const char* role) {
  size_t count = 0;
  EXPECT_EQ(cw_thread_plan_count(plan.get(), role, &count), CW_OK);
  std::vector<std::string> found;
  for (size_t index = 0; index < count; ++index) {
    size_t thread = 0;
    EXPECT_EQ(cw_thread_plan_find(plan.get(), role, index, &thread), CW_OK);
    found.push_back(cpuset_of(plan, thread));
  }
  return found;
}

inline std::string print(const Plan& plan, cw_format_t format = CW_FORMAT_TEXT) {
  size_t needed = 0;
  EXPECT_EQ(cw_thread_plan_print(plan.get(), format, nullptr, 0, &needed), CW_OK);
  std::string text(needed + 1, '\0');
  EXPECT_EQ(cw_thread_plan_print(plan.get(), format, text.data(), text.size(), nullptr), CW_OK);
  text.resize(needed);
  return text;
}

/// Threads have PUs of the mask only. With policies that have places, they share none if there are enough.
inline void check_promises(const Plan& plan, const std::string& policy, const Bitmap& mask) {
  const size_t n_threads = cw_thread_plan_size(plan.get());
  const bool disjoint =
      has_places(policy) && n_threads <= static_cast<size_t>(hwloc_bitmap_weight(mask.get()));
  const Bitmap seen = bitmap("");
  for (size_t thread = 0; thread < n_threads; ++thread) {
    const Bitmap cpuset = bitmap(cpuset_of(plan, thread));
    EXPECT_FALSE(hwloc_bitmap_iszero(cpuset.get())) << print(plan);
    EXPECT_TRUE(hwloc_bitmap_isincluded(cpuset.get(), mask.get())) << print(plan);
    EXPECT_FALSE(disjoint && hwloc_bitmap_intersects(cpuset.get(), seen.get())) << print(plan);
    hwloc_bitmap_or(seen.get(), seen.get(), cpuset.get());
  }
}
