/// Python bindings of Device: a GPU or a network card of a node.
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "corewise/device.hpp"

namespace nb = nanobind;

namespace corewise::bindings {

void bind_device(nb::module_& module) {
  nb::class_<Device>(module, "Device", "A GPU or a network card of a node, and the cores next to it.")
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
