/// Numbers the ranks of several MPI_COMM_WORLDs of one job consecutively.
#pragma once

#include <vector>

#include "corewise/profile.hpp"
#include "traffic/profile_file.hpp"

namespace corewise {

/// Renumbers the ranks of all files: first the launcher's MPI_COMM_WORLD, then each spawned MPI_COMM_WORLD,
/// by the start of its first rank. The ids of communicators and groups become unique. Nothing changes if
/// there is only one MPI_COMM_WORLD, or if files of the same MPI_COMM_WORLD differ in their number of ranks.
/// @return the MPI_COMM_WORLDs in that order.
[[nodiscard]] std::vector<ProfileWorld> join_worlds(std::vector<ProfileFile>& files);

}  // namespace corewise
