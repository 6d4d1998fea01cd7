/// The table of assumed figures, by the kind of level.
#include "topology/figures.hpp"

#include <array>

namespace corewise {
namespace {

/// Rounded orders of magnitude of MPI on servers of about 2010 to 2020, not of a particular machine. One link
/// is a core's port to a shared cache, a cache's or die's port inside its package, a package's port to the
/// other packages, or a node's network adapter. Predictions that use assumed figures get wider intervals.
struct AssumedRow {
  std::string_view kind;
  LinkFigures figures;
};
const std::array<AssumedRow, 4> kAssumed{{
    {"shared cache", {3e-7, 1e10, "assumed: typical of cores that share a cache"}},
    {"package", {4e-7, 2e10, "assumed: typical inside a package"}},
    {"node", {6e-7, 2e10, "assumed: typical between packages"}},
    {"network", {2e-6, 1e10, "assumed: typical cluster network"}},
}};

std::string_view kind_of(std::string_view name, bool is_network) {
  if (is_network) return "network";
  if (name == "node") return "node";
  const bool is_cache = name.size() > 1 && name[0] == 'l' && name[1] >= '0' && name[1] <= '9';
  return is_cache ? "shared cache" : "package";
}

}  // namespace

LinkFigures assumed_figures(std::string_view level_name, bool is_network) {
  const std::string_view kind = kind_of(level_name, is_network);
  for (const AssumedRow& row : kAssumed) {
    if (row.kind == kind) return row.figures;
  }
  return kAssumed.back().figures;
}

}  // namespace corewise
