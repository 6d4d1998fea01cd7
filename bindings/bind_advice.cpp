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

Advice advise_candidates(const Traffic& traffic, const Machine& machine, const Placement& default_placement,
                         const Placement& best, const Placement& worst, bool best_is_proven,
                         std::optional<double> comm_share) {
  const nb::gil_scoped_release unlocked;
  return advise(traffic, machine, {default_placement, best, worst, best_is_proven}, comm_share);
}

}  // namespace

void bind_advice(nb::module_& module) {
  nb::class_<GainInterval>(module, "GainInterval", "1 - t_best / t_default, as fractions.")
      .def_ro("low", &GainInterval::low)
      .def_ro("expected", &GainInterval::expected)
      .def_ro("high", &GainInterval::high);

  nb::class_<Advice>(module, "Advice", "Does placement matter, by how much, how sure, and why.")
      .def_prop_ro("matters", &matters_text, "'yes', 'no' or 'unsure'.")
      .def_ro("gain", &Advice::gain, "Of the run where comm_share was given, else of communication.")
      .def_ro("ratio", &Advice::ratio,
              "Inter-node over intra-node bytes of the default; None where none is intra-node.")
      .def_ro("because", &Advice::because, "One sentence.")
      .def_ro("offer_spread", &Advice::offer_spread,
              "The network is faster than shared memory at the message sizes that count.");

  module.def(
      "advise", &advise_candidates, "traffic"_a, "machine"_a, nb::kw_only(), "default"_a, "best"_a, "worst"_a,
      "best_is_proven"_a = false, "comm_share"_a = nb::none(),
      "The SMP-CMP paper's guideline (section V), widened by the predicted times of three placements: the "
      "default, and the best and the worst that were found. `comm_share`: communication time over run time, "
      "where it was measured.");
}

}  // namespace corewise::bindings
