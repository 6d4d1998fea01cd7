/// Python bindings of Advice and advise().
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>

#include "bindings.hpp"
#include "corewise/advice.hpp"
#include "interruptible.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corewise::bindings {
namespace {

std::string_view matters_text(const Advice& advice) {
  switch (advice.matters) {
    case Matters::yes:
      return "yes";
    case Matters::no:
      return "no";
    case Matters::unsure:
      return "unsure";
  }
  return "unsure";
}

Advice advise_candidates(const Traffic& traffic, const Machine& machine, const Placement& default_placement,
                         const Placement& best, const Placement& worst, const GainErrors& errors,
                         bool best_is_proven, const std::optional<MeasuredTimes>& times) {
  return interruptible([&](const std::stop_token& stop) {
    return advise(traffic, machine, {default_placement, best, worst, best_is_proven}, times, errors, stop);
  });
}

}  // namespace

void bind_advice(nb::module_& module) {
  nb::class_<GainInterval>(module, "GainInterval", "Expected gain, 1 - t_best / t_default, with an interval.")
      .def_ro("low", &GainInterval::low)
      .def_ro("expected", &GainInterval::expected)
      .def_ro("high", &GainInterval::high);

  nb::class_<MeasuredTimes>(module, "MeasuredTimes", "Measured times of a run in s, means over its ranks.")
      .def(nb::init<double, double>(), "run_s"_a, "mpi_s"_a)
      .def_ro("run_s", &MeasuredTimes::run_s)
      .def_ro("mpi_s", &MeasuredTimes::mpi_s, "Time inside MPI: transfer and waiting.");

  nb::class_<GainErrors>(
      module, "GainErrors",
      "Errors of predicted gains, factors: the measured ratio of the times of two "
      "placements, the one predicted to take longer in the numerator, is between `low` and "
      "`high` times the predicted ratio; low <= 1 <= high.")
      .def(nb::init<double, double>(), "low"_a, "high"_a);

  nb::class_<Advice>(module, "Advice",
                     "Whether placement matters, by how much, with what confidence, and why.")
      .def_prop_ro("matters", &matters_text, "'yes', 'no' or 'unsure'.")
      .def_ro("gain", &Advice::gain)
      .def_prop_ro(
          "gain_of", [](const Advice& advice) { return advice.gain_is_of_run ? "run" : "communication"; },
          "The time of which the gain is a share: 'run' if the run was timed, else 'communication'.")
      .def_ro("transfer_share", &Advice::transfer_share,
              "Share of the run's time that transfer explains, 0 to 1; None if the run was not timed.")
      .def_ro("ratio", &Advice::ratio,
              "Inter-node divided by intra-node bytes of the default placement; None without intra-node "
              "bytes.")
      .def_ro("because", &Advice::because, "One sentence.")
      .def_ro("offer_spread", &Advice::offer_spread,
              "Whether the network is faster than shared memory at the prevailing message sizes.");

  module.def(
      "advise", &advise_candidates, "traffic"_a, "machine"_a, nb::kw_only(), "default"_a, "best"_a, "worst"_a,
      "errors"_a, "best_is_proven"_a = false, "times"_a = nb::none(),
      "Whether placement matters, by the SMP-CMP paper's guideline (section V) and the predicted times of "
      "three placements: the default, and the best and the worst that were found. `errors` determine the "
      "interval of the gain. With the measured `times` of a run, the gain is a share of the run's time, at "
      "most the share that transfer explains.");
}

}  // namespace corewise::bindings
