/// The rows of all node files of a job: merged, with their communicators and windows.
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
  /// @param files  all files of the job: windows are as long as the longest of any of them
  RowMerger(Profile& profile, const std::vector<ProfileFile>& files) : profile_(profile), windows_(files) {}

  /// @param call_of      index into Profile::calls() of each call of the file
  /// @param ticks_per_s  [rank]; 0: the file has no record of the rank, whose rows are left out then
  void add(const ProfileFile& file, const std::vector<std::int32_t>& call_of,
           const std::vector<double>& ticks_per_s);

  /// After all files; `begin_unix_ns` is that of the job. Returns how many collective calls name a
  /// communicator whose members are unknown.
  [[nodiscard]] std::uint64_t finish(std::int64_t begin_unix_ns);

 private:
  /// What a row needs of its communicator.
  struct CommUse {
    std::uint64_t group = 0;
    int flow = 0;
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
  std::vector<CommUse> use_of_row_;             ///< of Profile::rows_
  std::vector<std::uint64_t> collective_comm_;  ///< id, of Profile::collectives_
  std::map<std::uint64_t, std::int32_t> window_index_;
  std::map<std::uint64_t, std::vector<Rank>> groups_;
  std::vector<cw_profile_comm> comms_;
  std::map<std::uint64_t, std::int32_t> comm_index_;
};

}  // namespace corewise
