/// Python bindings of Profile and its parts. Python gets rows as columns.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "bindings.hpp"
#include "corewise/profile.hpp"
#include "text.hpp"
#include "values.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corewise::bindings {
namespace {

std::vector<std::int32_t> plain(const std::vector<OsIndex>& os_pus) {
  std::vector<std::int32_t> numbers;
  for (const OsIndex pu : os_pus) numbers.push_back(raw(pu));
  return numbers;
}

/// A NumPy array with one value of each row.
template <typename Value, typename Get>
nb::object column(const Profile& profile, Get get) {
  const std::size_t n = profile.rows().size();
  auto values = std::make_unique<Value[]>(n);
  std::transform(profile.rows().begin(), profile.rows().end(), values.get(),
                 [&](const ProfileRow& row) { return static_cast<Value>(get(row)); });
  Value* data = values.release();
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<Value*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, Value, nb::ndim<1>>(data, {n}, owner));
}

nb::dict columns(const Profile& profile) {
  nb::dict table;
  table["rank"] = column<std::int32_t>(profile, [](const ProfileRow& row) { return raw(row.rank); });
  table["peer"] = column<std::int32_t>(profile, [](const ProfileRow& row) { return row.peer; });
  table["call"] = column<std::int32_t>(profile, [](const ProfileRow& row) { return row.call; });
  table["size_class"] = column<std::int32_t>(profile, [](const ProfileRow& row) { return row.size_class; });
  table["flow"] = column<std::int32_t>(profile, [](const ProfileRow& row) { return row.flow; });
  table["own_call"] = column<bool>(profile, [](const ProfileRow& row) { return row.own_call; });
  table["comm"] = column<std::int32_t>(profile, [](const ProfileRow& row) { return row.comm; });
  table["count"] = column<std::uint64_t>(profile, [](const ProfileRow& row) { return row.count; });
  table["bytes"] = column<std::uint64_t>(profile, [](const ProfileRow& row) { return row.bytes; });
  table["messages"] = column<std::uint64_t>(profile, [](const ProfileRow& row) { return row.messages; });
  table["sent_bytes"] = column<std::uint64_t>(profile, [](const ProfileRow& row) { return row.sent_bytes; });
  table["time_s"] = column<double>(profile, [](const ProfileRow& row) { return row.time_s; });
  return table;
}

std::vector<std::pair<std::int32_t, std::int32_t>> worlds(const Profile& profile) {
  std::vector<std::pair<std::int32_t, std::int32_t>> found;
  for (const ProfileWorld& world : profile.worlds()) found.emplace_back(raw(world.first), world.n_ranks);
  return found;
}

std::vector<std::pair<double, double>> window_spans(const Profile& profile) {
  std::vector<std::pair<double, double>> spans;
  for (const TimeSpan& window : profile.windows()) spans.emplace_back(window.begin_s, window.end_s);
  return spans;
}

std::vector<std::pair<std::int32_t, CommMatrix>> regions(const Profile& profile, Layer layer,
                                                         CollectiveFlow flow) {
  std::vector<std::pair<std::int32_t, CommMatrix>> pairs;
  for (RegionTraffic& region : profile.regions(layer, flow)) {
    pairs.emplace_back(region.level, std::move(region.matrix));
  }
  return pairs;
}

void bind_comms(nb::module_& module) {
  nb::class_<CommInfo>(module, "CommInfo",
                       "A communicator, or all communicators of the same members together.")
      .def_ro("name", &CommInfo::name, "From MPI_Comm_set_name; may be empty.")
      .def_prop_ro(
          "members",
          [](const CommInfo& comm) {
            std::vector<std::int32_t> members;
            for (const Rank rank : comm.members) members.push_back(raw(rank));
            return members;
          },
          "World ranks in the communicator's order; empty if not recorded.")
      .def_ro("parent", &CommInfo::parent, "Index into Profile.comms; -1: none or unknown.")
      .def_ro("by_identity", &CommInfo::by_identity, "False: all communicators of these members.")
      .def_ro("id", &CommInfo::id, "As in the column `comm` of events.");
}

void bind_ranks(nb::module_& module) {
  nb::class_<ThreadInfo>(module, "ThreadInfo",
                         "A thread of a rank at MPI_Finalize, and the PUs that it may run on.")
      .def_ro("name", &ThreadInfo::name)
      .def_prop_ro(
          "os_pus", [](const ThreadInfo& thread) { return plain(thread.os_pus); }, "OS indices, ascending.")
      .def_ro("cpu_s", &ThreadInfo::cpu_s, "CPU time since the thread started, s; None if not recorded.")
      .def_ro("of_mpi", &ThreadInfo::of_mpi,
              "Whether it is a thread of the MPI library, started in MPI_Init.");

  nb::class_<ProfileNode>(module, "ProfileNode", "Names of a node while it was traced.")
      .def_ro("host", &ProfileNode::host, "From gethostname(2); nodes on one kernel can share it.")
      .def_ro("id", &ProfileNode::id,
              "Identifies the kernel's boot and the network namespace; '' if not recorded (an older tracer).")
      .def_ro("batch_name", &ProfileNode::batch_name, "Name in the batch system; '' without one.")
      .def_ro("addresses", &ProfileNode::addresses, "IPv4 and IPv6 addresses of its network interfaces.");

  nb::class_<RankInfo>(module, "RankInfo", "One rank. `host` is '' for a rank without a record.")
      .def_ro("host", &RankInfo::host)
      .def_ro("node", &RankInfo::node, "Index into Profile.nodes; -1 for a rank without a record.")
      .def_ro("pid", &RankInfo::pid)
      .def_ro("begin_s", &RankInfo::begin_s, "End of MPI_Init, s since that of the first rank.")
      .def_prop_ro(
          "os_pus", [](const RankInfo& rank) { return plain(rank.os_pus); },
          "CPU affinity at the end of MPI_Init, OS indices, ascending; [] if not recorded.")
      .def_ro("threads", &RankInfo::threads, "All threads at MPI_Finalize; [] if not recorded.")
      .def_ro("wall_s", &RankInfo::wall_s,
              "Time from the end of MPI_Init to MPI_Finalize, or to the last recorded call.")
      .def_ro("mpi_s", &RankInfo::mpi_s, "Time inside MPI calls, summed over all threads.")
      .def_ro("cpu_s", &RankInfo::cpu_s,
              "CPU time of all threads, including ended ones, during wall_s; None if not recorded.")
      .def_ro("finished", &RankInfo::finished, "Whether it reached MPI_Finalize.")
      .def_ro("traced", &RankInfo::traced, "Whether its calls were recorded.")
      .def_prop_ro(
          "mpi_library",
          [](const RankInfo& rank) -> std::optional<std::string> {
            if (!rank.mpi_library) return std::nullopt;
            return *rank.mpi_library == MpiLibrary::openmpi ? "openmpi" : "mpich";
          },
          "Family of its MPI library, 'openmpi' or 'mpich'; None if not recorded (an older tracer).")
      .def_prop_ro(
          "device_variables",
          [](const RankInfo& rank) {
            nb::dict values;
            for (const auto& [name, value] : rank.device_variables) values[name.c_str()] = value;
            return values;
          },
          nb::sig("def device_variables(self) -> dict[str, str]"),
          "Environment variables that choose its GPUs and network cards, as set at the end of MPI_Init.")
      .def_ro("device_files", &RankInfo::device_files,
              "Device files of GPUs that were open at MPI_Finalize, such as /dev/nvidia0.");
}

}  // namespace

void bind_profile(nb::module_& module) {
  nb::enum_<Layer>(module, "Layer", "Point to point, collectives, one-sided, MPI-IO.")
      .value("p2p", Layer::p2p)
      .value("coll", Layer::coll)
      .value("rma", Layer::rma)
      .value("io", Layer::io);
  nb::enum_<RowFlow>(module, "RowFlow", nb::is_arithmetic(), "Meaning of the bytes of a profile's row.")
      .value("none", RowFlow::none)
      .value("sent", RowFlow::sent)
      .value("fetched", RowFlow::fetched)
      .value("collective", RowFlow::collective)
      .value("waited", RowFlow::waited);
  nb::enum_<CollectiveFlow>(module, "CollectiveFlow", "How the data of collectives travels.")
      .value("logical", CollectiveFlow::logical)
      .value("ring", CollectiveFlow::ring)
      .value("recursive_doubling", CollectiveFlow::recursive_doubling)
      .value("binomial", CollectiveFlow::binomial);
  nb::class_<CallInfo>(module, "CallInfo", "An MPI function that the tracer intercepts.")
      .def_ro("name", &CallInfo::name)
      .def_ro("layer", &CallInfo::layer);
  bind_ranks(module);
  bind_comms(module);

  nb::class_<Profile> bound(module, "Profile",
                            "A traced job, summed up per rank, call, peer and size class.");
  bind_value(bound, [](const Profile& profile) { return std::hash<std::string>{}(profile.job()); });
  bound
      .def_static("read", &Profile::read, "directory"_a, nb::call_guard<nb::gil_scoped_release>(),
                  "Reads a directory of node files, each up to its first damaged record. Raises InputError "
                  "for a directory without profiles, a file that is no profile or from a newer version, or "
                  "files of two jobs.")
      .def("__repr__",
           [](const Profile& profile) {
             return concat("<corewise.Profile of ", profile.n_ranks(), " ranks, ",
                           profile.complete() ? "complete" : "incomplete", ">");
           })
      .def_prop_ro("job", &Profile::job)
      .def_prop_ro("n_ranks", &Profile::n_ranks)
      .def_prop_ro("ranks", &Profile::ranks)
      .def_prop_ro(
          "worlds", &worlds,
          "(first rank, n_ranks) of each MPI_COMM_WORLD: the launcher's, then those of spawned processes by "
          "start time.")
      .def_prop_ro("nodes", &Profile::nodes, "Sorted by file name.")
      .def_prop_ro("calls", &Profile::calls,
                   "The MPI functions; the column `call` has indices into this list.")
      .def("columns", &columns, nb::sig("def columns(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
           "The rows as a dict of arrays of equal length: rank, peer (-1: none), call, size_class (0: no "
           "bytes; k: 2^(k-1) <= bytes < 2^k), flow (RowFlow), own_call, comm (index into comms; -1: "
           "unknown), count, bytes (of a collective, the contribution of the caller), messages and "
           "sent_bytes (sent by the rank; of collectives by their logical flow), time_s.")
      .def_prop_ro("comms", &Profile::comms,
                   "The communicators; the column `comm` has indices into this list.")
      .def_prop_ro("windows", &window_spans, "(begin_s, end_s) of each window; [] if not recorded.")
      .def("size_class_matrix", &Profile::size_class_matrix, "layer"_a, "size_class"_a,
           "Messages of one layer in one size class; collectives by their logical flow.")
      .def("regions", &regions, "layer"_a = Layer::p2p, "flow"_a = CollectiveFlow::logical,
           "(level, CommMatrix) for each level of MPI_Pcontrol; [] if not recorded.")
      .def_prop_ro("complete", &Profile::complete,
                   "Whether every rank was recorded up to MPI_Finalize, and nothing was lost except events.")
      .def_prop_ro("faults", &Profile::faults, "What was lost, one sentence each.")
      .def_prop_ro("calls_without_room", &Profile::calls_without_room,
                   "Number of calls that were lost because the profile's file system was full.")
      .def_prop_ro(
          "n_events", [](const Profile& profile) { return profile.events().count; },
          "Number of recorded events, including parts; 0 unless the job was traced with --mode events.")
      .def_prop_ro(
          "event_bytes", [](const Profile& profile) { return profile.events().bytes; },
          "Size of the events in the files, bytes.")
      .def_prop_ro(
          "n_events_dropped", [](const Profile& profile) { return profile.events().dropped; },
          "Number of events that were not recorded, because the size limit was reached.")
      .def_prop_ro(
          "skipped_chunks", [](const Profile& profile) { return profile.skipped().count; },
          "Number of chunks that were skipped, because a newer tracer wrote them. They do not count as "
          "damage.")
      .def_prop_ro(
          "skipped_bytes", [](const Profile& profile) { return profile.skipped().bytes; },
          "Size of the skipped chunks, bytes.")
      .def("traffic", &Profile::traffic, "layer"_a = Layer::p2p, "large_threshold_bytes"_a = 32768,
           "flow"_a = CollectiveFlow::logical, nb::call_guard<nb::gil_scoped_release>(),
           "The traffic of one layer. Its phases are stretches of windows with different patterns. `large` "
           "has the messages of at least the threshold, rounded up to a power of two.");
}

}  // namespace corewise::bindings
