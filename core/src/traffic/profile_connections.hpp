/// Messages between several MPI_COMM_WORLDs of one job: whose processes the senders' numbers stand for.
#pragma once

#include <vector>

#include "traffic/profile_file.hpp"

namespace corewise {

/// Gives each row with a peer outside its sender's MPI_COMM_WORLD the rank of that process (FORMATS.md,
/// "Spawned processes"). Where it is not in the profile, or several could be meant, the row keeps its calls
/// and their time, and its messages are counted as CW_FAULT_FOREIGN_PEER of the sender.
/// @pre join_worlds() numbered the ranks.
void resolve_connections(std::vector<ProfileFile>& files);

}  // namespace corewise
