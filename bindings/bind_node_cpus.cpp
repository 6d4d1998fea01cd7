/// Python bindings of NodeCpus and its readers.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "bindings.hpp"
#include "corewise/node_cpus.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corewise::bindings {
namespace {

std::vector<std::int32_t> raws(const std::vector<OsIndex>& indices) {
  std::vector<std::int32_t> numbers;
  for (const OsIndex index : indices) numbers.push_back(raw(index));
  return numbers;
}

std::vector<std::vector<std::int32_t>> cores(const NodeCpus& cpus) {
  std::vector<std::vector<std::int32_t>> all;
  for (const std::vector<OsIndex>& core : cpus.cores) all.push_back(raws(core));
  return all;
}

std::vector<std::pair<std::string, std::vector<std::int32_t>>> core_kinds(const NodeCpus& cpus) {
  std::vector<std::pair<std::string, std::vector<std::int32_t>>> all;
  for (const CoreKind& kind : cpus.core_kinds) all.emplace_back(kind.name, raws(kind.os_pus));
  return all;
}

}  // namespace

void bind_node_cpus(nb::module_& module) {
  nb::class_<NodeCpus>(module, "NodeCpus",
                       "All hardware threads (OS indices) of a node, including those that processes may not "
                       "use.")
      .def_prop_ro("cores", &cores, "[core, logical]: its online hardware threads.")
      .def_prop_ro(
          "allowed", [](const NodeCpus& cpus) { return raws(cpus.allowed); },
          "Online hardware threads that the cgroup allows.")
      .def_prop_ro(
          "offline", [](const NodeCpus& cpus) { return raws(cpus.offline); },
          "Hardware threads that are switched off.")
      .def_prop_ro("core_kinds", &core_kinds,
                   "(name, hardware threads) of each kind of core, slowest first; [] if all are of one "
                   "kind.");
  module.def("read_local_cpus", &read_local_cpus,
             "Reads this machine. The binding of this process has no effect.");
  module.def("read_cpus_xml", &read_cpus_xml, "xml"_a, "name"_a,
             "Reads the text of hwloc XML from lstopo. `name` is the name of the file, for messages.");
}

}  // namespace corewise::bindings
