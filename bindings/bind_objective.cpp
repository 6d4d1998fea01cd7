/// Python bindings of the table of objectives, evaluate() and link_loads().
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "columns.hpp"
#include "corewise/objective.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corewise::bindings {
namespace {

std::vector<ObjectiveInfo> all_objectives() { return {objectives().begin(), objectives().end()}; }

std::vector<NumpyColumn<std::uint64_t>> loads_of(const Traffic& traffic, const Machine& machine,
                                                 const Placement& placement) {
  std::vector<NumpyColumn<std::uint64_t>> result;
  const LinkLoads loads = link_loads(PairGraph(traffic.folded()), machine, placement, machine.n_levels());
  for (const std::vector<std::uint64_t>& level : loads) result.push_back(to_numpy(level));
  return result;
}

}  // namespace

void bind_objective(nb::module_& module) {
  nb::class_<ObjectiveInfo>(module, "ObjectiveInfo",
                            "One row of the table of objectives. Lower is better for every objective.")
      .def_ro("name", &ObjectiveInfo::name)
      .def_ro("unit", &ObjectiveInfo::unit)
      .def_ro("sentence", &ObjectiveInfo::sentence)
      .def_ro("source", &ObjectiveInfo::source, "The paper or section that defines it.")
      .def_ro("is_list", &ObjectiveInfo::is_list,
              "Whether the score is a list compared lexicographically, with one value per level, top down.")
      .def_ro("needs_figures", &ObjectiveInfo::needs_figures,
              "Whether it is defined only on machines whose levels all have latency and bandwidth.")
      .def_ro("keeps_nodes", &ObjectiveInfo::keeps_nodes,
              "Whether solvers that optimise it move ranks only within their nodes.");

  module.def("objectives", &all_objectives, "All objectives, sorted by name.");
  module.def("objective", &objective, "name"_a, nb::rv_policy::reference,
             "The objective of this name. Raises InputError suggesting the nearest name if there is none.");
  module.def(
      "default_objective", [](const Machine& machine) { return default_objective(machine).name; },
      "machine"_a, "Name of the default objective on this machine.");
  module.def(
      "evaluate",
      [](std::string_view name, const Traffic& traffic, const Machine& machine, const Placement& placement) {
        return objective(name).evaluate(traffic, machine, placement).values;
      },
      "objective"_a, "traffic"_a, "machine"_a, "placement"_a,
      "Score of a placement, as a list; it has one value if the objective is a number.");
  module.def("link_loads", &loads_of, "traffic"_a, "machine"_a, "placement"_a,
             "Bytes over every link, summed over both directions and all phases. [k - 1][g] (uint64) is the "
             "link of class k that joins object g of level k - 1 to its parent.");
}

}  // namespace corewise::bindings
