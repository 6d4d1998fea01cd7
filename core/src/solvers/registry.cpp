/// The table of solvers, sorted by name.
#include <algorithm>
#include <array>

#include "corewise/error.hpp"
#include "solvers/rows.hpp"
#include "text.hpp"

namespace corewise {
namespace {

constexpr std::array kRows{
    SolverRow{
        {"auto", "the best placement this project can find: many starts, refined by swaps",
         "multisection: von Kirchbach, Schulz, Träff, ACM JEA 25 (2020); annealing: Kirkpatrick et al. 1983",
         true, true},
        solve_auto},
    SolverRow{{"block", "ranks in order, node after node, core after core", "the default of most launchers",
               false, true},
              solve_block},
    SolverRow{
        {"exact",
         "the proven best or worst of small problems; each node by itself where ranks keep their nodes",
         "Zhang, Yuan, Srinivasan, Processor Affinity and MPI Performance on SMP-CMP Clusters, section IV.C",
         true, true},
        solve_exact},
    SolverRow{{"frequency-major", "pairs with most messages share nodes",
               "Leng et al., Performance Impact of Process Mapping on Small-Scale SMP Clusters, section 5",
               false, false},
              solve_frequency_major},
    SolverRow{{"random", "every placement equally likely",
               "Fisher and Yates; xoshiro256**: Blackman and Vigna, ACM TOMS 47 (2021)", false, false},
              solve_random},
    SolverRow{{"round-robin", "ranks dealt to the nodes like cards",
               "Leng et al., Performance Impact of Process Mapping on Small-Scale SMP Clusters, section 5",
               false, false},
              solve_round_robin},
    SolverRow{
        {"size-major",
         "pairs with most bytes in large messages share nodes, nearly equal ones in rank order; all bytes "
         "where sizes are unknown",
         "Leng et al., Performance Impact of Process Mapping on Small-Scale SMP Clusters, section 5", false,
         false},
        solve_size_major},
    SolverRow{
        {"spread", "pairs with most bytes part onto different nodes, for networks faster than shared memory",
         "Leng et al., Performance Impact of Process Mapping on Small-Scale SMP Clusters, section 5 (remark)",
         false, false},
        solve_spread},
};

/// The description of each row, in the same order.
constexpr auto kSolvers = [] {
  std::array<SolverInfo, kRows.size()> solvers{};
  std::ranges::transform(kRows, solvers.begin(), &SolverRow::info);
  return solvers;
}();
static_assert(std::ranges::is_sorted(kSolvers, {}, &SolverInfo::name));

}  // namespace

std::span<const SolverInfo> solvers() { return kSolvers; }

const SolverInfo& solver(std::string_view name) { return solver_row(name).info; }

const SolverRow& solver_row(std::string_view name) {
  const auto found = std::ranges::find(kSolvers, name, &SolverInfo::name);
  if (found != kSolvers.end()) return kRows[found - kSolvers.begin()];
  std::vector<std::string_view> names;
  for (const SolverInfo& row : kSolvers) names.push_back(row.name);
  throw Error(ErrorCode::bad_input, concat("unknown solver '", name, "'", did_you_mean(name, names)));
}

}  // namespace corewise
