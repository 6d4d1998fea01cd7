/// Advice and advise().
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>

#include "bindings.hpp"
#include "corewise/advice.hpp"

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

void make_gain_errors(GainErrors* self, double exponent_low, double exponent_high, double alike) {
  new (self) GainErrors{{exponent_low, exponent_high}, alike};
}

Advice advise_candidates(const Traffic& traffic, const Machine& machine, const Placement& default_placement,
                         const Placement& best, const Placement& worst, const GainErrors& errors,
                         bool best_is_proven, const std::optional<MeasuredTimes>& times) {
  const nb::gil_scoped_release unlocked;
  return advise(traffic, machine, {default_placement, best, worst, best_is_proven}, times, errors);
}

}  // namespace

void bind_advice(nb::module_& module) {
  nb::class_<GainInterval>(module, "GainInterval", "1 - t_best / t_default, as fractions.")
      .def_ro("low", &GainInterval::low)
      .def_ro("expected", &GainInterval::expected)
      .def_ro("high", &GainInterval::high);

  nb::class_<MeasuredTimes>(module, "MeasuredTimes", "A run that was timed, s, means over its ranks.")
      .def(nb::init<double, double>(), "run_s"_a, "mpi_s"_a)
      .def_ro("run_s", &MeasuredTimes::run_s)
      .def_ro("mpi_s", &MeasuredTimes::mpi_s, "Spent inside MPI, transfer and waiting alike.");

  nb::class_<GainErrors>(module, "GainErrors",
                         "How far predicted gains were off: of two placements whose times are predicted to "
                         "have the ratio r the measured ones have r^k, k from `exponent_low` to "
                         "`exponent_high`; those of placements predicted alike differ by up to the factor "
                         "`alike`.")
      .def("__init__", &make_gain_errors, "exponent_low"_a, "exponent_high"_a, "alike"_a);

  nb::class_<Advice>(module, "Advice", "Does placement matter, by how much, how sure, and why.")
      .def_prop_ro("matters", &matters_text, "'yes', 'no' or 'unsure'.")
      .def_ro("gain", &Advice::gain)
      .def_prop_ro(
          "gain_of", [](const Advice& advice) { return advice.gain_is_of_run ? "run" : "communication"; },
          "'run' where it was timed, else 'communication': what the gain is a share of.")
      .def_ro("transfer_share", &Advice::transfer_share,
              "Of a timed run: what transfer explains of it, 0 to 1; None where it was not timed.")
      .def_ro("ratio", &Advice::ratio,
              "Inter-node over intra-node bytes of the default; None where none is intra-node.")
      .def_ro("because", &Advice::because, "One sentence.")
      .def_ro("offer_spread", &Advice::offer_spread,
              "The network is faster than shared memory at the message sizes that count.");

  module.def(
      "advise", &advise_candidates, "traffic"_a, "machine"_a, nb::kw_only(), "default"_a, "best"_a, "worst"_a,
      "errors"_a, "best_is_proven"_a = false, "times"_a = nb::none(),
      "The SMP-CMP paper's guideline (section V), widened by the predicted times of three placements: the "
      "default, and the best and the worst that were found. The interval of the gain rests on `errors`. "
      "`times` of the run, where it was timed: the gain is then one of the run, of no more than transfer "
      "explains.");
}

}  // namespace corewise::bindings
