/// Python bindings of Schedule and the functions that create one.
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string_view>

#include "bindings.hpp"
#include "corewise/schedule.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corewise::bindings {
namespace {

Schedule of_events(const Profile& profile, const EventLog& log, std::string_view library) {
  return schedule_of_events(profile, log, mpi_library_named(library));
}

}  // namespace

void bind_schedule(nb::module_& module) {
  nb::class_<Schedule>(module, "Schedule",
                       "What each process of a job does, in order. Independent of placement.")
      .def_ro("n_ranks", &Schedule::n_ranks)
      .def_ro("left_out", &Schedule::left_out, "What of the job is missing here, one sentence each.");
  module.def("schedule_of_events", &of_events, "profile"_a, "log"_a, "library"_a,
             nb::call_guard<nb::gil_scoped_release>(),
             "The schedule of a traced job: its calls, with its computing between them. Collectives use the "
             "algorithms that `library` (openmpi or mpich) chooses by size and number of ranks. Raises "
             "InputError for a log with lost or damaged events.");
  module.def("with_compute_scaled", &with_compute_scaled, "schedule"_a, "factor"_a,
             "Multiplies all computing times by `factor`.");
}

}  // namespace corewise::bindings
