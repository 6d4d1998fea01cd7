/// What the readers on hwloc share: the devices of a topology, and how kinds of objects are called.
#pragma once

#include <hwloc.h>

#include <string>
#include <vector>

#include "corewise/device.hpp"

namespace corewise {

/// "package", "l3", "node", "group", ...
[[nodiscard]] std::string level_name(hwloc_obj_type_t type);

/// GPUs, then network cards that the system knows by a name; each kind by PCI bus. Devices on no bus are
/// virtual and don't count.
/// @param cores  all those of the node, in logical order.
[[nodiscard]] std::vector<Device> devices_of(hwloc_topology_t topology,
                                             const std::vector<hwloc_obj_t>& cores);

}  // namespace corewise
