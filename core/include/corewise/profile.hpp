/// Profile: a traced job, folded per rank, call, peer and size class; read from the files the tracer wrote.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corewise/traffic.hpp"

namespace corewise {

/// Which calls made the traffic: point to point, collective, one-sided; MPI-IO, whose bytes have no peer.
enum class Layer { p2p, coll, rma, io };

/// An intercepted MPI call, as the tracer's table names it.
struct CallInfo {
  std::string name;  ///< "MPI_Send", ...
  Layer layer = Layer::p2p;
};

/// What the bytes of a row are.
enum class RowFlow {
  none,        ///< a call that sends nothing, or nothing that is known: time only
  sent,        ///< messages from `rank` to `peer`
  fetched,     ///< one-sided: from `peer` to `rank`
  collective,  ///< the calls' own size; Profile::traffic expands it over the communicator
};

/// One row of a profile: all calls of one kind by one rank towards one peer in one size class.
struct ProfileRow {
  Rank rank;               ///< the caller
  std::int32_t peer = -1;  ///< world rank of the other end; -1 where there is none
  std::int32_t call = 0;   ///< index into Profile::calls()
  int size_class =
      0;  ///< bits of the size: 0 is empty, k holds 2^(k-1) <= bytes < 2^k (per peer, for collectives)
  RowFlow flow = RowFlow::none;
  bool own_call =
      true;  ///< false: transfers of calls that other rows count and time (to one peer of an all-to-all-v)
  std::uint64_t count = 0;  ///< calls, or messages where own_call is false
  std::uint64_t bytes = 0;
  double time_s = 0;
};

/// A thread of a rank at MPI_Finalize and where it may run.
struct ThreadInfo {
  std::string name;
  std::vector<OsIndex> os_pus;  ///< ascending
  /// CPU time since the thread began; empty where it was not recorded (a killed rank, an older tracer).
  std::optional<double> cpu_s;
  bool of_mpi = false;  ///< MPI_Init started it: the library's own thread, not the program's
};

/// What a node called itself while it was traced. All but `host` is empty where an older tracer wrote it.
struct ProfileNode {
  std::string host;                    ///< as gethostname(2) says it; nodes on one kernel share it
  std::string id;                      ///< of the kernel's boot and of the network that the node is in
  std::string batch_name;              ///< its name in the batch system; empty without one
  std::vector<std::string> addresses;  ///< of its network interfaces, IPv4 and IPv6
};

/// What is known of each rank; `host` is empty and `node` -1 for a rank that never reported.
struct RankInfo {
  std::string host;
  std::int32_t node = -1;  ///< index into Profile::nodes()
  std::int32_t pid = 0;
  std::vector<OsIndex> os_pus;  ///< mask seen at the end of MPI_Init, ascending; empty when none was recorded
  std::vector<ThreadInfo> threads;
  double wall_s = 0;  ///< from the end of MPI_Init to MPI_Finalize, or to the last call seen
  double mpi_s = 0;   ///< inside MPI calls, all threads together
  /// CPU time of all threads, ended ones too, over wall_s; empty where it was not recorded.
  std::optional<double> cpu_s;
  bool finished = false;  ///< reached MPI_Finalize
  bool traced = false;    ///< its calls were recorded
};

/// Parts of a profile's files that this reader does not know, so a newer tracer wrote them. They are no
/// damage.
struct SkippedChunks {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
};

/// What the tracer recorded of one job.
class Profile {
 public:
  /// Reads a directory of node files. The file of a killed job, or of a full disk, is read as
  /// far as it is sound; one that lost its end after the job is refused.
  /// @throws Error(bad_input) for a directory without profiles, a foreign or newer file, or files of two
  /// jobs.
  [[nodiscard]] static Profile read(const std::string& directory);

  [[nodiscard]] const std::string& job() const { return job_; }
  [[nodiscard]] std::int32_t n_ranks() const { return static_cast<std::int32_t>(ranks_.size()); }
  [[nodiscard]] const std::vector<RankInfo>& ranks() const { return ranks_; }
  /// One for each file of the directory, sorted by the files' names.
  [[nodiscard]] const std::vector<ProfileNode>& nodes() const { return nodes_; }
  /// Sorted by rank, call, peer and size class.
  [[nodiscard]] const std::vector<ProfileRow>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<CallInfo>& calls() const { return calls_; }
  /// Every rank was seen and reached MPI_Finalize, and the tracer lost nothing.
  [[nodiscard]] bool complete() const { return complete_; }
  /// What the tracer lost and what the files lack, one sentence each; empty when all went well.
  [[nodiscard]] const std::vector<std::string>& faults() const { return faults_; }
  /// What the files hold beyond the rest of this profile.
  [[nodiscard]] const SkippedChunks& skipped() const { return skipped_; }

  /// One layer as traffic of one phase. `large` holds what travels in messages of at least the smallest power
  /// of two that is not below `large_threshold_bytes`; its threshold_bytes says which. Sizes of collectives
  /// are those of their logical messages.
  /// @throws Error(unsupported) where collectives expand to more than 2^27 pairs.
  [[nodiscard]] Traffic traffic(Layer layer, std::uint64_t large_threshold_bytes) const;

 private:
  friend class ProfileBuilder;

  /// A collective row waiting for its expansion: what `caller` puts in.
  struct CollectiveRow {
    Rank caller;
    std::size_t group = 0;   ///< index into groups_
    int flow = 0;            ///< cw_profile_flow
    std::int32_t root = -1;  ///< rank in the group
    int size_class = 0;
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
  };

  [[nodiscard]] CommMatrix matrix(Layer layer, int smallest_size_class) const;
  void expand_collectives(int smallest_size_class, std::vector<MatrixEntry>& entries) const;

  std::string job_;
  std::vector<RankInfo> ranks_;
  std::vector<ProfileNode> nodes_;
  std::vector<CallInfo> calls_;
  std::vector<ProfileRow> rows_;
  std::vector<CollectiveRow> collectives_;
  std::vector<std::vector<Rank>> groups_;  ///< members of each communicator, in its order
  bool complete_ = false;
  std::vector<std::string> faults_;
  SkippedChunks skipped_;
};

}  // namespace corewise
