/// Profile and RankInfo. Rows cross the border as columns.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "archive.hpp"
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

/// One value of each row, as a NumPy array that owns it.
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
      .def_ro("name", &CommInfo::name, "As the program gave it; may be empty.")
      .def_prop_ro(
          "members",
          [](const CommInfo& comm) {
            std::vector<std::int32_t> members;
            for (const Rank rank : comm.members) members.push_back(raw(rank));
            return members;
          },
          "World ranks in its order; empty where they were not written.")
      .def_ro("parent", &CommInfo::parent, "Index into Profile.comms; -1: none or unknown.")
      .def_ro("by_identity", &CommInfo::by_identity, "False: all communicators of these members.")
      .def_ro("id", &CommInfo::id, "As the column `comm` of events has it.");
}

void bind_ranks(nb::module_& module) {
  nb::class_<ThreadInfo>(module, "ThreadInfo", "A thread of a rank at MPI_Finalize and where it may run.")
      .def_ro("name", &ThreadInfo::name)
      .def_prop_ro(
          "os_pus", [](const ThreadInfo& thread) { return plain(thread.os_pus); }, "os_index, ascending.")
      .def_ro("cpu_s", &ThreadInfo::cpu_s,
              "CPU time since the thread began, s; None where it was not recorded.")
      .def_ro("of_mpi", &ThreadInfo::of_mpi, "MPI_Init started it: the library's own thread.");

  nb::class_<ProfileNode>(module, "ProfileNode", "What a node called itself while it was traced.")
      .def_ro("host", &ProfileNode::host, "As gethostname(2) says it; nodes on one kernel share it.")
      .def_ro(
          "id", &ProfileNode::id,
          "Of the kernel's boot and of the network that the node is in; '' where an older tracer wrote it.")
      .def_ro("batch_name", &ProfileNode::batch_name, "Its name in the batch system; '' without one.")
      .def_ro("addresses", &ProfileNode::addresses, "Of its network interfaces, IPv4 and IPv6.");

  nb::class_<RankInfo>(module, "RankInfo",
                       "What is known of a rank; `host` is empty where it never reported.")
      .def_ro("host", &RankInfo::host)
      .def_ro("node", &RankInfo::node, "Index into Profile.nodes; -1 where it never reported.")
      .def_ro("pid", &RankInfo::pid)
      .def_ro("begin_s", &RankInfo::begin_s, "End of MPI_Init, s from that of the first rank on.")
      .def_prop_ro(
          "os_pus", [](const RankInfo& rank) { return plain(rank.os_pus); },
          "Affinity mask at the end of MPI_Init, os_index, ascending; empty where none was recorded.")
      .def_ro("threads", &RankInfo::threads, "Every thread at MPI_Finalize, where masks were recorded.")
      .def_ro("wall_s", &RankInfo::wall_s,
              "From the end of MPI_Init to MPI_Finalize, or to the last call seen.")
      .def_ro("mpi_s", &RankInfo::mpi_s, "Inside MPI calls, all threads together.")
      .def_ro("cpu_s", &RankInfo::cpu_s,
              "CPU time of all threads, ended ones too, over wall_s; None where it was not recorded.")
      .def_ro("finished", &RankInfo::finished, "Reached MPI_Finalize.")
      .def_ro("traced", &RankInfo::traced, "Its calls were recorded.")
      .def_prop_ro(
          "mpi_library",
          [](const RankInfo& rank) -> std::optional<std::string> {
            if (!rank.mpi_library) return std::nullopt;
            return *rank.mpi_library == MpiLibrary::openmpi ? "openmpi" : "mpich";
          },
          "openmpi or mpich, the family of its MPI library; None where an older tracer wrote it.");
}

}  // namespace

void bind_profile(nb::module_& module) {
  nb::enum_<Layer>(module, "Layer", "Point to point, collectives, one-sided, MPI-IO.")
      .value("p2p", Layer::p2p)
      .value("coll", Layer::coll)
      .value("rma", Layer::rma)
      .value("io", Layer::io);
  nb::enum_<RowFlow>(module, "RowFlow", nb::is_arithmetic(), "What the bytes of a profile's row are.")
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
  nb::class_<CallInfo>(module, "CallInfo", "An intercepted MPI call.")
      .def_ro("name", &CallInfo::name)
      .def_ro("layer", &CallInfo::layer);
  bind_ranks(module);
  bind_comms(module);

  nb::class_<Profile> bound(module, "Profile", "A traced job, folded per rank, call, peer and size class.");
  bind_value(bound, [](const Profile& profile) { return std::hash<std::string>{}(profile.job()); });
  bind_pickle(bound);
  bound
      .def_static("read", &Profile::read, "directory"_a, nb::call_guard<nb::gil_scoped_release>(),
                  "Reads a directory of node files, up to the first damaged record. Raises InputError for a "
                  "directory without "
                  "profiles, a foreign or newer file, or files of two jobs.")
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
          "(first rank, n_ranks) of each MPI_COMM_WORLD: the one that the launcher started, then spawned "
          "ones by their begin.")
      .def_prop_ro("nodes", &Profile::nodes, "Sorted by the names of their files.")
      .def_prop_ro("calls", &Profile::calls, "What the column `call` indexes.")
      .def("columns", &columns, nb::sig("def columns(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
           "The rows as a dict of equally long arrays: rank, peer (-1: none), call, size_class (bits of the "
           "size: class k "
           "holds 2^(k-1) <= bytes < 2^k), flow (RowFlow), own_call, comm (index into comms; -1: unknown), "
           "count, "
           "bytes (of a collective what the caller puts in), messages and sent_bytes (what leaves the rank; "
           "collectives by their logical flow), time_s.")
      .def_prop_ro("comms", &Profile::comms, "What the column `comm` indexes.")
      .def_prop_ro("windows", &window_spans,
                   "(begin_s, end_s) of each window; empty where none were recorded.")
      .def("size_class_matrix", &Profile::size_class_matrix, "layer"_a, "size_class"_a,
           "What a layer sends in messages of one size class; collectives by their logical flow.")
      .def("regions", &regions, "layer"_a = Layer::p2p, "flow"_a = CollectiveFlow::logical,
           "(level, CommMatrix) for each level that MPI_Pcontrol was given; empty where none were recorded.")
      .def_prop_ro("complete", &Profile::complete, "Every rank reached MPI_Finalize and nothing was lost.")
      .def_prop_ro("faults", &Profile::faults, "What was lost, one sentence each.")
      .def_prop_ro("calls_without_room", &Profile::calls_without_room,
                   "Calls that were lost because the profile's file system had no room.")
      .def_prop_ro(
          "n_events", [](const Profile& profile) { return profile.events().count; },
          "Events that the files hold, parts of events included; 0 without the mode `events`.")
      .def_prop_ro(
          "event_bytes", [](const Profile& profile) { return profile.events().bytes; },
          "What they take in the files.")
      .def_prop_ro(
          "n_events_dropped", [](const Profile& profile) { return profile.events().dropped; },
          "Events that were left out: the limit was reached.")
      .def_prop_ro(
          "skipped_chunks", [](const Profile& profile) { return profile.skipped().count; },
          "Parts of the files that a newer tracer wrote and this reader does not know; they are no fault.")
      .def_prop_ro(
          "skipped_bytes", [](const Profile& profile) { return profile.skipped().bytes; }, "Their bytes.")
      .def("traffic", &Profile::traffic, "layer"_a = Layer::p2p, "large_threshold_bytes"_a = 32768,
           "flow"_a = CollectiveFlow::logical, nb::call_guard<nb::gil_scoped_release>(),
           "One layer as Traffic, whose phases are stretches of windows with different patterns; `large` "
           "holds messages of at least the threshold, rounded up to a power of "
           "two.");
}

}  // namespace corewise::bindings
