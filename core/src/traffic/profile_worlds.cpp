/// join_worlds(): renumbers the ranks of all files, one MPI_COMM_WORLD after the other.
#include "traffic/profile_worlds.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <tuple>

namespace corewise {
namespace {

/// New numbers for the ranks and ids of a file.
struct Renumbering {
  std::int32_t first_rank = 0;
  std::int32_t n_ranks = 0;  ///< of all MPI_COMM_WORLDs
  std::uint64_t salt = 0;    ///< makes ids unique: without it, each MPI_COMM_WORLD has the same ids

  [[nodiscard]] Rank rank(Rank of_world) const { return Rank{raw(of_world) + first_rank}; }
  [[nodiscard]] std::uint64_t id(std::uint64_t of_world) const { return of_world == 0 ? 0 : of_world ^ salt; }
};

template <typename Records>
void renumber_ranks(Records& records, const Renumbering& to) {
  for (auto& record : records) record.rank = to.rank(record.rank);
}

/// The peer of a collective stays, because it is a rank in the communicator.
void renumber_row(cw_profile_row& row, const Renumbering& to) {
  const bool has_pair = (row.flags & (CW_ROW_TO_PEER | CW_ROW_FROM_PEER | CW_ROW_WAIT)) != 0;
  if (has_pair && row.peer >= 0) row.peer += to.first_rank;
  row.group = to.id(row.group);
}

void renumber(ProfileFile& file, const Renumbering& to) {
  renumber_ranks(file.ranks, to);
  renumber_ranks(file.rows, to);
  renumber_ranks(file.windows, to);
  renumber_ranks(file.threads, to);
  renumber_ranks(file.thread_times, to);
  renumber_ranks(file.last_calls, to);
  renumber_ranks(file.connections, to);
  for (FileRow& row : file.rows) renumber_row(row.row, to);
  for (cw_profile_comm& comm : file.comms) {
    for (std::uint64_t* id : {&comm.id, &comm.group, &comm.remote_group, &comm.parent}) *id = to.id(*id);
  }
  for (FileGroup& group : file.groups) {
    group.id = to.id(group.id);
    for (cw_profile_range& range : group.ranges) range.first += to.first_rank;
  }
  file.n_ranks = to.n_ranks;
}

struct World {
  std::int32_t n_ranks = 0;
  std::int64_t begin_unix_ns = std::numeric_limits<std::int64_t>::max();
};

}  // namespace

std::vector<ProfileWorld> join_worlds(std::vector<ProfileFile>& files) {
  std::map<std::string, World> found;
  bool consistent = true;
  for (const ProfileFile& file : files) {
    World& world = found.try_emplace(file.world, World{file.n_ranks}).first->second;
    consistent = consistent && world.n_ranks == file.n_ranks;
    for (const FileRank& rank : file.ranks)
      world.begin_unix_ns = std::min(world.begin_unix_ns, rank.record.begin_unix_ns);
  }
  std::vector<std::string> order;
  std::int64_t n_ranks = 0;
  for (const auto& [name, world] : found) {
    order.push_back(name);
    n_ranks += world.n_ranks;
  }
  if (!consistent || n_ranks > CW_PROFILE_MAX_RANKS) return {{Rank{0}, files.front().n_ranks}};
  std::ranges::sort(order, {}, [&](const std::string& name) {
    return std::tuple(!name.empty(), found[name].begin_unix_ns, name);
  });
  std::vector<ProfileWorld> worlds;
  Renumbering to{0, static_cast<std::int32_t>(n_ranks), 0};
  for (const std::string& name : order) {
    worlds.push_back({Rank{to.first_rank}, found[name].n_ranks});
    for (ProfileFile& file : files) {
      if (file.world == name) renumber(file, to);
    }
    to.first_rank += found[name].n_ranks;
    to.salt += 0x9e3779b97f4a7c15u;
  }
  return worlds;
}

}  // namespace corewise
