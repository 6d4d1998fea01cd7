/// Topology readers on hwloc: the only file of the core that includes it. Cores and PUs come in logical
/// (tree) order; OS indices are carried along and never used as positions.
#include <hwloc.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "corewise/error.hpp"
#include "corewise/topology.hpp"
#include "text.hpp"

namespace corewise {
namespace {

template <auto Release>
struct Releaser {
  template <typename Pointee>
  void operator()(Pointee* pointee) const {
    Release(pointee);
  }
};
using Topology = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, Releaser<hwloc_topology_destroy>>;
using Bitmap = std::unique_ptr<std::remove_pointer_t<hwloc_bitmap_t>, Releaser<hwloc_bitmap_free>>;

Topology new_topology() {
  hwloc_topology_t raw_topology = nullptr;
  if (hwloc_topology_init(&raw_topology) != 0)
    throw Error(ErrorCode::missing, "hwloc could not start: out of memory?");
  hwloc_topology_set_icache_types_filter(raw_topology, HWLOC_TYPE_FILTER_KEEP_NONE);
  return Topology(raw_topology);
}

/// The object that stands for the core of `pu`: itself where hwloc knows no cores.
hwloc_obj_t core_of(hwloc_obj_t pu) {
  for (hwloc_obj_t object = pu; object != nullptr; object = object->parent) {
    if (object->type == HWLOC_OBJ_CORE) return object;
  }
  return pu;
}

hwloc_obj_t ancestor_at_depth(hwloc_obj_t object, int depth) {
  while (object != nullptr && object->depth > depth) object = object->parent;
  return object != nullptr && object->depth == depth ? object : nullptr;
}

/// The nearest object around the core that memory hangs on: its NUMA domain, whatever kinds of memory it has.
hwloc_obj_t memory_holder(hwloc_obj_t core) {
  while (core->parent != nullptr && core->memory_arity == 0) core = core->parent;
  return core;
}

std::string level_name(hwloc_obj_type_t type) {
  switch (type) {
    case HWLOC_OBJ_MACHINE:
      return "node";
    case HWLOC_OBJ_PACKAGE:
      return "package";
    case HWLOC_OBJ_GROUP:
      return "group";
    case HWLOC_OBJ_L1CACHE:
      return "l1d";
    default: {
      std::string name = hwloc_obj_type_string(type);  // "L3Cache", "Die"
      if (hwloc_obj_type_is_cache(type)) name.resize(name.size() - std::strlen("Cache"));
      for (char& letter : name) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
      return name;
    }
  }
}

/// Builds a NodeShape bottom-up from a loaded topology.
class ShapeReader {
 public:
  explicit ShapeReader(hwloc_topology_t topology) : topology_(topology) {}

  NodeShape read() {
    add_cores();
    const int deepest_memory = deepest_memory_depth();
    for (int depth = deepest_core_depth() - 1; depth >= 0; --depth) {
      add_level(unique_name(level_name(hwloc_get_depth_type(topology_, depth))),
                [depth](hwloc_obj_t core) { return ancestor_at_depth(core, depth); });
      if (depth > 0 && depth == deepest_memory)
        add_level("numa", memory_holder);  // depth 0: the node is the domain
    }
    if (shape_.level_names.empty()) add_level("node", [](hwloc_obj_t /*core*/) { return nullptr; });
    return std::move(shape_);
  }

 private:
  void add_cores() {
    std::int32_t logical = 0;
    for (hwloc_obj_t pu = nullptr;
         (pu = hwloc_get_next_obj_by_type(topology_, HWLOC_OBJ_PU, pu)) != nullptr;) {
      const hwloc_obj_t core = core_of(pu);
      if (cores_.empty() || cores_.back() != core) {
        cores_.push_back(core);
        shape_.pus.emplace_back();
      }
      shape_.pus.back().push_back({PuIndex{logical++}, OsIndex{static_cast<std::int32_t>(pu->os_index)}});
    }
    below_.resize(cores_.size());
    for (std::size_t core = 0; core < cores_.size(); ++core) below_[core] = static_cast<std::int32_t>(core);
  }

  [[nodiscard]] int deepest_core_depth() const {
    int depth = 0;
    for (const hwloc_obj_t core : cores_) depth = std::max(depth, core->depth);
    return depth;
  }

  [[nodiscard]] int deepest_memory_depth() const {
    int depth = 0;
    for (const hwloc_obj_t core : cores_) depth = std::max(depth, memory_holder(core)->depth);
    return depth;
  }

  /// One more level: neighbouring cores with the same object are together; a core without one stays as it was
  /// below.
  void add_level(std::string name, const std::function<hwloc_obj_t(hwloc_obj_t)>& object_of) {
    std::vector<std::int32_t> group(cores_.size(), 0);
    for (std::size_t core = 1; core < cores_.size(); ++core) {
      const hwloc_obj_t object = object_of(cores_[core]);
      const bool together =
          below_[core] == below_[core - 1] || (object != nullptr && object == object_of(cores_[core - 1]));
      group[core] = group[core - 1] + (together ? 0 : 1);
    }
    below_ = group;
    shape_.level_names.push_back(std::move(name));
    shape_.group.push_back(std::move(group));
  }

  /// hwloc may have several levels of groups: "group", then "group2" above it.
  [[nodiscard]] std::string unique_name(const std::string& name) const {
    const auto taken = [&](const std::string& wanted) {
      return std::find(shape_.level_names.begin(), shape_.level_names.end(), wanted) !=
             shape_.level_names.end();
    };
    std::string unique = name;
    for (int number = 2; taken(unique); ++number) unique = concat(name, number);
    return unique;
  }

  hwloc_topology_t topology_;
  std::vector<hwloc_obj_t> cores_;
  std::vector<std::int32_t> below_;  ///< [core] object of the level added last
  NodeShape shape_;
};

}  // namespace

NodeShape read_local_topology() {
  const Topology topology = new_topology();
  if (hwloc_topology_load(topology.get()) != 0) {
    throw Error(ErrorCode::missing, concat("hwloc can't read this machine's topology (", std::strerror(errno),
                                           "); give a machine with --machine instead"));
  }
  const Bitmap allowed(hwloc_bitmap_alloc());  // hwloc itself heeds the cgroup, not an inherited affinity
  if (hwloc_get_cpubind(topology.get(), allowed.get(), HWLOC_CPUBIND_PROCESS) == 0 &&
      hwloc_topology_restrict(topology.get(), allowed.get(), 0) != 0) {
    throw Error(ErrorCode::missing,
                "none of the cores that this process may use is in hwloc's topology; run outside the cpuset");
  }
  return ShapeReader(topology.get()).read();
}

NodeShape read_topology_xml(const std::string& path) {
  if (!std::ifstream(path).good())
    throw Error(ErrorCode::bad_input, concat(path, ": can't be read; expected hwloc XML"));
  const Topology topology = new_topology();
  if (hwloc_topology_set_xml(topology.get(), path.c_str()) != 0 || hwloc_topology_load(topology.get()) != 0) {
    throw Error(ErrorCode::bad_input,
                concat(path, ": not hwloc XML; expected a file written by `lstopo FILE.xml`"));
  }
  return ShapeReader(topology.get()).read();
}

NodeShape read_topology_synthetic(const std::string& description) {
  const Topology topology = new_topology();
  if (hwloc_topology_set_synthetic(topology.get(), description.c_str()) != 0 ||
      hwloc_topology_load(topology.get()) != 0) {
    throw Error(ErrorCode::bad_input, concat("hwloc doesn't understand the synthetic string '", description,
                                             "'; expected something like 'pack:2 l2:2 core:2 pu:1'"));
  }
  return ShapeReader(topology.get()).read();
}

}  // namespace corewise
