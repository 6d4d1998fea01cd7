/// Readers for the text files of SNAP's collection: one edge a line, numbers separated by blanks, comments
/// after
/// '#' or '%'.
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "kernels/rmat.hpp"
#include "kernels/temporal_graph.hpp"

namespace corewise::workloads {

/// What to read.
struct SnapFile {
  std::string name;              ///< for messages
  std::uint64_t skip_lines = 0;  ///< lines at the start that are no edges
};

/// Lines "src dst": ids below 2^32 - 1.
/// @throws InputError naming the first line that is none, and how a header is skipped.
[[nodiscard]] std::vector<Edge> read_edges(std::istream& in, const SnapFile& file);

/// Lines "src dst time", sorted by time.
/// @throws InputError as above.
[[nodiscard]] std::vector<TemporalEdge> read_temporal_edges(std::istream& in, const SnapFile& file);

}  // namespace corewise::workloads
