/// Readers of communication matrices: Matrix Market, METIS graphs, Open MPI monitoring's files, plain
/// squares.
/// (.npz is read in Python with NumPy.) Weights must be whole and not negative: bytes are counted, not
/// measured.
#pragma once

#include <string>
#include <vector>

#include "corewise/profile.hpp"
#include "corewise/traffic.hpp"

namespace corewise {

/// Matrix Market coordinate file, [row, column] = [src, dst], values in bytes; `pattern` weighs 1,
/// `symmetric` mirrors. Each entry above 0 counts as one message; entries of one pair are added up. @throws
/// Error(bad_input) with file and line.
[[nodiscard]] CommMatrix read_matrix_market(const std::string& path);

/// METIS graph: undirected, each edge twice in the file and counted once; its weight is the bytes of the pair
/// both ways together (stored as traffic from the lower to the higher rank, one message; 1 byte where the
/// file has no edge weights). Vertex weights and sizes are skipped. @throws Error(bad_input) with file and
/// line.
[[nodiscard]] CommMatrix read_metis_graph(const std::string& path);

/// Open MPI monitoring's `.prof` files of one job, one for each rank, in any order,
/// or aggregated into one. p2p takes the program's
/// own messages, coll what collectives send, rma what one-sided calls move, from where the data is to where
/// it goes.
/// @throws Error(bad_input) with file and line, or where the number of files is not the job's number of
/// ranks.
[[nodiscard]] CommMatrix read_openmpi_monitoring(const std::vector<std::string>& paths,
                                                 Layer layer = Layer::p2p);

/// A plain text square of numbers, [src, dst], bytes, one row a line, spaces or commas between; lines that
/// start with
/// '#' are comments. Each pair above 0 counts as one message.
/// @throws Error(bad_input) with file and line.
[[nodiscard]] CommMatrix read_text_matrix(const std::string& path);

}  // namespace corewise
