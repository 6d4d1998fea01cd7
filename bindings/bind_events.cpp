/// Python bindings of EventLog and read_events(). Python gets events as columns.
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "corewise/events.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corewise::bindings {
namespace {

/// One member of each event, as a read-only array over the log's memory. The array keeps the log alive.
template <typename Value, typename Member>
nb::object column(const nb::object& log, Member Event::* member) {
  static_assert(sizeof(Value) == sizeof(Member) && sizeof(Event) % sizeof(Value) == 0);
  const std::vector<Event>& events = nb::cast<const EventLog&>(log).events;
  const Event* first = events.data();
  const void* data = first == nullptr ? nullptr : &(first->*member);
  const auto stride = static_cast<std::int64_t>(sizeof(Event) / sizeof(Value));
  return nb::cast(nb::ndarray<nb::numpy, const Value, nb::ndim<1>>(static_cast<const Value*>(data),
                                                                   {events.size()}, log, {stride}));
}

nb::dict columns(const nb::object& log) {
  nb::dict table;
  table["rank"] = column<std::int32_t>(log, &Event::rank);
  table["thread"] = column<std::uint32_t>(log, &Event::thread);
  table["call"] = column<std::int32_t>(log, &Event::call);
  table["peer"] = column<std::int32_t>(log, &Event::peer);
  table["tag"] = column<std::int64_t>(log, &Event::tag);
  table["comm"] = column<std::uint64_t>(log, &Event::comm);
  table["bytes"] = column<std::uint64_t>(log, &Event::bytes);
  table["begin_s"] = column<double>(log, &Event::begin_s);
  table["end_s"] = column<double>(log, &Event::end_s);
  table["sends"] = column<std::uint8_t>(log, &Event::sends);
  table["receives"] = column<std::uint8_t>(log, &Event::receives);
  table["collective"] = column<std::uint8_t>(log, &Event::collective);
  table["starts"] = column<std::uint8_t>(log, &Event::starts);
  table["part"] = column<std::uint8_t>(log, &Event::part);
  table["failed"] = column<std::uint8_t>(log, &Event::failed);
  table["completed_by"] = column<std::int32_t>(log, &Event::completed_by);
  table["matches"] = column<std::int32_t>(log, &Event::matches);
  return table;
}

}  // namespace

void bind_events(nb::module_& module) {
  nb::class_<EventLog>(module, "EventLog", "The individual calls of a job.")
      .def_prop_ro("n_events", [](const EventLog& log) { return log.events.size(); })
      .def_ro("calls", &EventLog::calls, "The MPI functions; the column `call` has indices into this list.")
      .def("columns", &columns, nb::sig("def columns(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
           "The events, sorted by rank, thread and time, as a dict of read-only arrays of equal length over "
           "the log's memory: rank, thread, call, peer (world rank; -1: none), tag, comm (id), bytes, "
           "begin_s, end_s, sends, receives, collective, starts (a request that another event completes), "
           "part (a further message of the previous event), failed, completed_by and matches (indices of "
           "events; -1: none).")
      .def_ro("n_dropped", &EventLog::n_dropped, "Events that the tracer left out.")
      .def_ro("n_damaged", &EventLog::n_damaged, "Chunks that could not be read to their end.")
      .def_ro("n_nodes", &EventLog::n_nodes, "Nodes of the job. Times are by the clock of each.");
  module.def("read_events", &read_events, "directory"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Reads the events of a profile and matches both ends of each message; empty if it has no "
             "events. Raises InputError for a directory without profiles, and for more than 2^25 events.");
}

}  // namespace corewise::bindings
