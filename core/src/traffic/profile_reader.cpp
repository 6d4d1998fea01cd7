/// Profile::read: the node files of a directory merged into one profile.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <tuple>

#include "corewise/error.hpp"
#include "corewise/profile.hpp"
#include "text.hpp"
#include "traffic/profile_file.hpp"

namespace corewise {
namespace {

std::vector<ProfileFile> read_directory(const std::string& directory) {
  std::error_code failed;
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(directory, failed)) {
    if (entry.path().extension() == CW_PROFILE_SUFFIX) paths.push_back(entry.path().string());
  }
  if (failed) {
    throw Error(ErrorCode::bad_input, concat(directory, ": ", failed.message(),
                                             "; expected a directory that `corewise trace -o` wrote"));
  }
  if (paths.empty()) {
    throw Error(ErrorCode::bad_input, concat(directory, ": holds no profile (*", CW_PROFILE_SUFFIX,
                                             "); expected a directory that `corewise trace -o` wrote"));
  }
  std::sort(paths.begin(), paths.end());
  std::vector<ProfileFile> files;
  for (const std::string& path : paths) files.push_back(read_profile_file(path));
  return files;
}

/// "12 calls were not counted: ..." for each kind of fault, summed over ranks.
constexpr const char* kFaultSentences[CW_N_FAULTS] = {
    " calls were not counted: no room in the profile's file system (disk full, quota or file size limit)",
    " calls were not counted: out of memory",
    " messages went to processes outside MPI_COMM_WORLD: their time is counted, their bytes are not",
    " persistent requests were started that the tracer had not seen made: their messages are not counted",
    " calls used a communicator or window that could not be resolved: their time is counted, their bytes are "
    "not",
    " faults of a kind that this corewise does not know",
    " faults of a kind that this corewise does not know",
    " faults of a kind that this corewise does not know",
};

}  // namespace

/// Adds one node file after the other to a Profile.
class ProfileBuilder {
 public:
  Profile build(const std::vector<ProfileFile>& files) {
    for (const ProfileFile& file : files) add(file);
    sort_rows();
    check_ranks();
    profile_.complete_ = profile_.faults_.empty() && all_finished();
    return std::move(profile_);
  }

 private:
  void add(const ProfileFile& file) {
    check_same_job(file);
    profile_.nodes_.push_back(file.node);
    add_file_faults(file);
    profile_.skipped_.count += file.skipped.count;
    profile_.skipped_.bytes += file.skipped.bytes;
    const std::vector<std::int32_t> call_of = add_calls(file);
    add_ranks(file);
    add_groups(file);
    for (const FileRow& row : file.rows) add_row(file, row, call_of);
  }

  void check_same_job(const ProfileFile& file) {
    if (first_ == nullptr) {
      first_ = &file;
      profile_.job_ = file.job;
      profile_.ranks_.resize(static_cast<std::size_t>(file.n_ranks));
      seen_.assign(static_cast<std::size_t>(file.n_ranks), 0);
    }
    if (file.job != first_->job || file.n_ranks != first_->n_ranks) {
      throw Error(ErrorCode::bad_input,
                  concat(file.path, ": of job '", file.job, "' with ", file.n_ranks, " ranks, beside ",
                         first_->path, " of job '", first_->job, "' with ", first_->n_ranks,
                         "; expected the files of one job: trace into a directory of its own"));
    }
  }

  void add_file_faults(const ProfileFile& file) {
    if (file.truncated) fault(concat(file.path, ": shorter than what was written; read as far as it goes"));
    if (file.n_damaged > 0) fault(concat(file.path, ": ", file.n_damaged, " damaged parts were left out"));
    if (file.n_refused > 0) {
      fault(concat(file.node.host, ": ", file.n_refused,
                   " processes of a second program in the same job were not recorded"));
    }
  }

  /// Index in calls_ of each call of the file: files may come from builds with different tables.
  std::vector<std::int32_t> add_calls(const ProfileFile& file) {
    std::vector<std::int32_t> call_of;
    for (const FileCall& call : file.calls) {
      const auto next = static_cast<std::int32_t>(profile_.calls_.size());
      const auto [at, is_new] = call_index_.try_emplace(call.name, next);
      if (is_new) profile_.calls_.push_back({call.name, static_cast<Layer>(call.layer)});
      call_of.push_back(at->second);
    }
    return call_of;
  }

  void add_ranks(const ProfileFile& file) {
    ticks_per_s_.assign(profile_.ranks_.size(), 0);
    std::vector<const cw_profile_rank*> records(profile_.ranks_.size());
    for (const FileRank& rank : file.ranks) {
      const auto i = static_cast<std::size_t>(raw(rank.rank));
      if (seen_[i] != 0) {
        fault(concat("rank ", i, " stands twice: in ", file.path, " and before; the first is used"));
        continue;
      }
      seen_[i] = 1;
      records[i] = &rank.record;
      ticks_per_s_[i] = rank.record.ticks_per_s;
      profile_.ranks_[i] = rank_info(file, rank.record);
      for (int k = 0; k < CW_N_FAULTS; ++k) lost_[k] += rank.record.faults[k];
    }
    for (const FileLastCall& last : file.last_calls)
      add_last_call(records[static_cast<std::size_t>(raw(last.rank))], last);
    add_threads(file, records);
  }

  void add_threads(const ProfileFile& file, const std::vector<const cw_profile_rank*>& records) {
    std::map<std::pair<std::int32_t, std::uint32_t>, const cw_profile_thread_time*> time_of;  // [rank, tid]
    for (const FileThreadTime& time : file.thread_times) {
      time_of[{raw(time.rank), time.record.tid}] = &time.record;
    }
    for (const FileThread& thread : file.threads) {
      const auto i = static_cast<std::size_t>(raw(thread.rank));
      if (records[i] == nullptr) continue;
      const cw_profile_thread& record = thread.record;
      ThreadInfo info;
      info.name = {record.name, strnlen(record.name, sizeof record.name)};
      info.os_pus = os_indices(record.mask, record.mask_bytes);
      const auto time = time_of.find({raw(thread.rank), record.tid});
      if (time != time_of.end()) {
        info.cpu_s = static_cast<double>(time->second->cpu_ns) * 1e-9;
        info.of_mpi = time->second->of_mpi != 0;
      }
      profile_.ranks_[i].threads.push_back(std::move(info));
    }
  }

  /// @pre the file's node is the last of nodes_.
  RankInfo rank_info(const ProfileFile& file, const cw_profile_rank& record) const {
    RankInfo info;
    info.host = file.node.host;
    info.node = static_cast<std::int32_t>(profile_.nodes_.size()) - 1;
    info.pid = static_cast<std::int32_t>(record.pid);
    info.os_pus = os_indices(record.mask, record.mask_bytes);
    info.finished = record.finished != 0;
    info.traced = record.traced != 0;
    if (record.cpu_ns > 0) info.cpu_s = static_cast<double>(record.cpu_ns) * 1e-9;
    if (record.end_ticks > record.begin_ticks) {
      info.wall_s = static_cast<double>(record.end_ticks - record.begin_ticks) / record.ticks_per_s;
    }
    return info;
  }

  /// A killed rank lasted until its last call.
  void add_last_call(const cw_profile_rank* record, const FileLastCall& last) {
    if (record == nullptr || record->end_ticks != 0 || last.ticks <= record->begin_ticks) return;
    double& wall_s = profile_.ranks_[static_cast<std::size_t>(raw(last.rank))].wall_s;
    wall_s = std::max(wall_s, static_cast<double>(last.ticks - record->begin_ticks) / record->ticks_per_s);
  }

  void add_groups(const ProfileFile& file) {
    for (const FileGroup& group : file.groups) {
      const auto [at, is_new] = group_index_.try_emplace(group.id, profile_.groups_.size());
      if (!is_new) continue;
      std::vector<Rank> members;
      for (const cw_profile_range& range : group.ranges) {
        for (std::uint32_t i = 0; i < range.count; ++i) {
          members.push_back(Rank{range.first + static_cast<std::int32_t>(i) * range.stride});
        }
      }
      profile_.groups_.push_back(std::move(members));
    }
  }

  void add_row(const ProfileFile& file, const FileRow& found, const std::vector<std::int32_t>& call_of) {
    const cw_profile_row& row = found.row;
    const auto i = static_cast<std::size_t>(raw(found.rank));
    if (ticks_per_s_[i] == 0) return;  // a row of a rank whose own record is lost has no unit of time
    const bool collective = (row.flags & CW_ROW_COLLECTIVE) != 0;
    ProfileRow added;
    added.rank = found.rank;
    added.call = call_of[row.call];
    added.size_class = row.size_class;
    added.own_call = (row.flags & CW_ROW_CALL) != 0;
    added.count = row.count;
    added.bytes = row.bytes;
    added.time_s = static_cast<double>(row.ticks) / ticks_per_s_[i];
    if (collective) {
      added.flow = RowFlow::collective;
      unresolved_.push_back(
          {found.rank, row.group, file.calls[row.call].flow, row.peer, row.size_class, row.count, row.bytes});
    } else if ((row.flags & (CW_ROW_TO_PEER | CW_ROW_FROM_PEER)) != 0) {
      added.flow = (row.flags & CW_ROW_TO_PEER) != 0 ? RowFlow::sent : RowFlow::fetched;
      added.peer = row.peer;
    }
    profile_.ranks_[i].mpi_s += added.time_s;
    profile_.rows_.push_back(added);
  }

  static auto key(const ProfileRow& row) {
    return std::tuple(raw(row.rank), row.call, row.peer, row.size_class, row.flow, row.own_call);
  }

  /// Threads and communicators of one rank write rows of their own: equal keys are added up.
  void sort_rows() {
    std::vector<ProfileRow>& rows = profile_.rows_;
    std::sort(rows.begin(), rows.end(),
              [](const ProfileRow& a, const ProfileRow& b) { return key(a) < key(b); });
    std::size_t kept = 0;
    for (const ProfileRow& row : rows) {
      if (kept > 0 && key(rows[kept - 1]) == key(row)) {
        rows[kept - 1].count += row.count;
        rows[kept - 1].bytes += row.bytes;
        rows[kept - 1].time_s += row.time_s;
      } else {
        rows[kept++] = row;
      }
    }
    rows.resize(kept);
    resolve_groups();
  }

  void resolve_groups() {
    std::uint64_t n_unresolved = 0;
    for (const Unresolved& row : unresolved_) {
      const auto group = group_index_.find(row.group);
      const bool known = group != group_index_.end();
      const bool root_fits =
          known && row.root < static_cast<std::int64_t>(profile_.groups_[group->second].size());
      if (root_fits) {
        profile_.collectives_.push_back(
            {row.caller, group->second, row.flow, row.root, row.size_class, row.count, row.bytes});
      } else {
        n_unresolved += row.count;
      }
    }
    if (n_unresolved > 0) {
      fault(concat(n_unresolved,
                   " collective calls belong to communicators whose members were not written (a rank was "
                   "killed, or not traced): their time is counted, their bytes are not"));
    }
  }

  void check_ranks() {
    for (int k = 0; k < CW_N_FAULTS; ++k) {
      if (lost_[k] > 0) fault(concat(lost_[k], kFaultSentences[k]));
    }
    const auto missing = std::count(seen_.begin(), seen_.end(), 0);
    if (missing > 0) fault(concat(missing, " of ", seen_.size(), " ranks wrote no profile"));
  }

  [[nodiscard]] bool all_finished() const {
    return std::all_of(profile_.ranks_.begin(), profile_.ranks_.end(),
                       [](const RankInfo& rank) { return rank.finished; });
  }

  void fault(std::string sentence) { profile_.faults_.push_back(std::move(sentence)); }

  struct Unresolved {
    Rank caller;
    std::uint64_t group;
    int flow;
    std::int32_t root;
    int size_class;
    std::uint64_t count;
    std::uint64_t bytes;
  };

  Profile profile_;
  const ProfileFile* first_ = nullptr;
  std::vector<char> seen_;
  std::vector<double> ticks_per_s_;
  std::map<std::string, std::int32_t> call_index_;
  std::map<std::uint64_t, std::size_t> group_index_;
  std::vector<Unresolved> unresolved_;
  std::uint64_t lost_[CW_N_FAULTS] = {};
};

Profile Profile::read(const std::string& directory) {
  return ProfileBuilder().build(read_directory(directory));
}

}  // namespace corewise
