/// Merges rows: adds up the rows of a rank's threads, resolves communicators, and numbers windows in order.
#include "traffic/row_merger.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>

#include "traffic/collective_flow.hpp"
#include "traffic/comm_places.hpp"

namespace corewise {

std::vector<RowShare> RowMerger::shares_of(const ProfileFile& file) const {
  if (windows_.any()) return windows_.shares(file);
  std::vector<RowShare> whole;
  for (std::size_t i = 0; i < file.rows.size(); ++i) {
    whole.push_back({i, 0, 1, file.rows[i].row.count, file.rows[i].row.bytes});
  }
  return whole;
}

void RowMerger::add(const ProfileFile& file, const std::vector<std::int32_t>& call_of,
                    const std::vector<double>& ticks_per_s) {
  const auto rate_of = [&](const FileRow& row) {
    return ticks_per_s[static_cast<std::size_t>(raw(row.rank))];
  };
  add_members(file);
  for (const FileRow& row : file.rows) {
    if (rate_of(row) > 0) add_row(file, row, call_of[row.row.call], rate_of(row));
  }
  for (const RowShare& share : shares_of(file)) {
    const FileRow& row = file.rows[share.row];
    if (rate_of(row) > 0) add_share(file, share, call_of[row.row.call]);
  }
}

void RowMerger::add_row(const ProfileFile& file, const FileRow& found, std::int32_t call,
                        double ticks_per_s) {
  const cw_profile_row& row = found.row;
  ProfileRow added;
  added.rank = found.rank;
  added.call = call;
  added.size_class = row.size_class;
  added.own_call = (row.flags & CW_ROW_CALL) != 0;
  added.count = row.count;
  added.bytes = row.bytes;
  added.time_s = static_cast<double>(row.ticks) / ticks_per_s;
  const bool collective = (row.flags & CW_ROW_COLLECTIVE) != 0;
  const bool waited = (row.flags & CW_ROW_WAIT) != 0;
  const bool has_pair = (row.flags & (CW_ROW_TO_PEER | CW_ROW_FROM_PEER)) != 0;
  if (collective) {
    added.flow = RowFlow::collective;
  } else if (waited) {
    added.flow = RowFlow::waited;
    added.peer = row.peer;
  } else if (has_pair) {
    added.flow = (row.flags & CW_ROW_TO_PEER) != 0 ? RowFlow::sent : RowFlow::fetched;
    added.peer = row.peer;
    added.messages = row.count;
    added.sent_bytes = row.bytes;
  } else {
    added.sent_bytes = row.bytes;
  }
  if (!waited) profile_.ranks_[static_cast<std::size_t>(raw(found.rank))].mpi_s += added.time_s;
  profile_.rows_.push_back(added);
  use_of_row_.push_back({row.group, collective ? file.calls[row.call].flow : 0, row.peer});
}

void RowMerger::add_share(const ProfileFile& file, const RowShare& share, std::int32_t call) {
  const FileRow& found = file.rows[share.row];
  const cw_profile_row& row = found.row;
  const FileCall& info = file.calls[row.call];
  if ((row.flags & CW_ROW_COLLECTIVE) != 0) {
    profile_.collectives_.push_back({found.rank, -1, call, info.flow, row.peer, row.size_class,
                                     window_index(share.window), share.region, share.count, share.bytes});
    collective_comm_.push_back(row.group);
  } else if ((row.flags & CW_ROW_WAIT) == 0 && (row.flags & (CW_ROW_TO_PEER | CW_ROW_FROM_PEER)) != 0) {
    const bool sent = (row.flags & CW_ROW_TO_PEER) != 0;
    const Rank peer{row.peer};
    profile_.pairs_.push_back({static_cast<Layer>(info.layer), sent ? found.rank : peer,
                               sent ? peer : found.rank, row.size_class, window_index(share.window),
                               share.region, share.count, share.bytes});
  }
}

/// Numbers windows by first occurrence; order_windows() sorts them later.
std::int32_t RowMerger::window_index(std::uint64_t number) {
  const auto next = static_cast<std::int32_t>(window_index_.size());
  return window_index_.try_emplace(number, next).first->second;
}

void RowMerger::add_members(const ProfileFile& file) {
  for (const FileGroup& group : file.groups) {
    std::vector<Rank>& members = groups_[group.id];
    if (!members.empty()) continue;  // already written by another rank
    for (const cw_profile_range& range : group.ranges) {
      for (std::uint32_t i = 0; i < range.count; ++i) {
        members.push_back(Rank{range.first + static_cast<std::int32_t>(i) * range.stride});
      }
    }
  }
  comms_.insert(comms_.end(), file.comms.begin(), file.comms.end());
}

std::uint64_t RowMerger::finish(std::int64_t begin_unix_ns) {
  list_comms();
  for (std::size_t i = 0; i < use_of_row_.size(); ++i) {
    profile_.rows_[i].comm = comm_index(use_of_row_[i].group);
  }
  const std::uint64_t n_unresolved = resolve_collectives();
  count_sent();
  order_windows(begin_unix_ns);
  sort_rows();
  return n_unresolved;
}

void RowMerger::list_comms() {
  for (const cw_profile_comm& comm : comms_) {
    const auto next = static_cast<std::int32_t>(profile_.comms_.size());
    if (comm.id == 0 || !comm_index_.try_emplace(comm.id, next).second) continue;
    const auto members = groups_.find(comm.group);
    profile_.comms_.push_back({{comm.name, strnlen(comm.name, sizeof comm.name)},
                               members == groups_.end() ? std::vector<Rank>{} : members->second,
                               -1,
                               true,
                               comm.id});
  }
  for (const cw_profile_comm& comm : comms_) {
    const auto own = comm_index_.find(comm.id);
    const auto parent = comm_index_.find(comm.parent);
    if (own == comm_index_.end() || parent == comm_index_.end()) continue;
    profile_.comms_[static_cast<std::size_t>(own->second)].parent = parent->second;
  }
}

/// Index of the communicator with this id; -1 for id 0. An id that is not listed belongs to a group, or to a
/// communicator without a record; it gets a new entry.
std::int32_t RowMerger::comm_index(std::uint64_t id) {
  if (id == 0) return -1;
  const auto next = static_cast<std::int32_t>(profile_.comms_.size());
  const auto [at, is_new] = comm_index_.try_emplace(id, next);
  if (is_new) {
    const auto members = groups_.find(id);
    const bool is_group = members != groups_.end();
    profile_.comms_.push_back({"", is_group ? members->second : std::vector<Rank>{}, -1, !is_group, id});
  }
  return at->second;
}

/// Removes collectives whose members are unknown, or whose root is none. Returns their number of calls.
std::uint64_t RowMerger::resolve_collectives() {
  std::uint64_t n_unresolved = 0;
  std::vector<Profile::CollectiveRow> resolved;
  for (std::size_t i = 0; i < profile_.collectives_.size(); ++i) {
    Profile::CollectiveRow& row = profile_.collectives_[i];
    row.comm = comm_index(collective_comm_[i]);
    const std::size_t n_members =
        row.comm < 0 ? 0 : profile_.comms_[static_cast<std::size_t>(row.comm)].members.size();
    if (n_members > 0 && row.root < static_cast<std::int64_t>(n_members)) {
      resolved.push_back(row);
    } else {
      n_unresolved += row.count;
    }
  }
  profile_.collectives_ = std::move(resolved);
  return n_unresolved;
}

/// Sets messages and bytes of collective rows by their logical flow.
void RowMerger::count_sent() {
  CommPlaces places(profile_.comms_);
  for (std::size_t i = 0; i < use_of_row_.size(); ++i) {
    ProfileRow& row = profile_.rows_[i];
    if (row.flow != RowFlow::collective || row.comm < 0) continue;
    const auto place = places.find(row.comm, row.rank);
    const std::size_t n_members = profile_.comms_[static_cast<std::size_t>(row.comm)].members.size();
    const CommUse& use = use_of_row_[i];
    if (!place || use.root >= static_cast<std::int64_t>(n_members)) continue;
    const Contribution sent = sent_logically(use.flow, use.root, n_members, *place, {row.bytes, row.count});
    row.messages = sent.count;
    row.sent_bytes = sent.bytes;
  }
}

/// Sorts windows by time, and adds up pairs of neighbours until there are at most kMostWindows.
void RowMerger::order_windows(std::int64_t begin_unix_ns) {
  unsigned shift = 0;
  std::map<std::uint64_t, std::int32_t> coarse;
  do {
    coarse.clear();
    for (const auto& [number, index] : window_index_) coarse.try_emplace(number >> shift, 0);
  } while (coarse.size() > kMostWindows && ++shift < 64);
  std::vector<std::int32_t> place(window_index_.size());
  const double length_s = std::ldexp(windows_.length_ns(), static_cast<int>(shift)) * 1e-9;
  const double begin_s = static_cast<double>(begin_unix_ns) * 1e-9;
  for (auto& [number, index] : coarse) {
    index = static_cast<std::int32_t>(profile_.windows_.size());
    const double from_s = static_cast<double>(number) * length_s - begin_s;
    const double last_s = profile_.job_s_;
    profile_.windows_.push_back(
        {std::clamp(from_s, 0.0, last_s), std::clamp(from_s + length_s, 0.0, last_s)});
  }
  for (const auto& [number, index] : window_index_) {
    place[static_cast<std::size_t>(index)] = coarse.at(number >> shift);
  }
  const auto by_window = [](const auto& a, const auto& b) { return a.window < b.window; };
  for (Profile::PairRow& row : profile_.pairs_) row.window = place[static_cast<std::size_t>(row.window)];
  for (Profile::CollectiveRow& row : profile_.collectives_)
    row.window = place[static_cast<std::size_t>(row.window)];
  std::stable_sort(profile_.pairs_.begin(), profile_.pairs_.end(), by_window);
  std::stable_sort(profile_.collectives_.begin(), profile_.collectives_.end(), by_window);
  if (!windows_.any()) profile_.windows_.clear();
}

/// Sorts the rows and adds up those of the same key, which different threads of a rank wrote.
void RowMerger::sort_rows() {
  const auto key = [](const ProfileRow& row) {
    return std::tuple(raw(row.rank), row.call, row.peer, row.size_class, row.comm, row.flow, row.own_call);
  };
  std::vector<ProfileRow>& rows = profile_.rows_;
  std::sort(rows.begin(), rows.end(),
            [&](const ProfileRow& a, const ProfileRow& b) { return key(a) < key(b); });
  std::size_t kept = 0;
  for (const ProfileRow& row : rows) {
    if (kept > 0 && key(rows[kept - 1]) == key(row)) {
      ProfileRow& sum = rows[kept - 1];
      sum.count += row.count;
      sum.bytes += row.bytes;
      sum.messages += row.messages;
      sum.sent_bytes += row.sent_bytes;
      sum.time_s += row.time_s;
    } else {
      rows[kept++] = row;
    }
  }
  rows.resize(kept);
}

}  // namespace corewise
