/// One node's profile file, decoded and checked, before the files of all nodes are merged into a Profile.
#pragma once

#include <corewise_formats/profile.h>

#include <cstdint>
#include <string>
#include <vector>

#include "corewise/profile.hpp"

namespace corewise {

struct FileCall {
  std::string name;
  int layer = 0;
  int flow = 0;
};

struct FileRank {
  Rank rank;
  cw_profile_rank record{};
};

struct FileRow {
  Rank rank;
  std::uint32_t thread = 0;
  std::uint32_t number_in_thread = 0;
  cw_profile_row row{};
};

/// Calls and bytes of one row in one window.
struct FileWindowCell {
  std::uint64_t number = 0;  ///< of the window, at the level of its chunk
  std::int32_t region = 0;
  std::uint32_t row = 0;  ///< FileRow::number_in_thread
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
};

/// One chunk of windows. A window has the length window_ns * 2^level.
struct FileWindows {
  Rank rank;
  std::uint32_t thread = 0;
  std::uint64_t window_ns = 0;
  std::uint32_t level = 0;
  std::int32_t open_region = 1;
  std::vector<FileWindowCell> cells;
};

struct FileGroup {
  std::uint64_t id = 0;
  std::vector<cw_profile_range> ranges;
  std::uint32_t n_members = 0;
};

struct FileThread {
  Rank rank;
  cw_profile_thread record{};
};

struct FileThreadTime {
  Rank rank;
  cw_profile_thread_time record{};
};

/// A variable that chooses devices, or, without a name, device files between blanks.
struct FileDevice {
  Rank rank;
  std::string name;
  std::string value;
};

/// A connection with processes of another MPI_COMM_WORLD, as recorded by one rank.
struct FileConnection {
  Rank rank;
  cw_profile_connection record{};
};

/// The end of the last call of a thread, in the rank's ticks.
struct FileLastCall {
  Rank rank;
  std::uint32_t thread = 0;
  std::uint64_t ticks = 0;
};

/// The valid contents of one file: all ranks, calls and layers are in range. Damaged chunks and chunks of
/// unknown kinds are counted and left out.
struct ProfileFile {
  std::string path;
  std::string job;
  ProfileNode node;
  std::string world;  ///< identifies the MPI_COMM_WORLD; empty: the launcher's
  std::int32_t n_ranks = 0;
  std::vector<FileCall> calls;
  std::vector<FileRank> ranks;
  std::vector<FileRow> rows;
  std::vector<FileWindows> windows;
  std::vector<cw_profile_comm> comms;
  std::vector<FileGroup> groups;
  std::vector<FileThread> threads;
  std::vector<FileThreadTime> thread_times;
  std::vector<FileDevice> devices;
  std::vector<FileLastCall> last_calls;
  std::vector<FileConnection> connections;
  EventTotals events;
  std::uint64_t n_refused = 0;
  std::uint64_t n_damaged = 0;
  SkippedChunks skipped;
  bool truncated = false;
};

/// The node files of a profile, sorted by name. @throws Error(bad_input) for a directory without any.
[[nodiscard]] std::vector<std::string> profile_paths(const std::string& directory);

/// Reads a file without its events; read_events() reads those.
/// @throws Error(bad_input) for a file that can't be read, is no profile, is newer, or has a damaged header.
[[nodiscard]] ProfileFile read_profile_file(const std::string& path);

/// OS indices of the bits that are set, ascending.
[[nodiscard]] std::vector<OsIndex> os_indices(const std::uint8_t* mask, std::uint32_t n_bytes);

}  // namespace corewise
