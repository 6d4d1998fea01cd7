/// Device: a GPU or a network card of a node, and the cores that it is local to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace corewise {

/// One card on a node's PCI bus. A card with two ports that are two PCI functions is two devices.
struct Device {
  enum class Kind : std::uint8_t { gpu, nic };
  Kind kind = Kind::nic;
  std::string bus_id;              ///< PCI domain, bus, device, function: "0000:3b:00.0"
  std::uint16_t vendor_id = 0;     ///< PCI's number of the maker, such as 0x10de
  std::vector<std::string> names;  ///< as system and drivers call it ("mlx5_0", "ib0"); a GPU may have none
  std::string fabric_name;         ///< the one of `names` that OpenFabrics uses; empty where there is none
  std::int32_t fabric_port = 1;    ///< its first active port
  std::string attached_to;         ///< the part of the tree that it hangs on: "package 1" (logical), "node"
  std::vector<std::int32_t> numa_domains;  ///< os_index of those in that part
  std::vector<std::int32_t> cores;         ///< the cores of that part: logical, on the node, ascending
};

}  // namespace corewise
