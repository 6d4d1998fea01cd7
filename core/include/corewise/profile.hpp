/// Profile: a traced job, folded per rank, call, peer and size class; read from the files the tracer wrote.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "corewise/traffic.hpp"

namespace corewise {

/// Which calls made the traffic: point to point, collective, one-sided; MPI-IO, whose bytes have no peer.
enum class Layer { p2p, coll, rma, io };

/// An intercepted MPI call, as the tracer's table names it.
struct CallInfo {
  std::string name;  ///< "MPI_Send", ...
  Layer layer = Layer::p2p;
  friend bool operator==(const CallInfo&, const CallInfo&) = default;
};

/// What the bytes of a row are.
enum class RowFlow {
  none,        ///< a call that sends nothing, or nothing that is known: time only
  sent,        ///< messages from `rank` to `peer`
  fetched,     ///< one-sided: from `peer` to `rank`
  collective,  ///< the calls' own size; Profile::traffic expands it over the communicator
  waited,      ///< messages of `peer` that were waited for: time only, which other rows hold too
};

/// How the data of collectives travels.
enum class CollectiveFlow {
  logical,             ///< from who has it to who gets it, whatever algorithm the MPI library chooses
  ring,                ///< allgather and allreduce around a logical ring
  recursive_doubling,  ///< allgather and allreduce between members i and i xor 2^k
  binomial,            ///< broadcast, reduce, gather, scatter and allreduce along a binomial tree
};

/// One row of a profile: all calls of one kind by one rank towards one peer in one size class.
struct ProfileRow {
  Rank rank;               ///< the caller
  std::int32_t peer = -1;  ///< world rank of the other end; -1 if there is none
  std::int32_t call = 0;   ///< index into Profile::calls()
  int size_class =
      0;  ///< bits of the size: 0 is empty, k holds 2^(k-1) <= bytes < 2^k (per peer, for collectives)
  RowFlow flow = RowFlow::none;
  bool own_call =
      true;  ///< false: transfers of calls that other rows count and time (to one peer of an all-to-all-v)
  std::int32_t comm = -1;   ///< index into Profile::comms(); -1: not recorded
  std::uint64_t count = 0;  ///< calls, or messages where own_call is false
  std::uint64_t bytes =
      0;  ///< of a collective: what the caller puts in, for each peer where all get the same
  std::uint64_t messages =
      0;  ///< that leave `rank` (arrive, where fetched); collectives by their logical flow
  std::uint64_t sent_bytes = 0;  ///< in these messages; of MPI-IO, to or from the file
  double time_s = 0;
  friend bool operator==(const ProfileRow&, const ProfileRow&) = default;
};

/// A communicator, or all communicators of the same members together.
struct CommInfo {
  std::string name;           ///< as the program gave it; may be empty
  std::vector<Rank> members;  ///< in its order; empty if they were not written
  std::int32_t parent = -1;   ///< index into Profile::comms(); -1: none or unknown
  bool by_identity = true;    ///< false: all communicators of these members
  std::uint64_t id = 0;       ///< as Event::comm has it
  friend bool operator==(const CommInfo&, const CommInfo&) = default;
};

/// Traffic between two calls of MPI_Pcontrol, all times together that they gave the same level.
struct RegionTraffic {
  std::int32_t level = 1;  ///< what MPI_Pcontrol was given; 1 before its first call
  CommMatrix matrix;
};

/// A thread of a rank at MPI_Finalize and where it may run.
struct ThreadInfo {
  std::string name;
  std::vector<OsIndex> os_pus;  ///< ascending
  /// CPU time since the thread began; empty if it was not recorded (a killed rank, an older tracer).
  std::optional<double> cpu_s;
  bool of_mpi = false;  ///< MPI_Init started it: the library's own thread, not the program's
  friend bool operator==(const ThreadInfo&, const ThreadInfo&) = default;
};

/// What a node called itself while it was traced. All but `host` is empty if an older tracer wrote it.
struct ProfileNode {
  std::string host;                    ///< as gethostname(2) says it; nodes on one kernel share it
  std::string id;                      ///< of the kernel's boot and of the network that the node is in
  std::string batch_name;              ///< its name in the batch system; empty without one
  std::vector<std::string> addresses;  ///< of its network interfaces, IPv4 and IPv6
  friend bool operator==(const ProfileNode&, const ProfileNode&) = default;
};

/// The family of an MPI library: what is built with one can't load another, and each has its own rules for
/// how collectives travel.
enum class MpiLibrary { openmpi, mpich };

/// One MPI_COMM_WORLD of the job: its ranks have the profile's numbers from `first` on, in their order.
struct ProfileWorld {
  Rank first;
  std::int32_t n_ranks = 0;
  friend bool operator==(const ProfileWorld&, const ProfileWorld&) = default;
};

/// What is known of each rank; `host` is empty and `node` -1 for a rank that never reported.
struct RankInfo {
  std::string host;
  std::int32_t node = -1;  ///< index into Profile::nodes()
  std::int32_t pid = 0;
  double begin_s = 0;           ///< end of MPI_Init, from that of the first rank on, by the clock of its node
  std::vector<OsIndex> os_pus;  ///< mask seen at the end of MPI_Init, ascending; empty when none was recorded
  std::vector<ThreadInfo> threads;
  double wall_s = 0;  ///< from the end of MPI_Init to MPI_Finalize, or to the last call seen
  double mpi_s = 0;   ///< inside MPI calls, all threads together
  /// CPU time of all threads, ended ones too, over wall_s; empty if it was not recorded.
  std::optional<double> cpu_s;
  bool finished = false;                  ///< reached MPI_Finalize
  bool traced = false;                    ///< its calls were recorded
  std::optional<MpiLibrary> mpi_library;  ///< empty if an older tracer wrote it
  friend bool operator==(const RankInfo&, const RankInfo&) = default;
};

/// Parts of a profile's files that this reader does not know, so a newer tracer wrote them. They are no
/// damage.
struct SkippedChunks {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  friend bool operator==(const SkippedChunks&, const SkippedChunks&) = default;
};

/// Events of all ranks, as far as they can be counted without reading them; read_events() reads them.
struct EventTotals {
  std::uint64_t count = 0;    ///< written, parts of events included
  std::uint64_t bytes = 0;    ///< of the chunks that hold them
  std::uint64_t dropped = 0;  ///< left out by the tracer: the size that the user allows was reached
  friend bool operator==(const EventTotals&, const EventTotals&) = default;
};

/// What the tracer recorded of one job.
class Profile {
 public:
  /// Reads a directory of node files. The file of a killed job, or of a full disk, is read up
  /// to its first damaged record; one that lost its end after the job is refused.
  /// @throws Error(bad_input) for a directory without profiles, a foreign or newer file, or files of two
  /// jobs.
  [[nodiscard]] static Profile read(const std::string& directory);

  [[nodiscard]] const std::string& job() const { return job_; }
  [[nodiscard]] std::int32_t n_ranks() const { return static_cast<std::int32_t>(ranks_.size()); }
  [[nodiscard]] const std::vector<RankInfo>& ranks() const { return ranks_; }
  /// The one that the launcher started, then those that MPI_Comm_spawn made, by their begin.
  [[nodiscard]] const std::vector<ProfileWorld>& worlds() const { return worlds_; }
  /// Sorted by the names of their files.
  [[nodiscard]] const std::vector<ProfileNode>& nodes() const { return nodes_; }
  /// Sorted by rank, call, peer, size class and communicator.
  [[nodiscard]] const std::vector<ProfileRow>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<CallInfo>& calls() const { return calls_; }
  [[nodiscard]] const std::vector<CommInfo>& comms() const { return comms_; }
  /// Stretches of time of one length in which something was sent; empty if the tracer recorded none.
  [[nodiscard]] const std::vector<TimeSpan>& windows() const { return windows_; }
  /// All 0 if the mode of tracing was another one than `events`.
  [[nodiscard]] const EventTotals& events() const { return events_; }
  /// Every rank was seen and reached MPI_Finalize, and the tracer lost nothing; events may be left out.
  [[nodiscard]] bool complete() const { return complete_; }
  /// What the tracer lost and what the files lack, one sentence each; empty when all went well.
  [[nodiscard]] const std::vector<std::string>& faults() const { return faults_; }
  /// Calls that are not in it since the profile's file system had no room; those of ranks without a record
  /// are not counted.
  [[nodiscard]] std::uint64_t calls_without_room() const { return calls_without_room_; }
  /// What the files hold beyond the rest of this profile.
  [[nodiscard]] const SkippedChunks& skipped() const { return skipped_; }

  /// One layer as traffic. If the profile has windows, find_stretches() divides it into phases; otherwise it
  /// is one phase. `large` contains the messages of at least the smallest power of two that is not below
  /// `large_threshold_bytes`, which its threshold_bytes names. Sizes of collectives are those of their
  /// logical messages.
  /// @throws Error(unsupported) if collectives expand to more than 2^27 pairs.
  [[nodiscard]] Traffic traffic(Layer layer, std::uint64_t large_threshold_bytes,
                                CollectiveFlow flow = CollectiveFlow::logical) const;

  /// What one layer sends in messages of one size class, by the logical flow. @throws as traffic().
  [[nodiscard]] CommMatrix size_class_matrix(Layer layer, int size_class) const;
  /// One layer in each window. @throws as traffic().
  [[nodiscard]] std::vector<CommMatrix> window_matrices(Layer layer, CollectiveFlow flow) const;
  /// One layer in each region, ascending by level; empty if the profile has no windows. @throws as
  /// traffic().
  [[nodiscard]] std::vector<RegionTraffic> regions(Layer layer, CollectiveFlow flow) const;
  friend bool operator==(const Profile&, const Profile&) = default;

 private:
  friend class ProfileBuilder;
  friend class RowMerger;
  friend struct NounMembers;  // of the bindings: pickles profiles

  /// Messages of one row, in one window where there are any.
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
  /// A collective row waiting for its expansion: what `caller` puts in.
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
  double job_s_ = 0;  ///< from the begin of the first rank to the end of the last
  bool complete_ = false;
  std::vector<std::string> faults_;
  std::uint64_t calls_without_room_ = 0;
  SkippedChunks skipped_;

  auto members() {
    return std::tie(job_, ranks_, worlds_, nodes_, calls_, rows_, pairs_, collectives_, comms_, windows_,
                    events_, job_s_, complete_, faults_, calls_without_room_, skipped_);
  }
};

}  // namespace corewise
