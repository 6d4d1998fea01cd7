/// Readers for text files of SNAP's collection: one edge per line, numbers separated by blanks. Lines that
/// start with '#' or '%' are comments.
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "kernels/rmat.hpp"
#include "kernels/temporal_graph.hpp"

namespace corewise::workloads {

struct SnapFile {
  std::string name;              ///< for error messages
  std::uint64_t skip_lines = 0;  ///< lines at the start that are not edges
};

/// Reads lines "src dst" with ids below 2^32 - 1.
/// @throws InputError with the first line that is not an edge, and how to skip a header.
[[nodiscard]] std::vector<Edge> read_edges(std::istream& in, const SnapFile& file);

/// Reads lines "src dst time"; the edges are sorted by time.
/// @throws InputError as above.
[[nodiscard]] std::vector<TemporalEdge> read_temporal_edges(std::istream& in, const SnapFile& file);

}  // namespace corewise::workloads
