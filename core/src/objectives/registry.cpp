/// The table of objectives, sorted by name.
#include <algorithm>
#include <array>

#include "corewise/error.hpp"
#include "objectives/rows.hpp"
#include "text.hpp"

namespace corewise {
namespace {

constexpr std::array kObjectives{
    ObjectiveInfo{"congestion", "bytes", "greatest load of every class of links, the network first",
                  "Hoefler and Snir, ICS 2011; as a list after Zhang, Yuan, Srinivasan, ICPADS 2010", true,
                  evaluate_congestion},
    ObjectiveInfo{"hop-bytes", "bytes * distance",
                  "bytes of each pair times the distance of their cores, summed",
                  "Agarwal, Sharma, Kale, IPDPS 2006", false, evaluate_hop_bytes},
    ObjectiveInfo{
        "link-load", "bytes",
        "greatest load of every class of links inside nodes, top down; the nodes of the ranks stay as given",
        "Zhang, Yuan, Srinivasan, Processor Affinity and MPI Performance on SMP-CMP Clusters, section IV.C",
        true, evaluate_link_load},
    ObjectiveInfo{"time", "s", "estimated time of communication: in each phase the slowest link or rank",
                  "bytes over bandwidth and messages times latency: Hockney, Parallel Computing 20 (1994)",
                  false, evaluate_time},
};
static_assert(std::ranges::is_sorted(kObjectives, {}, &ObjectiveInfo::name));

}  // namespace

std::span<const ObjectiveInfo> objectives() { return kObjectives; }

const ObjectiveInfo& objective(std::string_view name) {
  const auto found = std::ranges::find(kObjectives, name, &ObjectiveInfo::name);
  if (found != kObjectives.end()) return *found;
  std::vector<std::string_view> names;
  for (const ObjectiveInfo& row : kObjectives) names.push_back(row.name);
  throw Error(ErrorCode::bad_input,
              concat("there is no objective '", name, "'; did you mean '", nearest_name(name, names), "'?"));
}

}  // namespace corewise
