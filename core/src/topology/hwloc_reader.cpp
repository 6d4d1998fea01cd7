/// Topology readers on hwloc: the only file of the core that includes it. Cores and PUs come in logical
/// (tree) order; OS indices are carried along and never used as positions.
#include <hwloc.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "corewise/error.hpp"
#include "corewise/node_cpus.hpp"
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

/// hwloc's plugins for GPUs would start their drivers, and libpciaccess never frees its memory; Linux lists
/// PCI devices in files.
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
                                           "); give a machine with --machine instead"));
  }
}

void load_xml(const Topology& topology, const std::string& path) {
  if (!std::ifstream(path).good())
    throw Error(ErrorCode::bad_input, concat(path, ": can't be read; expected hwloc XML"));
  if (hwloc_topology_set_xml(topology.get(), path.c_str()) != 0 || hwloc_topology_load(topology.get()) != 0) {
    throw Error(ErrorCode::bad_input,
                concat(path, ": not hwloc XML; expected a file written by `lstopo FILE.xml`"));
  }
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

/// Makers of GPUs (PCI's numbers): AMD, NVIDIA, Intel. Other display controllers serve a node's console.
constexpr std::array<std::uint16_t, 3> kGpuVendors{0x1002, 0x10de, 0x8086};
/// Of those makers the chips for a server's console: ATI's Rage XL and ES1000 (pci.ids of 2024).
constexpr std::array<std::uint16_t, 3> kConsoles{0x4752, 0x515e, 0x5969};
constexpr unsigned kNetwork = 0x02, kDisplay = 0x03, kAccelerator = 0x12;  // PCI's base classes
constexpr unsigned kInfiniBand = 0x0c06;  // the class of older InfiniBand cards
constexpr const char* kActive = "4";      // the state of a port in use (IBTA)
constexpr int kMostPorts = 2;

using PciAttributes = decltype(hwloc_obj_attr_u::pcidev);

std::optional<Device::Kind> kind_of(const PciAttributes& pci) {
  const unsigned base_class = pci.class_id >> 8U;
  const bool from_gpu_maker =
      std::find(kGpuVendors.begin(), kGpuVendors.end(), pci.vendor_id) != kGpuVendors.end();
  const bool console = std::find(kConsoles.begin(), kConsoles.end(), pci.device_id) != kConsoles.end();
  if ((base_class == kDisplay || base_class == kAccelerator) && from_gpu_maker && !console)
    return Device::Kind::gpu;
  if (base_class == kNetwork || pci.class_id == kInfiniBand) return Device::Kind::nic;
  return std::nullopt;
}

std::int32_t first_active_port(hwloc_obj_t fabric) {
  for (int port = 1; port <= kMostPorts; ++port) {
    const char* state = hwloc_obj_get_info_by_name(fabric, concat("Port", port, "State").c_str());
    if (state != nullptr && std::strcmp(state, kActive) == 0) return port;
  }
  return 1;
}

/// Takes the names of the operating system's devices on a PCI device.
void add_names(hwloc_obj_t pci, Device& device) {
  for (hwloc_obj_t child = pci->io_first_child; child != nullptr; child = child->next_sibling) {
    if (child->type != HWLOC_OBJ_OS_DEVICE || child->name == nullptr) continue;
    device.names.emplace_back(child->name);
    if (child->attr->osdev.type == HWLOC_OBJ_OSDEV_OPENFABRICS && device.fabric_name.empty()) {
      device.fabric_name = child->name;
      device.fabric_port = first_active_port(child);
    }
  }
}

/// Where a PCI device hangs: `cores` are all those of the node, in logical order.
void add_place(hwloc_obj_t around, const std::vector<hwloc_obj_t>& cores, Device& device) {
  device.attached_to = level_name(around->type);
  if (around->parent != nullptr) device.attached_to += concat(" ", around->logical_index);
  for (std::size_t core = 0; core < cores.size(); ++core) {
    if (hwloc_bitmap_intersects(cores[core]->cpuset, around->cpuset) != 0)
      device.cores.push_back(static_cast<std::int32_t>(core));
  }
  for (int domain = hwloc_bitmap_first(around->nodeset); domain != -1;
       domain = hwloc_bitmap_next(around->nodeset, domain)) {
    device.numa_domains.push_back(domain);
  }
}

/// GPUs, then network cards that the system knows by a name; each kind by PCI bus. Devices on no bus are
/// virtual and don't count.
std::vector<Device> devices_of(hwloc_topology_t topology, const std::vector<hwloc_obj_t>& cores) {
  std::vector<Device> devices;
  for (hwloc_obj_t pci = nullptr; (pci = hwloc_get_next_pcidev(topology, pci)) != nullptr;) {
    const PciAttributes& attributes = pci->attr->pcidev;
    const std::optional<Device::Kind> kind = kind_of(attributes);
    if (!kind) continue;
    Device device;
    device.kind = *kind;
    std::array<char, 32> bus_id{};
    std::snprintf(bus_id.data(), bus_id.size(), "%04x:%02x:%02x.%01x", attributes.domain, attributes.bus,
                  attributes.dev, attributes.func);
    device.bus_id = bus_id.data();
    device.vendor_id = attributes.vendor_id;
    add_names(pci, device);
    if (device.kind == Device::Kind::nic && device.names.empty()) continue;
    add_place(hwloc_get_non_io_ancestor_obj(topology, pci), cores, device);
    devices.push_back(std::move(device));
  }
  std::sort(devices.begin(), devices.end(), [](const Device& a, const Device& b) {
    return std::pair(a.kind, a.bus_id) < std::pair(b.kind, b.bus_id);
  });
  return devices;
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
    shape_.devices = devices_of(topology_, cores_);
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

std::vector<OsIndex> indices_of(hwloc_const_bitmap_t set) {
  std::vector<OsIndex> indices;
  for (int pu = hwloc_bitmap_first(set); pu != -1; pu = hwloc_bitmap_next(set, pu))
    indices.push_back(OsIndex{pu});
  return indices;
}

/// What the system calls the cores of a kind. Kinds that differ in their clock alone have no name: cores with
/// a higher turbo frequency are no other cores.
std::string core_kind_name(const hwloc_info_s* infos, unsigned n_infos) {
  for (unsigned i = 0; i < n_infos; ++i) {
    if (std::strcmp(infos[i].name, "CoreType") == 0) return infos[i].value;
    if (std::strcmp(infos[i].name, "LinuxCapacity") == 0) return concat("capacity ", infos[i].value);
  }
  return "";
}

/// hwloc's kinds of cores, slowest first; those of one name are one.
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
  const Bitmap allowed(hwloc_bitmap_alloc());  // hwloc itself heeds the cgroup, not an inherited affinity
  if (hwloc_get_cpubind(topology.get(), allowed.get(), HWLOC_CPUBIND_PROCESS) == 0 &&
      hwloc_topology_restrict(topology.get(), allowed.get(), 0) != 0) {
    throw Error(ErrorCode::missing,
                "none of the cores that this process may use is in hwloc's topology; run outside the cpuset");
  }
  return ShapeReader(topology.get()).read();
}

NodeShape read_topology_xml(const std::string& path) {
  const Topology topology = new_topology();
  load_xml(topology, path);
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

NodeCpus read_cpus_xml(const std::string& path) {
  const Topology topology = with_disallowed();
  load_xml(topology, path);
  return cpus_of(topology.get());
}

}  // namespace corewise
