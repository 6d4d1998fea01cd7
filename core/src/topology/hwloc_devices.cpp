/// Finds GPUs and network cards in an hwloc topology, with the parts of divided GPUs and the type of network.
#include "topology/hwloc_devices.hpp"

#include <corewise_node/amd_gpus.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>

#include "text.hpp"

namespace corewise {
namespace {

/// PCI vendors of GPUs: AMD, NVIDIA, Intel. Other vendors' display controllers only drive a server's console.
constexpr std::array<std::uint16_t, 3> kGpuVendors{0x1002, 0x10de, 0x8086};
/// Console chips of these vendors: ATI's Rage XL and ES1000 (pci.ids of 2024).
constexpr std::array<std::uint16_t, 3> kConsoles{0x4752, 0x515e, 0x5969};
constexpr unsigned kNetwork = 0x02, kDisplay = 0x03, kAccelerator = 0x12;            // PCI base classes
constexpr unsigned kInfiniBand = 0x0207, kOldInfiniBand = 0x0c06, kFabric = 0x0208;  // PCI classes
constexpr const char* kActive = "4";  // port state "active" (InfiniBand specification)
constexpr int kMostPorts = 2;

using PciAttributes = decltype(hwloc_obj_attr_u::pcidev);

std::optional<Device::Kind> kind_of(const PciAttributes& pci) {
  const unsigned base_class = pci.class_id >> 8U;
  const bool from_gpu_maker =
      std::find(kGpuVendors.begin(), kGpuVendors.end(), pci.vendor_id) != kGpuVendors.end();
  const bool console = std::find(kConsoles.begin(), kConsoles.end(), pci.device_id) != kConsoles.end();
  if ((base_class == kDisplay || base_class == kAccelerator) && from_gpu_maker && !console)
    return Device::Kind::gpu;
  if (base_class == kNetwork || pci.class_id == kOldInfiniBand) return Device::Kind::nic;
  return std::nullopt;
}

/// Name of a network other than plain Ethernet: by the card's vendor, else by its PCI class (pci.ids). An
/// Ethernet card with an OpenFabrics device supports RoCE (or iWARP).
std::string fabric_of(const PciAttributes& pci, bool in_openfabrics) {
  if (pci.vendor_id == 0x17db) return "Slingshot";
  if (pci.vendor_id == 0x119f) return "BXI";
  if (pci.vendor_id == 0x1d0f && (pci.device_id & 0xfff0U) == 0xefa0) return "EFA";
  if (pci.class_id == kFabric) return "Omni-Path";
  if (pci.class_id == kInfiniBand || pci.class_id == kOldInfiniBand) return "InfiniBand";
  if (!in_openfabrics) return "";
  return pci.vendor_id == 0x1137 ? "usNIC" : "RoCE";
}

/// Sets the first active port of an OpenFabrics device, and is_up.
void add_ports(hwloc_obj_t fabric, Device& device) {
  bool known = false;
  for (int port = 1; port <= kMostPorts; ++port) {
    const char* state = hwloc_obj_get_info_by_name(fabric, concat("Port", port, "State").c_str());
    if (state == nullptr) continue;
    known = true;
    if (std::strcmp(state, kActive) != 0) continue;
    device.fabric_port = port;
    return;
  }
  device.is_up = !known;
}

void add_fabric(const PciAttributes& pci, const std::vector<hwloc_obj_t>& on_card, Device& device) {
  for (const hwloc_obj_t found : on_card) {
    if (found->attr->osdev.type != HWLOC_OBJ_OSDEV_OPENFABRICS || !device.fabric_name.empty()) continue;
    device.fabric_name = found->name;
    add_ports(found, device);
  }
  device.fabric = fabric_of(pci, !device.fabric_name.empty());
}

/// Collects all operating system devices below `parent`, depth first.
void add_system_devices(hwloc_obj_t parent, std::vector<hwloc_obj_t>& found) {
  for (hwloc_obj_t child = parent->io_first_child; child != nullptr; child = child->next_sibling) {
    if (child->type != HWLOC_OBJ_OS_DEVICE || child->name == nullptr) continue;
    found.push_back(child);
    add_system_devices(child, found);
  }
}

/// Number N of a name of the form `prefix`N or `prefix`M.N; -1 for other names.
std::int32_t number_in(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return -1;
  name.remove_prefix(prefix.size());
  if (const std::size_t dot = name.find('.'); dot != std::string_view::npos) name.remove_prefix(dot + 1);
  std::int32_t number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? number : -1;
}

/// hwloc's devices for the parts of a GPU, in order, from the first of these libraries that knows the card:
/// ROCm SMI, NVML, Level Zero, CUDA. Level Zero's device of a whole card has children, one per stack; only
/// the children are parts.
std::vector<hwloc_obj_t> parts_of(const std::vector<hwloc_obj_t>& on_card) {
  for (const char* prefix : {"rsmi", "nvml", "ze", "cuda"}) {
    std::vector<hwloc_obj_t> parts;
    for (const hwloc_obj_t device : on_card) {
      if (number_in(device->name, prefix) >= 0 && device->io_first_child == nullptr) parts.push_back(device);
    }
    std::sort(parts.begin(), parts.end(), [prefix](hwloc_obj_t a, hwloc_obj_t b) {
      return number_in(a->name, prefix) < number_in(b->name, prefix);
    });
    if (!parts.empty()) return parts;
  }
  return {};
}

/// Sets the place of a device that is attached to object `around`.
/// @param cores  all cores of the node, in logical order.
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

/// One device for each part of a GPU. If hwloc has not asked a driver, node/amd_gpus.c may have added AMD's
/// parts from Linux's list.
std::vector<Device> parts_as_devices(const Device& card, const std::vector<hwloc_obj_t>& on_card,
                                     hwloc_obj_t pci) {
  std::vector<Device> devices;
  const std::vector<hwloc_obj_t> parts = parts_of(on_card);
  for (const hwloc_obj_t part : parts) {
    Device device = card;
    std::erase_if(device.names, [&](const std::string& name) {
      return name != part->name &&
             std::any_of(parts.begin(), parts.end(), [&](hwloc_obj_t other) { return name == other->name; });
    });
    for (const char* key : {"AMDUUID", "NVIDIAUUID"}) {
      if (const char* uuid = hwloc_obj_get_info_by_name(part, key)) device.uuid = uuid;
    }
    const std::string_view name = part->name;
    device.driver_number = number_in(name, name.substr(0, name.find_first_of("0123456789")));
    devices.push_back(std::move(device));
  }
  for (unsigned i = 0; parts.empty() && i < pci->infos_count; ++i) {
    if (std::strcmp(pci->infos[i].name, CW_AMD_GPU_INFO) != 0) continue;
    Device device = card;
    std::istringstream(pci->infos[i].value) >> device.driver_number >> device.uuid;
    devices.push_back(std::move(device));
  }
  if (devices.empty()) devices.push_back(card);
  for (std::size_t part = 0; part < devices.size(); ++part) {
    devices[part].part = static_cast<std::int32_t>(part);
    devices[part].n_parts = static_cast<std::int32_t>(devices.size());
  }
  return devices;
}

}  // namespace

std::vector<Device> devices_of(hwloc_topology_t topology, const std::vector<hwloc_obj_t>& cores) {
  std::vector<Device> devices;
  for (hwloc_obj_t pci = nullptr; (pci = hwloc_get_next_pcidev(topology, pci)) != nullptr;) {
    const PciAttributes& attributes = pci->attr->pcidev;
    const std::optional<Device::Kind> kind = kind_of(attributes);
    if (!kind) continue;
    std::vector<hwloc_obj_t> on_card;
    add_system_devices(pci, on_card);
    if (*kind == Device::Kind::nic && on_card.empty()) continue;
    Device device;
    device.kind = *kind;
    std::array<char, 32> bus_id{};
    std::snprintf(bus_id.data(), bus_id.size(), "%04x:%02x:%02x.%01x", attributes.domain, attributes.bus,
                  attributes.dev, attributes.func);
    device.bus_id = bus_id.data();
    device.vendor_id = attributes.vendor_id;
    for (const hwloc_obj_t found : on_card) device.names.emplace_back(found->name);
    add_place(hwloc_get_non_io_ancestor_obj(topology, pci), cores, device);
    if (device.kind == Device::Kind::gpu) {
      for (Device& part : parts_as_devices(device, on_card, pci)) devices.push_back(std::move(part));
      continue;
    }
    add_fabric(attributes, on_card, device);
    devices.push_back(std::move(device));
  }
  std::sort(devices.begin(), devices.end(), [](const Device& a, const Device& b) {
    return std::tie(a.kind, a.bus_id, a.part) < std::tie(b.kind, b.bus_id, b.part);
  });
  return devices;
}

}  // namespace corewise
