/// NodeCpus: all hardware threads of a node, also those that processes may not use.
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
                       "All hardware threads (os_index) of a node, also those that processes may not use.")
      .def_prop_ro("cores", &cores, "[core, logical]: its hardware threads that are online.")
      .def_prop_ro(
          "allowed", [](const NodeCpus& cpus) { return raws(cpus.allowed); },
          "Those of them that the cgroup lets a process use.")
      .def_prop_ro(
          "offline", [](const NodeCpus& cpus) { return raws(cpus.offline); },
          "Those that are there and switched off.")
      .def_prop_ro("core_kinds", &core_kinds,
                   "(name, hardware threads) of each kind of core, slowest first; [] where all are alike.");
  module.def("read_local_cpus", &read_local_cpus, "This machine, whatever this process is bound to.");
  module.def("read_cpus_xml", &read_cpus_xml, "xml"_a, "name"_a,
             "The text of hwloc XML, as lstopo writes it; `name` is that of the file.");
}

}  // namespace corewise::bindings
