/// resolve_connections(): pairs the sides of connections between MPI_COMM_WORLDs, then sets rows' peers.
#include "traffic/profile_connections.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace corewise {
namespace {

/// One side of a connection: the ranks of one MPI_COMM_WORLD that take part in it.
struct Side {
  cw_profile_connection record{};         ///< of its root; if that is missing, of any of its ranks
  std::map<std::uint32_t, Rank> members;  ///< [rank in the side]
  const Side* other = nullptr;            ///< NULL: not in the profile, or ambiguous
};

/// Is this the side that called MPI_Comm_spawn or MPI_Comm_accept?
bool is_opened(const Side& side) {
  return side.record.kind == CW_CONNECTION_SPAWNS || side.record.kind == CW_CONNECTION_ACCEPTS;
}

/// Can the two sides belong to one connection? Spawned processes start MPI_Init during the call that spawns
/// them. The calls of MPI_Comm_accept and MPI_Comm_connect overlap in time.
bool may_be_of(const Side& opened, const Side& joined) {
  const cw_profile_connection& a = opened.record;
  const cw_profile_connection& b = joined.record;
  if (a.n_own != b.n_other || a.n_other != b.n_own) return false;
  if (a.kind == CW_CONNECTION_ACCEPTS) {
    return b.kind == CW_CONNECTION_CONNECTS &&
           std::max(a.begin_unix_ns, b.begin_unix_ns) <= std::min(a.end_unix_ns, b.end_unix_ns);
  }
  const bool is_spawner = a.spawner == b.spawner || a.spawner == 0 || b.spawner == 0;
  return b.kind == CW_CONNECTION_SPAWNED && is_spawner && a.begin_unix_ns <= b.begin_unix_ns &&
         b.begin_unix_ns <= a.end_unix_ns;
}

class Connections {
 public:
  explicit Connections(const std::vector<ProfileFile>& files) {
    for (const ProfileFile& file : files) {
      for (const FileConnection& found : file.connections) add(file.world, found);
    }
    while (pair_once()) {
    }
  }

  /// The process that `rank` knows by this number; empty if it was not traced, or if its side is ambiguous.
  [[nodiscard]] std::optional<Rank> process(Rank rank, std::uint32_t number) const {
    const auto known = known_.find(rank);
    if (known == known_.end()) return std::nullopt;
    const auto after = known->second.upper_bound(number);
    if (after == known->second.begin()) return std::nullopt;
    const auto& [first, side] = *std::prev(after);
    if (side->other == nullptr) return std::nullopt;
    const auto member = side->other->members.find(number - first);
    return member == side->other->members.end() ? std::nullopt : std::optional(member->second);
  }

 private:
  void add(const std::string& world, const FileConnection& found) {
    const cw_profile_connection& record = found.record;
    Side& side = sides_.try_emplace({world, record.id}, Side{record, {}, nullptr}).first->second;
    if (record.is_root != 0) side.record = record;
    side.members.try_emplace(record.own_rank, found.rank);
    known_[found.rank].try_emplace(record.first, &side);
  }

  /// Pairs each joined side with its only candidate, unless that is the only candidate of another joined side
  /// too. Returns whether it paired any.
  bool pair_once() {
    std::map<Side*, std::vector<Side*>> only_choice_of;
    for (auto& [key, joined] : sides_) {
      if (is_opened(joined) || joined.other != nullptr) continue;
      Side* const choice = only_choice(joined);
      if (choice != nullptr) only_choice_of[choice].push_back(&joined);
    }
    bool any = false;
    for (const auto& [opened, joined] : only_choice_of) {
      if (joined.size() != 1) continue;
      opened->other = joined.front();
      joined.front()->other = opened;
      any = true;
    }
    return any;
  }

  [[nodiscard]] Side* only_choice(const Side& joined) {
    Side* found = nullptr;
    for (auto& [key, opened] : sides_) {
      if (!is_opened(opened) || opened.other != nullptr || !may_be_of(opened, joined)) continue;
      if (found != nullptr) return nullptr;
      found = &opened;
    }
    return found;
  }

  std::map<std::pair<std::string, std::uint64_t>, Side> sides_;  ///< [MPI_COMM_WORLD, id]
  /// [rank][the rank's number for the other side's rank 0]
  std::map<Rank, std::map<std::uint32_t, const Side*>> known_;
};

void count_fault(ProfileFile& file, const FileRow& row) {
  const auto rank = std::ranges::find(file.ranks, row.rank, &FileRank::rank);
  if (rank != file.ranks.end()) rank->record.faults[CW_FAULT_FOREIGN_PEER] += row.row.count;
}

}  // namespace

void resolve_connections(std::vector<ProfileFile>& files) {
  const Connections connections(files);
  for (ProfileFile& file : files) {
    for (FileRow& found : file.rows) {
      cw_profile_row& row = found.row;
      if (row.peer >= -1) continue;
      const auto process = connections.process(found.rank, static_cast<std::uint32_t>(-2 - row.peer));
      row.peer = process ? raw(*process) : -1;
      if (process) continue;
      row.flags &= static_cast<std::uint8_t>(~(CW_ROW_TO_PEER | CW_ROW_FROM_PEER));
      row.bytes = 0;
      count_fault(file, found);
    }
  }
}

}  // namespace corewise
