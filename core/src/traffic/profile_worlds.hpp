/// The ranks of several MPI_COMM_WORLDs of one job, numbered one after the other.
#pragma once

#include <vector>

#include "corewise/profile.hpp"
#include "traffic/profile_file.hpp"

namespace corewise {

/// Renumbers the ranks of all files: those that the launcher started first, then those of each spawned
/// MPI_COMM_WORLD, by the begin of its first rank. Communicators and groups get ids that no other
/// MPI_COMM_WORLD has. Nothing changes where there is one alone, and where files of one MPI_COMM_WORLD differ
/// in their number of ranks.
/// @return the MPI_COMM_WORLDs in that order.
[[nodiscard]] std::vector<ProfileWorld> join_worlds(std::vector<ProfileFile>& files);

}  // namespace corewise
