/// Shared by the hwloc readers: the devices of a topology, and the names of levels.
#pragma once

#include <hwloc.h>

#include <string>
#include <vector>

#include "corewise/device.hpp"

namespace corewise {

/// Name of a level of this type: "package", "l3", "node", "group", ...
[[nodiscard]] std::string level_name(hwloc_obj_type_t type);

/// GPUs, then network cards with a name, each by PCI bus id. Virtual devices, without a bus, are left out.
/// @param cores  all cores of the node, in logical order.
[[nodiscard]] std::vector<Device> devices_of(hwloc_topology_t topology,
                                             const std::vector<hwloc_obj_t>& cores);

}  // namespace corewise
