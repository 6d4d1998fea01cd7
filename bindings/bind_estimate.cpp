/// Estimate and estimate().
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

#include "bindings.hpp"
#include "corewise/estimate.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corewise::bindings {
namespace {

Estimate of_schedule(const Schedule& schedule, const Machine& machine, const Placement& placement,
                     const std::optional<nb::typed<nb::callable, void()>>& watch) {
  Watch held;
  if (watch) {
    held = [&watch] {
      const nb::gil_scoped_acquire locked;
      (*watch)();
    };
  }
  const nb::gil_scoped_release unlocked;
  return estimate(schedule, machine, placement, held);
}

Estimate of_traffic(const Traffic& traffic, const Machine& machine, const Placement& placement,
                    const std::vector<double>& compute_s) {
  const nb::gil_scoped_release unlocked;
  return estimate(traffic, compute_s, machine, placement);
}

}  // namespace

void bind_estimate(nb::module_& module) {
  nb::class_<BusiestLink>(module, "BusiestLink", "The link that is busy longest.")
      .def_ro("level", &BusiestLink::level, "Class of the link; 0: none carried anything.")
      .def_ro("group", &BusiestLink::group, "Object of level - 1 that it joins to its parent.")
      .def_ro("down", &BusiestLink::down, "Towards the cores; False: away from them.")
      .def_ro("bus", &BusiestLink::bus, "What all links under object `group` of `level` itself share.")
      .def_ro(
          "axis", &BusiestLink::axis,
          "Of the torus: `group` is a point, the link goes to the next one along the axis, backwards where "
          "`down`; -1: not of the torus.")
      .def_ro("both_ways", &BusiestLink::both_ways, "The limit of both directions together.")
      .def_ro("busy_s", &BusiestLink::busy_s, "Its bytes over its bandwidth, s.");
  nb::class_<TimePart>(module, "TimePart", "A call or a phase, and the ranks' mean time in it.")
      .def_ro("name", &TimePart::name)
      .def_ro("time_s", &TimePart::time_s);
  nb::class_<Estimate>(module, "Estimate", "What is estimated of one placement.")
      .def_ro("makespan_s", &Estimate::makespan_s, "From the begin to the end of the last rank.")
      .def_ro("comm_s", &Estimate::comm_s, "Not computing, mean over the ranks: transfer and waiting.")
      .def_prop_ro(
          "makespan_range_s",
          [](const Estimate& found) {
            return std::pair(found.makespan_range_s.low, found.makespan_range_s.high);
          },
          "Where the makespan lies if the figures are within their bounds.")
      .def_prop_ro(
          "last_rank", [](const Estimate& found) { return raw(found.last_rank); }, "Ends last.")
      .def_ro("busiest", &Estimate::busiest)
      .def_ro("parts", &Estimate::parts, "Of calls or phases, longest first.");
  module.def("estimate", &of_schedule, "schedule"_a, "machine"_a, "placement"_a, "watch"_a = nb::none(),
             "Replays a schedule: messages that cross a link at the same time share its bandwidth fairly. "
             "`watch` is "
             "called soon after it began and then about ten times a second; what it raises ends the replay.");
  module.def(
      "estimate", &of_traffic, "traffic"_a, "machine"_a, "placement"_a, "compute_s"_a = std::vector<double>(),
      "Traffic without an order: each phase takes as long as its busiest link and the latencies of the "
      "rank with the most. `compute_s` of each rank, where it is known.");
}

}  // namespace corewise::bindings
