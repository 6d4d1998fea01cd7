/// Jobs with several MPI_COMM_WORLDs (spawned processes): finds which process a message went to.
#pragma once

#include <vector>

#include "traffic/profile_file.hpp"

namespace corewise {

/// Gives each row with a peer outside its sender's MPI_COMM_WORLD the rank of that process (FORMATS.md,
/// "Spawned processes"). If that process is not in the profile, or if several match, the row keeps its calls
/// and their time, and its messages are counted as CW_FAULT_FOREIGN_PEER of the sender.
/// @pre join_worlds() numbered the ranks.
void resolve_connections(std::vector<ProfileFile>& files);

}  // namespace corewise
