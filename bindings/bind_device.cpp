/// Device: a GPU or a network card of a node.
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "corewise/device.hpp"

namespace nb = nanobind;

namespace corewise::bindings {

void bind_device(nb::module_& module) {
  nb::class_<Device>(module, "Device",
                     "A GPU or a network card of a node, and the cores that it is local to.")
      .def_prop_ro(
          "kind", [](const Device& device) { return device.kind == Device::Kind::gpu ? "gpu" : "nic"; },
          "'gpu' or 'nic'.")
      .def_ro("bus_id", &Device::bus_id, "PCI domain, bus, device, function: '0000:3b:00.0'.")
      .def_ro("vendor_id", &Device::vendor_id, "PCI's number of the maker.")
      .def_ro("names", &Device::names, "As system and drivers call it; a GPU may have none.")
      .def_ro("part", &Device::part, "Which part of a GPU that its driver divides, from 0.")
      .def_ro("n_parts", &Device::n_parts, "The parts of its card.")
      .def_ro("driver_number", &Device::driver_number, "What the maker's driver calls it; -1 if unknown.")
      .def_ro("uuid", &Device::uuid, "As the driver tells it; '' if unknown.")
      .def_ro("fabric", &Device::fabric, "'InfiniBand', 'Slingshot', 'RoCE' ...; '' for plain Ethernet.")
      .def_ro("is_up", &Device::is_up, "False where all ports are known to be down.")
      .def_ro("fabric_name", &Device::fabric_name, "The name that OpenFabrics uses; '' where there is none.")
      .def_ro("fabric_port", &Device::fabric_port, "Its first active port.")
      .def_ro("attached_to", &Device::attached_to,
              "The part of the tree that it hangs on: 'package 1' (logical), 'node'.")
      .def_ro("numa_domains", &Device::numa_domains, "os_index of the NUMA domains of that part.")
      .def_ro("cores", &Device::cores, "The cores of that part: logical, on the node, ascending.");
}

}  // namespace corewise::bindings
