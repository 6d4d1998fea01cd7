/// Python bindings of Device: a GPU or a network card of a node.
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "corewise/device.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corewise::bindings {
namespace {

Device device_of(const std::string& kind, std::string bus_id, std::uint16_t vendor_id,
                 std::vector<std::string> names, std::int32_t part, std::int32_t n_parts,
                 std::int32_t driver_number, std::string uuid, std::string fabric, std::string fabric_name,
                 std::int32_t fabric_port, bool is_up, std::string attached_to,
                 std::vector<std::int32_t> numa_domains, std::vector<std::int32_t> cores) {
  return {kind == "gpu" ? Device::Kind::gpu : Device::Kind::nic,
          std::move(bus_id),
          vendor_id,
          std::move(names),
          part,
          n_parts,
          driver_number,
          std::move(uuid),
          std::move(fabric),
          std::move(fabric_name),
          fabric_port,
          is_up,
          std::move(attached_to),
          std::move(numa_domains),
          std::move(cores)};
}

}  // namespace

void bind_device(nb::module_& module) {
  nb::class_<Device>(module, "Device", "A GPU or a network card of a node, and the cores next to it.")
      .def(nb::new_(&device_of), "kind"_a, "bus_id"_a, "vendor_id"_a, "names"_a, "part"_a, "n_parts"_a,
           "driver_number"_a, "uuid"_a, "fabric"_a, "fabric_name"_a, "fabric_port"_a, "is_up"_a,
           "attached_to"_a, "numa_domains"_a, "cores"_a)
      .def_prop_ro(
          "kind", [](const Device& device) { return device.kind == Device::Kind::gpu ? "gpu" : "nic"; },
          "'gpu' or 'nic'.")
      .def_ro("bus_id", &Device::bus_id, "PCI domain, bus, device, function: '0000:3b:00.0'.")
      .def_ro("vendor_id", &Device::vendor_id, "PCI vendor.")
      .def_ro("names", &Device::names, "Names in the system and its drivers; may be empty for a GPU.")
      .def_ro("part", &Device::part, "Number of this part of a GPU that its driver divides, from 0.")
      .def_ro("n_parts", &Device::n_parts, "Number of parts of the card.")
      .def_ro("driver_number", &Device::driver_number, "Number in the vendor's driver; -1 if unknown.")
      .def_ro("uuid", &Device::uuid, "As the driver reports it; '' if unknown.")
      .def_ro("fabric", &Device::fabric, "'InfiniBand', 'Slingshot', 'RoCE' ...; '' for plain Ethernet.")
      .def_ro("is_up", &Device::is_up, "False if all ports are known to be down.")
      .def_ro("fabric_name", &Device::fabric_name, "The OpenFabrics name, or ''.")
      .def_ro("fabric_port", &Device::fabric_port, "First active port.")
      .def_ro("attached_to", &Device::attached_to,
              "Tree object that the device is attached to: 'package 1' (logical), 'node'.")
      .def_ro("numa_domains", &Device::numa_domains, "NUMA domains of that object, OS indices.")
      .def_ro("cores", &Device::cores, "Cores of that object: logical numbers on the node, ascending.");
}

}  // namespace corewise::bindings
