/// Readers of communication matrices: Matrix Market, METIS graphs, Open MPI monitoring files, plain text.
/// Weights are bytes and must be non-negative integers. (.npz files are read in Python, by NumPy.)
#pragma once

#include <string>
#include <vector>

#include "corewise/profile.hpp"
#include "corewise/traffic.hpp"

namespace corewise {

/// Reads a Matrix Market coordinate file: [row, column] = [src, dst], values in bytes. In a `pattern` file
/// each entry is 1 byte; in a `symmetric` file each entry counts in both directions. Each entry above 0 is
/// one message; entries of the same pair are added up.
/// @throws Error(bad_input) with file and line.
[[nodiscard]] CommMatrix read_matrix_market(const std::string& path);

/// Reads a METIS graph, which is undirected and lists each edge twice. An edge's weight is the bytes of both
/// directions together; without edge weights it is 1. The matrix has them as one message from the lower to
/// the higher rank. Vertex weights and sizes are ignored.
/// @throws Error(bad_input) with file and line.
[[nodiscard]] CommMatrix read_metis_graph(const std::string& path);

/// Reads the `.prof` files of Open MPI's monitoring component for one job: one file per rank in any order, or
/// one aggregated file. Layer p2p is the program's messages, coll the messages inside collectives, rma
/// one-sided transfers from the rank that has the data to the rank that gets it.
/// @throws Error(bad_input) with file and line, or if the number of files is not the number of ranks.
[[nodiscard]] CommMatrix read_openmpi_monitoring(const std::vector<std::string>& paths,
                                                 Layer layer = Layer::p2p);

/// Reads a square matrix in plain text: [src, dst] in bytes, one row per line, separated by spaces or commas.
/// Lines that start with '#' are comments. Each pair above 0 counts as one message.
/// @throws Error(bad_input) with file and line.
[[nodiscard]] CommMatrix read_text_matrix(const std::string& path);

}  // namespace corewise
