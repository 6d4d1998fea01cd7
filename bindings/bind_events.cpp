/// EventLog and read_events. Events cross the border as columns.
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "columns.hpp"
#include "corewise/events.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corewise::bindings {
namespace {

/// One value of each event.
template <typename Value, typename Get>
NumpyColumn<Value> column(const EventLog& log, Get get) {
  std::vector<Value> values;
  values.reserve(log.events.size());
  for (const Event& event : log.events) values.push_back(static_cast<Value>(get(event)));
  return to_numpy(std::move(values));
}

nb::dict columns(const EventLog& log) {
  nb::dict table;
  table["rank"] = column<std::int32_t>(log, [](const Event& event) { return raw(event.rank); });
  table["thread"] = column<std::uint32_t>(log, [](const Event& event) { return event.thread; });
  table["call"] = column<std::int32_t>(log, [](const Event& event) { return event.call; });
  table["peer"] = column<std::int32_t>(log, [](const Event& event) { return event.peer; });
  table["tag"] = column<std::int64_t>(log, [](const Event& event) { return event.tag; });
  table["comm"] = column<std::uint64_t>(log, [](const Event& event) { return event.comm; });
  table["bytes"] = column<std::uint64_t>(log, [](const Event& event) { return event.bytes; });
  table["begin_s"] = column<double>(log, [](const Event& event) { return event.begin_s; });
  table["end_s"] = column<double>(log, [](const Event& event) { return event.end_s; });
  table["sends"] = column<std::uint8_t>(log, [](const Event& event) { return event.sends; });
  table["receives"] = column<std::uint8_t>(log, [](const Event& event) { return event.receives; });
  table["collective"] = column<std::uint8_t>(log, [](const Event& event) { return event.collective; });
  table["starts"] = column<std::uint8_t>(log, [](const Event& event) { return event.starts; });
  table["part"] = column<std::uint8_t>(log, [](const Event& event) { return event.part; });
  table["failed"] = column<std::uint8_t>(log, [](const Event& event) { return event.failed; });
  table["completed_by"] = column<std::int64_t>(log, [](const Event& event) { return event.completed_by; });
  table["matches"] = column<std::int64_t>(log, [](const Event& event) { return event.matches; });
  return table;
}

}  // namespace

void bind_events(nb::module_& module) {
  nb::class_<EventLog>(module, "EventLog", "The calls of a job one by one.")
      .def_prop_ro("n_events", [](const EventLog& log) { return log.events.size(); })
      .def_ro("calls", &EventLog::calls, "What the column `call` indexes.")
      .def(
          "columns", &columns,
          "The events, sorted by rank, thread and time, as a dict of equally long arrays: rank, thread, "
          "call, peer (world rank; -1: none), tag, comm (id), bytes, begin_s, end_s, sends, receives, "
          "collective, starts (a request that another event completes), part (a further message of the event "
          "before), failed, completed_by and matches (indices of events; -1: none).")
      .def_ro("n_dropped", &EventLog::n_dropped, "Events that the tracer left out.")
      .def_ro("n_damaged", &EventLog::n_damaged, "Chunks that were not read to their end.")
      .def_ro("clock_error_s", &EventLog::clock_error_s, "Greatest stated error of the ranks' clocks, s.")
      .def_ro("clocks_aligned", &EventLog::clocks_aligned,
              "False: times of different nodes rest on their own clocks.");
  module.def("read_events", &read_events, "directory"_a,
             "The events of a profile, with both ends of each message found; empty where it has none. Raises "
             "InputError for a directory without profiles, and for more than 2^25 events.");
}

}  // namespace corewise::bindings
