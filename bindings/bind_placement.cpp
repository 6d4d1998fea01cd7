/// Python bindings of Placement, as Assignment, and validate(). Python's Placement is a document that also
/// knows its machine. Core numbers are int32 in Python.
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings.hpp"
#include "columns.hpp"
#include "corewise/error.hpp"
#include "corewise/placement.hpp"
#include "text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corewise::bindings {
namespace {

Placement from_core_lists(const std::vector<std::vector<std::int32_t>>& lists) {
  const bool one_core_each = std::ranges::all_of(lists, [](const auto& list) { return list.size() == 1; });
  std::vector<std::size_t> start{0};
  std::vector<CoreIndex> cores;
  for (const std::vector<std::int32_t>& list : lists) {
    for (const std::int32_t core : list) cores.push_back(CoreIndex{core});
    start.push_back(cores.size());
  }
  return one_core_each ? Placement(std::move(cores)) : Placement(std::move(start), std::move(cores));
}

NumpyColumn<std::int32_t> cores_of(const Placement& placement, std::int32_t rank) {
  if (rank < 0 || rank >= placement.n_ranks()) {
    throw Error(ErrorCode::bad_input, concat("rank ", rank, " of a placement of ", placement.n_ranks(),
                                             " ranks; expected 0-", placement.n_ranks() - 1));
  }
  return to_numpy_indices(placement.cores(Rank{rank}));
}

}  // namespace

void bind_placement(nb::module_& module) {
  nb::class_<Placement>(
      module, "Assignment",
      "Rank -> one or more cores, numbered over the whole machine (node by node, logical order).")
      .def_static(
          "from_cores",
          [](const std::vector<std::int32_t>& cores) { return Placement(from_plain<CoreIndex>(cores)); },
          "core_of_rank"_a, "One core for each rank.")
      .def_static("from_core_lists", &from_core_lists, "cores"_a,
                  "One or more cores for each rank, all on one node.")
      .def("__repr__",
           [](const Placement& placement) {
             return concat("<corewise assignment of ", placement.n_ranks(), " ranks>");
           })
      .def_prop_ro("n_ranks", &Placement::n_ranks)
      .def_prop_ro(
          "core_of_rank",
          [](const Placement& placement) { return to_numpy_indices(placement.core_of_rank()); },
          nb::rv_policy::automatic, "int32 [rank]: first core of each rank; objectives use only this core.")
      .def("cores", &cores_of, "rank"_a, "int32: all cores of the rank, in logical order.");

  module.def(
      "validate",
      [](const Placement& placement, const Machine& machine, const std::vector<std::int32_t>& core_capacity) {
        validate(placement, machine, core_capacity);
      },
      "placement"_a, "machine"_a, "core_capacity"_a = std::vector<std::int32_t>{},
      "Raises InputError naming the first rank whose core does not exist or has more ranks than its "
      "capacity. `core_capacity` [core]: ranks that it may take; [] for 1 everywhere.");
}

}  // namespace corewise::bindings
