/// Profile::read(): merges the node files of a directory into one profile.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <tuple>

#include "corewise/error.hpp"
#include "corewise/profile.hpp"
#include "text.hpp"
#include "traffic/profile_connections.hpp"
#include "traffic/profile_file.hpp"
#include "traffic/profile_worlds.hpp"
#include "traffic/row_merger.hpp"

namespace corewise {
namespace {

std::vector<ProfileFile> read_directory(const std::string& directory) {
  std::vector<ProfileFile> files;
  for (const std::string& path : profile_paths(directory)) files.push_back(read_profile_file(path));
  return files;
}

/// Sentences for the kinds of faults; each follows a number, as in "12 calls were not counted: ...".
constexpr const char* kFaultSentences[CW_N_FAULTS] = {
    " calls were not counted: no room in the profile's file system (disk full, quota or file size limit)",
    " calls were not counted: out of memory",
    " messages went to processes outside MPI_COMM_WORLD that were not traced, or that can't be distinguished "
    "from "
    "others spawned at the same time: their time is counted, their bytes are not",
    " persistent requests were started that the tracer had not seen made: their messages are not counted",
    " calls used a communicator or window that could not be resolved: their time is counted, their bytes are "
    "not",
    " faults of a kind that this corewise does not know",
    " faults of a kind that this corewise does not know",
    " faults of a kind that this corewise does not know",
};

}  // namespace

class ProfileBuilder {
 public:
  Profile build(std::vector<ProfileFile> files) {
    profile_.worlds_ = join_worlds(files);
    resolve_connections(files);
    RowMerger rows(profile_, files);
    for (const ProfileFile& file : files) add(file, rows);
    set_begins(files);
    const std::uint64_t n_unresolved = rows.finish(begin_unix_ns_.value_or(0));
    if (n_unresolved > 0) {
      fault(concat(n_unresolved,
                   " collective calls belong to communicators whose members were not written (a rank was "
                   "killed, or not traced): their time is counted, their bytes are not"));
    }
    check_ranks();
    profile_.complete_ = profile_.faults_.empty() && all_finished();
    return std::move(profile_);
  }

 private:
  void add(const ProfileFile& file, RowMerger& rows) {
    check_same_job(file);
    node_ = node_index(file.node);
    add_file_faults(file);
    profile_.skipped_.count += file.skipped.count;
    profile_.skipped_.bytes += file.skipped.bytes;
    profile_.events_.count += file.events.count;
    profile_.events_.bytes += file.events.bytes;
    profile_.events_.dropped += file.events.dropped;
    const std::vector<std::int32_t> call_of = add_calls(file);
    add_ranks(file);
    rows.add(file, call_of, ticks_per_s_);
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
                  concat(file.path, ": of job '", file.job, "' with ", file.n_ranks, " ranks, next to ",
                         first_->path, " of job '", first_->job, "' with ", first_->n_ranks,
                         "; expected the files of one job: trace into a separate directory"));
    }
  }

  /// Index of the node, which is new unless an earlier file is of the same node. A node has a file for each
  /// MPI_COMM_WORLD with a process on it.
  std::int32_t node_index(const ProfileNode& node) {
    const auto same = [&](const ProfileNode& other) {
      return std::tie(other.host, other.id, other.batch_name) ==
             std::tie(node.host, node.id, node.batch_name);
    };
    const auto found = std::ranges::find_if(profile_.nodes_, same);
    const auto index = static_cast<std::int32_t>(found - profile_.nodes_.begin());
    if (found == profile_.nodes_.end()) profile_.nodes_.push_back(node);
    return index;
  }

  /// File name without its folder, which may have been renamed since the job.
  static std::string name_of(const ProfileFile& file) {
    return std::filesystem::path(file.path).filename().string();
  }

  void add_file_faults(const ProfileFile& file) {
    if (file.truncated)
      fault(concat(name_of(file), ": shorter than what was written; read as far as it goes"));
    if (file.n_damaged > 0)
      fault(concat(name_of(file), ": ", file.n_damaged, " damaged parts were left out"));
    if (file.n_refused > 0) {
      fault(concat(file.node.host, ": ", file.n_refused,
                   " processes of a second program in the same job were not recorded"));
    }
  }

  /// [call of the file] -> index into calls_. Different builds of the tracer have different tables.
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
        fault(concat("rank ", i, " appears twice: in ", name_of(file), " and before; the first is used"));
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
    add_devices(file, records);
  }

  void add_devices(const ProfileFile& file, const std::vector<const cw_profile_rank*>& records) {
    for (const FileDevice& device : file.devices) {
      const auto i = static_cast<std::size_t>(raw(device.rank));
      if (records[i] == nullptr) continue;
      RankInfo& rank = profile_.ranks_[i];
      if (!device.name.empty()) {
        rank.device_variables.push_back({device.name, device.value});
        continue;
      }
      std::istringstream words(device.value);
      for (std::string word; words >> word;) rank.device_files.push_back("/dev/" + word);
    }
    for (RankInfo& rank : profile_.ranks_) std::ranges::sort(rank.device_files);
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

  /// Sets the ranks' start times and the job's length, by the clocks of the nodes.
  void set_begins(const std::vector<ProfileFile>& files) {
    std::vector<std::int64_t> begin_unix_ns(profile_.ranks_.size());
    for (const ProfileFile& file : files) {
      for (const FileRank& rank : file.ranks) {
        const std::int64_t begin = rank.record.begin_unix_ns;
        begin_unix_ns[static_cast<std::size_t>(raw(rank.rank))] = begin;
        begin_unix_ns_ = std::min(begin_unix_ns_.value_or(begin), begin);
      }
    }
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if (seen_[i] == 0) continue;
      RankInfo& rank = profile_.ranks_[i];
      rank.begin_s = (static_cast<double>(begin_unix_ns[i]) - static_cast<double>(*begin_unix_ns_)) * 1e-9;
      profile_.job_s_ = std::max(profile_.job_s_, rank.begin_s + rank.wall_s);
    }
  }

  /// @pre `file` was written on node `node_`.
  RankInfo rank_info(const ProfileFile& file, const cw_profile_rank& record) const {
    RankInfo info;
    info.host = file.node.host;
    info.node = node_;
    info.pid = static_cast<std::int32_t>(record.pid);
    info.os_pus = os_indices(record.mask, record.mask_bytes);
    info.finished = record.finished != 0;
    info.traced = record.traced != 0;
    if (record.mpi_library == CW_MPI_LIBRARY_OPENMPI) info.mpi_library = MpiLibrary::openmpi;
    if (record.mpi_library == CW_MPI_LIBRARY_MPICH) info.mpi_library = MpiLibrary::mpich;
    if (record.cpu_ns > 0) info.cpu_s = static_cast<double>(record.cpu_ns) * 1e-9;
    if (record.end_ticks > record.begin_ticks) {
      info.wall_s = static_cast<double>(record.end_ticks - record.begin_ticks) / record.ticks_per_s;
    }
    return info;
  }

  /// Sets wall_s of a killed rank: until the end of its last call.
  void add_last_call(const cw_profile_rank* record, const FileLastCall& last) {
    if (record == nullptr || record->end_ticks != 0 || last.ticks <= record->begin_ticks) return;
    double& wall_s = profile_.ranks_[static_cast<std::size_t>(raw(last.rank))].wall_s;
    wall_s = std::max(wall_s, static_cast<double>(last.ticks - record->begin_ticks) / record->ticks_per_s);
  }

  void check_ranks() {
    for (int k = 0; k < CW_N_FAULTS; ++k) {
      if (lost_[k] > 0) fault(concat(lost_[k], kFaultSentences[k]));
    }
    profile_.calls_without_room_ = lost_[CW_FAULT_NO_SPACE];
    const auto missing = std::count(seen_.begin(), seen_.end(), 0);
    if (missing > 0) fault(concat(missing, " of ", seen_.size(), " ranks wrote no profile"));
  }

  [[nodiscard]] bool all_finished() const {
    return std::all_of(profile_.ranks_.begin(), profile_.ranks_.end(),
                       [](const RankInfo& rank) { return rank.finished; });
  }

  void fault(std::string sentence) { profile_.faults_.push_back(std::move(sentence)); }

  Profile profile_;
  const ProfileFile* first_ = nullptr;
  std::int32_t node_ = -1;  ///< index into nodes_ of the file that is being added
  std::vector<char> seen_;
  std::vector<double> ticks_per_s_;
  std::map<std::string, std::int32_t> call_index_;
  std::optional<std::int64_t> begin_unix_ns_;  ///< of the first rank
  std::uint64_t lost_[CW_N_FAULTS] = {};
};

Profile Profile::read(const std::string& directory) {
  return ProfileBuilder().build(read_directory(directory));
}

}  // namespace corewise
