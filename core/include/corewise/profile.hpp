/// Profile: a traced job, folded per rank, call, peer and size class; read from the files the tracer wrote.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corewise/traffic.hpp"

namespace corewise {

enum class Layer { p2p, coll, rma };

/// One row of a profile: all calls of one kind by one rank towards one peer in one size class.
struct ProfileRow {
  Rank rank;               ///< the caller
  std::int32_t peer = -1;  ///< world rank of the destination; -1 where the call has none
  std::string call;        ///< "MPI_Send", ...
  Layer layer = Layer::p2p;
  int size_class = 0;  ///< messages of 2^(k-1) < bytes <= 2^k; 0 holds empty and one-byte messages
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  double time_s = 0;
};

/// What is known of each rank.
struct RankInfo {
  std::string host;
  std::vector<OsIndex> os_pus;  ///< mask seen at MPI_Init, OS indices; empty when none was recorded
  double wall_s = 0;            ///< from the end of MPI_Init to MPI_Finalize, or to the last call seen
  double mpi_s = 0;
  bool finished = false;  ///< reached MPI_Finalize
};

class Profile {
 public:
  /// Reads a directory of node files. A truncated or unfinished file is read as far as it is sound.
  /// @throws Error(bad_input) for a directory without profiles, a foreign or newer file, or files of two jobs.
  [[nodiscard]] static Profile read(const std::string& directory);

  [[nodiscard]] std::int32_t n_ranks() const { return static_cast<std::int32_t>(ranks_.size()); }
  [[nodiscard]] const std::vector<RankInfo>& ranks() const { return ranks_; }
  [[nodiscard]] const std::vector<ProfileRow>& rows() const { return rows_; }
  /// Every rank was seen and reached MPI_Finalize, and the tracer lost nothing.
  [[nodiscard]] bool complete() const { return complete_; }
  /// Faults that the tracer counted, one sentence each; empty when all went well.
  [[nodiscard]] const std::vector<std::string>& faults() const { return faults_; }

  /// One layer as traffic. For p2p, `large` holds the messages of at least `large_threshold_bytes`.
  [[nodiscard]] Traffic traffic(Layer layer, std::uint64_t large_threshold_bytes) const;

 private:
  std::vector<RankInfo> ranks_;
  std::vector<ProfileRow> rows_;
  bool complete_ = false;
  std::vector<std::string> faults_;
};

}  // namespace corewise
