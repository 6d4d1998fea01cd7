/// StepTimes: many placements of one schedule.
#include "bindings.hpp"
#include "corewise/step_times.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corewise::bindings {

void bind_step_times(nb::module_& module) {
  nb::class_<StepTimes>(module, "StepTimes",
                        "A schedule's communication for many placements, step by step, without replaying it.")
      .def(nb::init<const Schedule&, const Machine&>(), "schedule"_a, "machine"_a, nb::keep_alive<1, 3>())
      .def("seconds", &StepTimes::seconds, "placement"_a, "Seconds of communication; computing is left out.")
      .def_prop_ro("n_distinct", &StepTimes::n_distinct, "Steps that differ.")
      .def_prop_ro("n_steps", &StepTimes::n_steps, "All steps.");
}

}  // namespace corewise::bindings
