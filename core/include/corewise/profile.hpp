/// Profile: a traced job, summed up per rank, call, peer and size class. Read from the files of the tracer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "corewise/traffic.hpp"

namespace corewise {

/// Kind of call: point to point, collective, one-sided, or MPI-IO (whose bytes have no peer).
enum class Layer { p2p, coll, rma, io };

/// An MPI function that the tracer intercepts.
struct CallInfo {
  std::string name;  ///< "MPI_Send", ...
  Layer layer = Layer::p2p;
  friend bool operator==(const CallInfo&, const CallInfo&) = default;
};

/// Meaning of the bytes of a row.
enum class RowFlow {
  none,        ///< the call sends nothing, or it is not known what: the row has only its time
  sent,        ///< messages from `rank` to `peer`
  fetched,     ///< one-sided: from `peer` to `rank`
  collective,  ///< size of the calls; Profile::traffic() expands it over the communicator
  waited,      ///< time spent waiting for messages of `peer`; other rows contain the same time
};

/// How the data of collectives travels.
enum class CollectiveFlow {
  logical,             ///< directly from the ranks that have the data to those that get it
  ring,                ///< allgather and allreduce around a logical ring
  recursive_doubling,  ///< allgather and allreduce between members i and i xor 2^k
  binomial,            ///< broadcast, reduce, gather, scatter and allreduce along a binomial tree
};

/// One row of a profile: all calls of one kind by one rank to one peer in one size class.
struct ProfileRow {
  Rank rank;               ///< the caller
  std::int32_t peer = -1;  ///< world rank of the other end; -1 if there is none
  std::int32_t call = 0;   ///< index into Profile::calls()
  int size_class = 0;      ///< 0: no bytes; k: 2^(k-1) <= bytes < 2^k (of collectives, bytes per peer)
  RowFlow flow = RowFlow::none;
  bool own_call = true;        ///< false: a message of a call whose count and time are in another row, for
                               ///< example to one peer of an MPI_Alltoallv
  std::int32_t comm = -1;      ///< index into Profile::comms(); -1: not recorded
  std::uint64_t count = 0;     ///< calls; messages if own_call is false
  std::uint64_t bytes = 0;     ///< of a collective: contribution of the caller; per peer if the same for all
  std::uint64_t messages = 0;  ///< sent by `rank` (fetched: received); of collectives by their logical flow
  std::uint64_t sent_bytes = 0;  ///< bytes of these messages; of MPI-IO, to or from the file
  double time_s = 0;
  friend bool operator==(const ProfileRow&, const ProfileRow&) = default;
};

/// A communicator, or all communicators of the same members together.
struct CommInfo {
  std::string name;           ///< from MPI_Comm_set_name; may be empty
  std::vector<Rank> members;  ///< world ranks in the communicator's order; empty if not recorded
  std::int32_t parent = -1;   ///< index into Profile::comms(); -1: none or unknown
  bool by_identity = true;    ///< false: all communicators of these members
  std::uint64_t id = 0;       ///< as in Event::comm
  friend bool operator==(const CommInfo&, const CommInfo&) = default;
};

/// Traffic while MPI_Pcontrol's level had this value, summed over all such times.
struct RegionTraffic {
  std::int32_t level = 1;  ///< argument of the last MPI_Pcontrol; 1 before its first call
  CommMatrix matrix;
};

/// A thread of a rank at MPI_Finalize, and the PUs that it may run on.
struct ThreadInfo {
  std::string name;
  std::vector<OsIndex> os_pus;  ///< ascending
  /// CPU time since the thread started; empty if not recorded (a killed rank, an older tracer).
  std::optional<double> cpu_s;
  bool of_mpi = false;  ///< a thread of the MPI library, started in MPI_Init
  friend bool operator==(const ThreadInfo&, const ThreadInfo&) = default;
};

/// An environment variable that chooses the devices that a rank may use, such as CUDA_VISIBLE_DEVICES.
struct DeviceVariable {
  std::string name;
  std::string value;
  friend bool operator==(const DeviceVariable&, const DeviceVariable&) = default;
};

/// Names of a node while it was traced. Older tracers recorded only `host`.
struct ProfileNode {
  std::string host;                    ///< from gethostname(2); nodes on one kernel can share it
  std::string id;                      ///< identifies the kernel's boot and the network namespace
  std::string batch_name;              ///< name in the batch system; empty without one
  std::vector<std::string> addresses;  ///< of its network interfaces, IPv4 and IPv6
  friend bool operator==(const ProfileNode&, const ProfileNode&) = default;
};

/// Family of MPI libraries with the same ABI and the same rules for the algorithms of collectives.
enum class MpiLibrary { openmpi, mpich };

/// One MPI_COMM_WORLD of the job. In the profile its ranks are numbered first, first + 1, ...
struct ProfileWorld {
  Rank first;
  std::int32_t n_ranks = 0;
  friend bool operator==(const ProfileWorld&, const ProfileWorld&) = default;
};

/// One rank. `host` is empty and `node` is -1 for a rank without a record.
struct RankInfo {
  std::string host;
  std::int32_t node = -1;  ///< index into Profile::nodes()
  std::int32_t pid = 0;
  double begin_s = 0;           ///< end of MPI_Init, since that of the first rank, by the node's clock
  std::vector<OsIndex> os_pus;  ///< CPU affinity at the end of MPI_Init, ascending; empty if not recorded
  std::vector<ThreadInfo> threads;
  double wall_s = 0;  ///< from the end of MPI_Init to MPI_Finalize, or to the last recorded call
  double mpi_s = 0;   ///< inside MPI calls, summed over all threads
  /// CPU time of all threads, including ended ones, during wall_s; empty if not recorded.
  std::optional<double> cpu_s;
  bool finished = false;                         ///< reached MPI_Finalize
  bool traced = false;                           ///< its calls were recorded
  std::optional<MpiLibrary> mpi_library;         ///< empty if not recorded (an older tracer)
  std::vector<DeviceVariable> device_variables;  ///< set at the end of MPI_Init; empty in older files
  std::vector<std::string> device_files;  ///< of GPUs, open at MPI_Finalize ("/dev/nvidia0"), ascending
  friend bool operator==(const RankInfo&, const RankInfo&) = default;
};

/// Chunks of kinds that only newer tracers know. They are skipped and do not count as damage.
struct SkippedChunks {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  friend bool operator==(const SkippedChunks&, const SkippedChunks&) = default;
};

/// Number of events, known without reading them (read_events() does that).
struct EventTotals {
  std::uint64_t count = 0;    ///< recorded events, including parts (Event::part)
  std::uint64_t bytes = 0;    ///< size of their chunks
  std::uint64_t dropped = 0;  ///< not recorded, because the user's size limit was reached
  friend bool operator==(const EventTotals&, const EventTotals&) = default;
};

/// The trace of one job.
class Profile {
 public:
  /// Reads a directory of node files. If the job was killed, or the disk was full, a file is read as far as
  /// it is intact. A file that was truncated after the job is refused.
  /// @throws Error(bad_input) for a directory without profiles, a file that is no profile or from a newer
  /// version, or files of two jobs.
  [[nodiscard]] static Profile read(const std::string& directory);

  [[nodiscard]] const std::string& job() const { return job_; }
  [[nodiscard]] std::int32_t n_ranks() const { return static_cast<std::int32_t>(ranks_.size()); }
  [[nodiscard]] const std::vector<RankInfo>& ranks() const { return ranks_; }
  /// The launcher's MPI_COMM_WORLD, then those of spawned processes by start time.
  [[nodiscard]] const std::vector<ProfileWorld>& worlds() const { return worlds_; }
  /// Sorted by file name.
  [[nodiscard]] const std::vector<ProfileNode>& nodes() const { return nodes_; }
  /// Sorted by rank, call, peer, size class and communicator.
  [[nodiscard]] const std::vector<ProfileRow>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<CallInfo>& calls() const { return calls_; }
  [[nodiscard]] const std::vector<CommInfo>& comms() const { return comms_; }
  /// Time windows of equal length, without those in which nothing was sent; empty if not recorded.
  [[nodiscard]] const std::vector<TimeSpan>& windows() const { return windows_; }
  /// All 0 unless the job was traced with --mode events.
  [[nodiscard]] const EventTotals& events() const { return events_; }
  /// Whether every rank was recorded up to MPI_Finalize, and nothing was lost except events.
  [[nodiscard]] bool complete() const { return complete_; }
  /// What was lost, one sentence each; empty if nothing was.
  [[nodiscard]] const std::vector<std::string>& faults() const { return faults_; }
  /// Number of calls lost because the file system was full, without those of ranks without a record.
  [[nodiscard]] std::uint64_t calls_without_room() const { return calls_without_room_; }
  /// Chunks that were not read.
  [[nodiscard]] const SkippedChunks& skipped() const { return skipped_; }

  /// The traffic of one layer. If the profile has windows, find_stretches() divides it into phases; otherwise
  /// it is one phase. Traffic::large contains the messages from a threshold on: `large_threshold_bytes`,
  /// rounded up to a power of two. The size of a collective is that of its logical messages.
  /// @throws Error(unsupported) if collectives expand to more than 2^27 pairs.
  [[nodiscard]] Traffic traffic(Layer layer, std::uint64_t large_threshold_bytes,
                                CollectiveFlow flow = CollectiveFlow::logical) const;

  /// Messages of one layer in one size class; collectives by their logical flow. @throws as traffic().
  [[nodiscard]] CommMatrix size_class_matrix(Layer layer, int size_class) const;
  /// Messages of one layer, [window]. @throws as traffic().
  [[nodiscard]] std::vector<CommMatrix> window_matrices(Layer layer, CollectiveFlow flow) const;
  /// Messages of one layer in each region, by ascending level; empty if the profile has no windows.
  /// @throws as traffic().
  [[nodiscard]] std::vector<RegionTraffic> regions(Layer layer, CollectiveFlow flow) const;
  friend bool operator==(const Profile&, const Profile&) = default;

 private:
  friend class ProfileBuilder;
  friend class RowMerger;

  /// Messages of one row; if the profile has windows, in one window.
  struct PairRow {
    Layer layer = Layer::p2p;
    Rank src;
    Rank dst;
    int size_class = 0;
    std::int32_t window = 0;  ///< index into windows_
    std::int32_t region = 1;
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    friend bool operator==(const PairRow&, const PairRow&) = default;
  };
  /// Contribution of `caller` to collectives, before their expansion to messages.
  struct CollectiveRow {
    Rank caller;
    std::int32_t comm = -1;  ///< index into comms_
    std::int32_t call = 0;   ///< index into calls_
    int flow = 0;            ///< cw_profile_flow
    std::int32_t root = -1;  ///< rank in the communicator
    int size_class = 0;
    std::int32_t window = 0;  ///< index into windows_
    std::int32_t region = 1;
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    friend bool operator==(const CollectiveRow&, const CollectiveRow&) = default;
  };

  struct RowRange {
    std::span<const PairRow> pairs;
    std::span<const CollectiveRow> collectives;
  };
  [[nodiscard]] RowRange all_rows() const { return {pairs_, collectives_}; }
  template <typename Wanted>
  [[nodiscard]] CommMatrix matrix(Layer layer, CollectiveFlow flow, const RowRange& range,
                                  const Wanted& wanted) const;
  void expand_collectives(const std::vector<const CollectiveRow*>& wanted, CollectiveFlow flow,
                          std::vector<MatrixEntry>& entries) const;
  [[nodiscard]] std::vector<Phase> phases(Layer layer, CollectiveFlow flow) const;

  std::string job_;
  std::vector<RankInfo> ranks_;
  std::vector<ProfileWorld> worlds_;
  std::vector<ProfileNode> nodes_;
  std::vector<CallInfo> calls_;
  std::vector<ProfileRow> rows_;
  std::vector<PairRow> pairs_;              ///< ascending by window
  std::vector<CollectiveRow> collectives_;  ///< ascending by window
  std::vector<CommInfo> comms_;
  std::vector<TimeSpan> windows_;
  EventTotals events_;
  double job_s_ = 0;  ///< from the start of the first rank to the end of the last
  bool complete_ = false;
  std::vector<std::string> faults_;
  std::uint64_t calls_without_room_ = 0;
  SkippedChunks skipped_;
};

}  // namespace corewise
