/// Topology readers on hwloc. In the core, only this file and hwloc_devices.cpp include hwloc. Cores and PUs
/// are numbered in logical (tree) order; OS indices are data, and no array is indexed by them.
#include <corewise_node/amd_gpus.h>
#include <hwloc.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <type_traits>
#include <utility>

#include "corewise/error.hpp"
#include "corewise/node_cpus.hpp"
#include "corewise/topology.hpp"
#include "text.hpp"
#include "topology/hwloc_devices.hpp"

namespace corewise {

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

/// Disables hwloc plugins that are not needed to find devices: the GPU plugins would start drivers, and
/// plugin "pci" leaks memory (libpciaccess). hwloc's Linux backend finds PCI devices without them.
void disable_plugins(hwloc_topology_t topology) {
  for (const char* plugin : {"cuda", "gl", "levelzero", "nvml", "opencl", "pci", "rsmi"})
    hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, plugin);
}

Topology new_topology() {
  hwloc_topology_t raw_topology = nullptr;
  if (hwloc_topology_init(&raw_topology) != 0)
    throw Error(ErrorCode::missing, "hwloc could not start: out of memory?");
  disable_plugins(raw_topology);
  hwloc_topology_set_icache_types_filter(raw_topology, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_io_types_filter(raw_topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  return Topology(raw_topology);
}

void load_local(const Topology& topology) {
  if (hwloc_topology_load(topology.get()) != 0) {
    throw Error(ErrorCode::missing, concat("hwloc can't read this machine's topology (", std::strerror(errno),
                                           "); name a machine instead (option machine)"));
  }
  cw_node_add_amd_gpus(topology.get(), CW_AMD_GPU_NODES);
}

void load_xml(const Topology& topology, const std::string& xml, const std::string& name) {
  const int size = static_cast<int>(xml.size()) + 1;  // hwloc counts the final zero
  if (hwloc_topology_set_xmlbuffer(topology.get(), xml.c_str(), size) != 0 ||
      hwloc_topology_load(topology.get()) != 0) {
    throw Error(ErrorCode::bad_input,
                concat(name, ": not hwloc XML; expected a file written by `lstopo FILE.xml`"));
  }
}

/// The core of `pu`; the PU itself if hwloc found no cores.
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

/// The smallest object that contains the core and has memory attached: the core's NUMA domain. nullptr if no
/// memory is local to the core, for example on a die without memory.
hwloc_obj_t memory_holder(hwloc_obj_t core) {
  hwloc_obj_t holder = core;
  while (holder != nullptr && holder->memory_arity == 0) holder = holder->parent;
  return holder;
}

/// Builds a NodeShape bottom-up from a loaded topology.
class ShapeReader {
 public:
  explicit ShapeReader(hwloc_topology_t topology) : topology_(topology) {}

  NodeShape read() {
    add_cores();
    const int deepest_memory = deepest_memory_depth();
    for (int depth = deepest_core_depth() - 1; depth >= 0; --depth) {
      const auto object_of = [depth](hwloc_obj_t core) { return ancestor_at_depth(core, depth); };
      add_level(unique_name(level_name(hwloc_get_depth_type(topology_, depth))), object_of, object_of);
      if (depth > 0 && depth == deepest_memory) add_domains(depth);  // depth 0: the node is the domain
    }
    if (shape_.level_names.empty()) {
      const auto none = [](hwloc_obj_t /*core*/) { return nullptr; };
      add_level("node", none, none);
      shape_.n_objects.back() = shape_.group.back().back() + 1;  // each core is a node
    }
    shape_.devices = devices_of(topology_, cores_);
    shape_.n_memory_nodes = std::max(0, hwloc_get_nbobjs_by_type(topology_, HWLOC_OBJ_NUMANODE));
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
    for (const hwloc_obj_t core : cores_) {
      if (const hwloc_obj_t holder = memory_holder(core)) depth = std::max(depth, holder->depth);
    }
    return depth;
  }

  using ObjectOf = std::function<hwloc_obj_t(hwloc_obj_t)>;

  /// Adds the level of NUMA domains above the objects of `depth`, the deepest with memory. If a core's memory
  /// is attached to the parent of its object of `depth`, the core is in the parent's domain. If the memory is
  /// attached higher, or nowhere, the object of `depth` is a group of this level, but no NUMA domain.
  void add_domains(int depth) {
    const auto part_of = [depth](hwloc_obj_t core) {
      const hwloc_obj_t holder = memory_holder(core);
      return holder != nullptr && holder->depth >= depth - 1 ? holder : ancestor_at_depth(core, depth);
    };
    add_level("numa", part_of, memory_holder);
  }

  /// Adds a level. Consecutive cores are in one group if `part_of` returns the same object for both. A core
  /// for which it returns nullptr keeps its group of the level below. n_objects is the number of different
  /// objects that `object_of` returns.
  void add_level(std::string name, const ObjectOf& part_of, const ObjectOf& object_of) {
    std::vector<std::int32_t> group(cores_.size(), 0);
    std::set<hwloc_obj_t> objects;
    for (std::size_t core = 0; core < cores_.size(); ++core) {
      if (const hwloc_obj_t object = object_of(cores_[core])) objects.insert(object);
      if (core == 0) continue;
      const hwloc_obj_t part = part_of(cores_[core]);
      const bool together =
          below_[core] == below_[core - 1] || (part != nullptr && part == part_of(cores_[core - 1]));
      group[core] = group[core - 1] + (together ? 0 : 1);
    }
    below_ = group;
    shape_.level_names.push_back(std::move(name));
    shape_.group.push_back(std::move(group));
    shape_.n_objects.push_back(static_cast<std::int32_t>(objects.size()));
  }

  /// Numbers equal names, because hwloc may have several levels of groups: "group", then "group2" above it.
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

std::vector<OsIndex> indices_of(hwloc_const_bitmap_t set) {
  std::vector<OsIndex> indices;
  for (int pu = hwloc_bitmap_first(set); pu != -1; pu = hwloc_bitmap_next(set, pu))
    indices.push_back(OsIndex{pu});
  return indices;
}

/// The system's name of a kind of cores. Kinds that differ only in turbo frequency have no name.
std::string core_kind_name(const hwloc_info_s* infos, unsigned n_infos) {
  for (unsigned i = 0; i < n_infos; ++i) {
    if (std::strcmp(infos[i].name, "CoreType") == 0) return infos[i].value;
    if (std::strcmp(infos[i].name, "LinuxCapacity") == 0) return concat("capacity ", infos[i].value);
  }
  return "";
}

/// hwloc's kinds of cores, slowest first. Kinds with the same name are merged.
std::vector<CoreKind> core_kinds_of(hwloc_topology_t topology) {
  std::vector<CoreKind> kinds;
  const Bitmap pus(hwloc_bitmap_alloc());
  const int n_kinds = hwloc_cpukinds_get_nr(topology, 0);
  for (int number = 0; number < n_kinds; ++number) {
    unsigned n_infos = 0;
    hwloc_info_s* infos = nullptr;
    if (hwloc_cpukinds_get_info(topology, number, pus.get(), nullptr, &n_infos, &infos, 0) != 0) continue;
    const std::string name = core_kind_name(infos, n_infos);
    auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const CoreKind& k) { return k.name == name; });
    if (kind == kinds.end()) kind = kinds.insert(kinds.end(), {name, {}});
    for (const OsIndex pu : indices_of(pus.get())) kind->os_pus.push_back(pu);
    std::sort(kind->os_pus.begin(), kind->os_pus.end());
  }
  if (kinds.size() < 2) kinds.clear();
  return kinds;
}

NodeCpus cpus_of(hwloc_topology_t topology) {
  NodeCpus cpus;
  hwloc_obj_t last_core = nullptr;
  for (hwloc_obj_t pu = nullptr; (pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu)) != nullptr;) {
    const hwloc_obj_t core = core_of(pu);
    if (core != last_core) cpus.cores.emplace_back();
    cpus.cores.back().push_back(OsIndex{static_cast<std::int32_t>(pu->os_index)});
    last_core = core;
  }
  cpus.allowed = indices_of(hwloc_topology_get_allowed_cpuset(topology));
  const Bitmap offline(hwloc_bitmap_alloc());
  hwloc_bitmap_andnot(offline.get(), hwloc_topology_get_complete_cpuset(topology),
                      hwloc_topology_get_topology_cpuset(topology));
  cpus.offline = indices_of(offline.get());
  cpus.core_kinds = core_kinds_of(topology);
  return cpus;
}

Topology with_disallowed() {
  Topology topology = new_topology();
  hwloc_topology_set_flags(topology.get(), HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  return topology;
}

}  // namespace

NodeShape read_local_topology() {
  const Topology topology = new_topology();
  load_local(topology);
  const Bitmap allowed(hwloc_bitmap_alloc());  // hwloc applies the cgroup by itself, but not the CPU affinity
  if (hwloc_get_cpubind(topology.get(), allowed.get(), HWLOC_CPUBIND_PROCESS) == 0 &&
      hwloc_topology_restrict(topology.get(), allowed.get(), 0) != 0) {
    throw Error(ErrorCode::missing,
                "none of the cores that this process may use is in hwloc's topology; run outside the cpuset");
  }
  return ShapeReader(topology.get()).read();
}

NodeShape read_topology_xml(const std::string& xml, const std::string& name) {
  const Topology topology = new_topology();
  load_xml(topology, xml, name);
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

NodeCpus read_local_cpus() {
  const Topology topology = with_disallowed();
  load_local(topology);
  return cpus_of(topology.get());
}

NodeCpus read_cpus_xml(const std::string& xml, const std::string& name) {
  const Topology topology = with_disallowed();
  load_xml(topology, xml, name);
  return cpus_of(topology.get());
}

}  // namespace corewise
