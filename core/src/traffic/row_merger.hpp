/// RowMerger: merges the rows of all node files of a job, with their communicators and windows.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "corewise/profile.hpp"
#include "traffic/profile_file.hpp"
#include "traffic/profile_windows.hpp"

namespace corewise {

/// Fills rows, messages, communicators and windows of a Profile.
class RowMerger {
 public:
  /// @param files  all files of the job, because they determine the length of the windows.
  RowMerger(Profile& profile, const std::vector<ProfileFile>& files) : profile_(profile), windows_(files) {}

  /// @param call_of      [call of the file] -> index into Profile::calls()
  /// @param ticks_per_s  [rank] 0 if the file has no record of the rank; its rows are then left out
  void add(const ProfileFile& file, const std::vector<std::int32_t>& call_of,
           const std::vector<double>& ticks_per_s);

  /// Call it after the last add(). @param begin_unix_ns  start of the job.
  /// @return number of collective calls that were left out, because their communicator's members are unknown.
  [[nodiscard]] std::uint64_t finish(std::int64_t begin_unix_ns);

 private:
  struct CommUse {
    std::uint64_t group = 0;  ///< id of the communicator or group
    int flow = 0;             ///< cw_profile_flow
    std::int32_t root = -1;
  };

  [[nodiscard]] std::vector<RowShare> shares_of(const ProfileFile& file) const;
  void add_row(const ProfileFile& file, const FileRow& found, std::int32_t call, double ticks_per_s);
  void add_share(const ProfileFile& file, const RowShare& share, std::int32_t call);
  [[nodiscard]] std::int32_t window_index(std::uint64_t number);
  void add_members(const ProfileFile& file);
  void list_comms();
  [[nodiscard]] std::int32_t comm_index(std::uint64_t id);
  [[nodiscard]] std::uint64_t resolve_collectives();
  void count_sent();
  void order_windows(std::int64_t begin_unix_ns);
  void sort_rows();

  Profile& profile_;
  WindowAssembly windows_;
  std::vector<CommUse> use_of_row_;             ///< [index into Profile::rows_]
  std::vector<std::uint64_t> collective_comm_;  ///< [index into Profile::collectives_] id
  std::map<std::uint64_t, std::int32_t> window_index_;
  std::map<std::uint64_t, std::vector<Rank>> groups_;
  std::vector<cw_profile_comm> comms_;
  std::map<std::uint64_t, std::int32_t> comm_index_;
};

}  // namespace corewise
