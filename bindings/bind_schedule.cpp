/// Python bindings of Schedule and the functions that create one. Steps are columns in Python.
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string_view>

#include "bindings.hpp"
#include "columns.hpp"
#include "corewise/error.hpp"
#include "corewise/schedule.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corewise::bindings {
namespace {

Schedule of_events(const Profile& profile, const EventLog& log, std::string_view library) {
  return schedule_of_events(profile, log, mpi_library_named(library));
}

Schedule of_steps(std::int32_t n_ranks, const Column<std::int32_t>& step, const Column<std::int32_t>& src,
                  const Column<std::int32_t>& dst, const Column<std::uint64_t>& bytes) {
  const std::size_t n = step.size();
  if (src.size() != n || dst.size() != n || bytes.size() != n) {
    throw Error(ErrorCode::size_mismatch,
                "the columns step, src, dst and bytes differ in length; expected one value of each for every "
                "message");
  }
  std::vector<Transfer> transfers(n);
  for (std::size_t i = 0; i < n; ++i) transfers[i] = {step(i), src(i), dst(i), bytes(i)};
  return schedule_of_steps(n_ranks, std::move(transfers));
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
  module.def("schedule_of_steps", &of_steps, "n_ranks"_a, "step"_a, "src"_a, "dst"_a, "bytes"_a,
             "A schedule of messages in steps. The columns step, src, dst (int32) and bytes (uint64) have "
             "one value per message. In each step, a rank starts all its messages of that step, then waits "
             "for all of them.");
  module.def("with_compute_scaled", &with_compute_scaled, "schedule"_a, "factor"_a,
             "Multiplies all computing times by `factor`.");
}

}  // namespace corewise::bindings
