/// Device: a GPU or a network card of a node, and the cores next to it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace corewise {

/// One PCI function, or one part of a GPU that its driver divides: an AMD partition (TPX, CPX), an Intel
/// stack, an NVIDIA MIG instance. A card whose two ports are separate PCI functions is two devices.
struct Device {
  enum class Kind : std::uint8_t { gpu, nic };
  Kind kind = Kind::nic;
  std::string bus_id;               ///< PCI domain, bus, device, function: "0000:3b:00.0"
  std::uint16_t vendor_id = 0;      ///< PCI vendor, for example 0x10de
  std::vector<std::string> names;   ///< names in the system and its drivers ("mlx5_0", "ib0"); may be empty
  std::int32_t part = 0;            ///< number of this part of a divided GPU, from 0
  std::int32_t n_parts = 1;         ///< number of parts of the card
  std::int32_t driver_number = -1;  ///< the vendor driver's number, for example N of rsmiN; -1: unknown
  std::string uuid;                 ///< as the driver reports it, without AMD's prefix "GPU-"; empty: unknown
  std::string fabric;            ///< "InfiniBand", "Slingshot", "RoCE" ...; empty for plain Ethernet and GPUs
  std::string fabric_name;       ///< the OpenFabrics name among `names`, or empty
  std::int32_t fabric_port = 1;  ///< first active port
  bool is_up = true;             ///< false if all ports are known to be down
  std::string attached_to;       ///< tree object that the device is attached to: "package 1", "node"
  std::vector<std::int32_t> numa_domains;  ///< NUMA domains of that object, OS indices
  std::vector<std::int32_t> cores;         ///< cores of that object: logical numbers on the node, ascending
  friend bool operator==(const Device&, const Device&) = default;
};

}  // namespace corewise
