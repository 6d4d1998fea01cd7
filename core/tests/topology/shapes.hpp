/// Small node shapes and machine descriptions that the tests share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "corewise/machine.hpp"
#include "refusal.hpp"

namespace corewise::testing {

/// @param os_pus  [core] OS indices of its PUs. Logical indices are counted core by core.
inline NodeShape shape(std::vector<std::string> names, std::vector<std::vector<std::int32_t>> group,
                       const std::vector<std::vector<std::int32_t>>& os_pus) {
  NodeShape result{std::move(names), std::move(group), {}, {}};
  std::int32_t logical = 0;
  for (const std::vector<std::int32_t>& of_core : os_pus) {
    std::vector<Pu>& pus = result.pus.emplace_back();
    for (const std::int32_t os : of_core) pus.push_back({PuIndex{logical++}, OsIndex{os}});
  }
  return result;
}

/// A node of Draco: two packages with two shared L2 caches each, two cores per L2, one L1 cache per core.
///   node( package( l2(0 1) l2(2 3) ) package( l2(4 5) l2(6 7) ) )
inline NodeShape draco_node() {
  return shape({"l1d", "l2", "package", "node"},
               {{0, 1, 2, 3, 4, 5, 6, 7},
                {0, 0, 1, 1, 2, 2, 3, 3},
                {0, 0, 0, 0, 1, 1, 1, 1},
                {0, 0, 0, 0, 0, 0, 0, 0}},
               {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}});
}

/// node( package(0 1) package(2 3) )
inline NodeShape two_by_two() {
  return shape({"package", "node"}, {{0, 0, 1, 1}, {0, 0, 0, 0}}, {{0}, {1}, {2}, {3}});
}

/// node(0)
inline NodeShape one_core() { return shape({"node"}, {{0}}, {{0}}); }

inline MachineDescription of_nodes(std::vector<NodeShape> shapes, std::vector<std::int32_t> shape_of_node) {
  MachineDescription description;
  description.name = "test";
  description.shapes = std::move(shapes);
  description.shape_of_node = std::move(shape_of_node);
  return description;
}

inline std::vector<std::string> level_names(const Machine& machine) {
  std::vector<std::string> names;
  for (const Level& level : machine.levels()) names.push_back(level.name);
  return names;
}

inline int meet(const Machine& machine, std::int32_t a, std::int32_t b) {
  return machine.meeting_level(CoreIndex{a}, CoreIndex{b});
}

inline std::vector<std::int32_t> os_of(const Machine& machine, std::int32_t core) {
  std::vector<std::int32_t> os;
  for (const Pu& pu : machine.pus(CoreIndex{core})) os.push_back(raw(pu.os.value()));
  return os;
}

inline std::string message_of(const MachineDescription& description) {
  return refusal_of([&] { (void)make_machine(description); });
}

}  // namespace corewise::testing
