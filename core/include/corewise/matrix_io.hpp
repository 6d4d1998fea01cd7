/// Readers of communication matrices: Matrix Market, METIS graphs, Open MPI monitoring's files, plain squares.
/// (.npz is read in Python with NumPy.) Weights must be whole and not negative: bytes are counted, not measured.
#pragma once

#include <string>
#include <vector>

#include "corewise/traffic.hpp"

namespace corewise {

/// Matrix Market coordinate file, [row, column] = [src, dst], values in bytes; `pattern` weighs 1, `symmetric`
/// mirrors. @throws Error(bad_input) with file and line.
[[nodiscard]] CommMatrix read_matrix_market(const std::string& path);

/// METIS graph: undirected, each edge twice in the file and counted once; its weight is the bytes of the pair both
/// ways together (stored as traffic from the lower to the higher rank). @throws Error(bad_input) with file and line.
[[nodiscard]] CommMatrix read_metis_graph(const std::string& path);

/// Open MPI monitoring's per-rank `.prof` files (point-to-point lines, external and internal apart).
/// @throws Error(bad_input) with file and line.
[[nodiscard]] CommMatrix read_openmpi_monitoring(const std::vector<std::string>& paths);

/// A plain text square of numbers, one row a line, '#' starts a comment. Each non-zero pair counts as one message.
/// @throws Error(bad_input) with file and line.
[[nodiscard]] CommMatrix read_text_matrix(const std::string& path);

}  // namespace corewise
