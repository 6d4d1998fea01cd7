/// Python bindings of Estimate and estimate().
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

#include "bindings.hpp"
#include "corewise/estimate.hpp"
#include "interruptible.hpp"

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
  return interruptible(
      [&](const std::stop_token& stop) { return estimate(traffic, compute_s, machine, placement, stop); });
}

}  // namespace

void bind_estimate(nb::module_& module) {
  nb::class_<BusiestLink>(module, "BusiestLink", "The link with the greatest ratio of bytes to bandwidth.")
      .def_ro("level", &BusiestLink::level, "Class of the link; 0: no link carried any bytes.")
      .def_ro("group", &BusiestLink::group, "Object of level - 1 that the link joins to its parent.")
      .def_ro("down", &BusiestLink::down, "Direction: True towards the cores, False away from them.")
      .def_ro("bus", &BusiestLink::bus, "Whether it is the bus of all links under object `group` of `level`.")
      .def_ro("axis", &BusiestLink::axis,
              "-1: no link of the torus; else the link from point `group` to the next one along this axis, "
              "backwards if `down`.")
      .def_ro("both_ways", &BusiestLink::both_ways,
              "Whether it is the common limit of both directions of the link.")
      .def_ro("busy_s", &BusiestLink::busy_s, "Bytes over bandwidth, s.");
  nb::class_<TimePart>(module, "TimePart", "A call or a phase, and the mean time that ranks spend in it.")
      .def_ro("name", &TimePart::name)
      .def_ro("time_s", &TimePart::time_s);
  nb::class_<Estimate>(module, "Estimate", "The estimate for one placement.")
      .def_ro("makespan_s", &Estimate::makespan_s, "From the start of the job to the end of the last rank.")
      .def_ro("comm_s", &Estimate::comm_s,
              "Mean over the ranks of the time without computing: transfer and waiting.")
      .def_prop_ro(
          "makespan_range_s",
          [](const Estimate& found) {
            return std::pair(found.makespan_range_s.low, found.makespan_range_s.high);
          },
          "(low, high) makespan if the machine's figures vary within their bounds.")
      .def_prop_ro(
          "last_rank", [](const Estimate& found) { return raw(found.last_rank); }, "The rank that ends last.")
      .def_ro("busiest", &Estimate::busiest)
      .def_ro("parts", &Estimate::parts, "Times of calls or phases, longest first.");
  module.def("estimate", &of_schedule, "schedule"_a, "machine"_a, "placement"_a, "watch"_a = nb::none(),
             "Replays a schedule. Messages that cross a link at the same time share its bandwidth (max-min "
             "fairness). `watch` is called soon after the start and then about ten times a second; an "
             "exception that it raises ends the replay.");
  module.def(
      "estimate", &of_traffic, "traffic"_a, "machine"_a, "placement"_a, "compute_s"_a = std::vector<double>(),
      "Estimates traffic whose messages have no order. A phase takes the time of its busiest link plus the "
      "greatest sum of latencies of a rank. `compute_s` [rank]: computing time; [] if unknown.");
}

}  // namespace corewise::bindings
