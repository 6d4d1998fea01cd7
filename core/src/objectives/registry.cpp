/// The table of objectives, sorted by name.
#include <algorithm>
#include <array>

#include "corewise/error.hpp"
#include "objectives/rows.hpp"
#include "text.hpp"

namespace corewise {
namespace {

constexpr std::array kObjectives{
    ObjectiveInfo{
        .name = "congestion",
        .unit = "bytes",
        .sentence = "greatest load of every class of links, the network first",
        .source = "Hoefler and Snir, ICS 2011; as a list after Zhang, Yuan, Srinivasan, ICPADS 2010",
        .is_list = true,
        .evaluate = evaluate_congestion,
        .form = form_of_congestion},
    ObjectiveInfo{.name = "hop-bytes",
                  .unit = "bytes * distance",
                  .sentence = "bytes of each pair times the distance of their cores, summed",
                  .source = "Agarwal, Sharma, Kale, IPDPS 2006",
                  .evaluate = evaluate_hop_bytes,
                  .form = form_of_hop_bytes},
    ObjectiveInfo{.name = "link-load",
                  .unit = "bytes",
                  .sentence =
                      "greatest load of every class of links inside nodes, top down; the nodes of the "
                      "ranks stay as given",
                  .source = "Zhang, Yuan, Srinivasan, Processor Affinity and MPI Performance on SMP-CMP "
                            "Clusters, section IV.C",
                  .is_list = true,
                  .keeps_nodes = true,
                  .evaluate = evaluate_link_load,
                  .form = form_of_link_load},
    ObjectiveInfo{
        .name = "time",
        .unit = "s",
        .sentence = "estimated time of communication: in each phase the slowest link, both directions "
                    "added, or the slowest rank",
        .source = "bytes over bandwidth and messages times latency: Hockney, Parallel Computing 20 (1994)",
        .needs_figures = true,
        .evaluate = evaluate_time,
        .form = form_of_time},
};
static_assert(std::ranges::is_sorted(kObjectives, {}, &ObjectiveInfo::name));

}  // namespace

std::span<const ObjectiveInfo> objectives() { return kObjectives; }

const ObjectiveInfo& objective(std::string_view name) {
  const auto found = std::ranges::find(kObjectives, name, &ObjectiveInfo::name);
  if (found != kObjectives.end()) return *found;
  std::vector<std::string_view> names;
  for (const ObjectiveInfo& row : kObjectives) names.push_back(row.name);
  throw Error(ErrorCode::bad_input, concat("unknown objective '", name, "'", did_you_mean(name, names)));
}

const ObjectiveInfo& default_objective(const Machine& machine) {
  return objective(machine.has_figures() ? "time" : "hop-bytes");
}

}  // namespace corewise
