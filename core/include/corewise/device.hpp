/// Device: a GPU or a network card of a node, and the cores that it is local to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace corewise {

/// One card on a node's PCI bus, or a part of a GPU that its driver divides: a partition of AMD's (TPX, CPX),
/// a stack of Intel's, an instance of NVIDIA's (MIG). A card with two ports that are two PCI functions is two
/// devices.
struct Device {
  enum class Kind : std::uint8_t { gpu, nic };
  Kind kind = Kind::nic;
  std::string bus_id;               ///< PCI domain, bus, device, function: "0000:3b:00.0"
  std::uint16_t vendor_id = 0;      ///< PCI's number of the maker, such as 0x10de
  std::vector<std::string> names;   ///< as system and drivers call it ("mlx5_0", "ib0"); a GPU may have none
  std::int32_t part = 0;            ///< which part of a divided GPU, from 0
  std::int32_t n_parts = 1;         ///< of the card
  std::int32_t driver_number = -1;  ///< what the maker's driver calls it (ROCm's N of rsmiN); -1 if unknown
  std::string uuid;                 ///< as the driver reports it, without AMD's "GPU-"; empty if unknown
  std::string fabric;            ///< "InfiniBand", "Slingshot", "RoCE" ...; empty for plain Ethernet and GPUs
  std::string fabric_name;       ///< the one of `names` that OpenFabrics uses; empty if there is none
  std::int32_t fabric_port = 1;  ///< its first active port
  bool is_up = true;             ///< false if all ports are known to be down
  std::string attached_to;       ///< the part of the tree that it hangs on: "package 1" (logical), "node"
  std::vector<std::int32_t> numa_domains;  ///< os_index of those in that part
  std::vector<std::int32_t> cores;         ///< the cores of that part: logical, on the node, ascending
  friend bool operator==(const Device&, const Device&) = default;
};

}  // namespace corewise
