/// Solvers: the table and solve().
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <utility>

#include "bindings.hpp"
#include "columns.hpp"
#include "corewise/error.hpp"
#include "corewise/solver.hpp"
#include "text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corewise::bindings {
namespace {

using OptionalColumn = std::optional<std::vector<std::int32_t>>;

std::vector<SolverInfo> all_solvers() { return {solvers().begin(), solvers().end()}; }

Solution solve_by_name(const Traffic& traffic, const Machine& machine, std::string_view objective_name,
                       std::string_view solver_name, bool worst, std::uint64_t seed, std::string_view effort,
                       std::optional<double> deadline_cpu_s, const OptionalColumn& core_capacity,
                       const OptionalColumn& node_of_rank) {
  MappingProblem problem{traffic, machine, objective(objective_name), worst, {}, {}};
  if (core_capacity) problem.core_capacity = *core_capacity;
  if (node_of_rank) problem.node_of_rank = from_plain<NodeIndex>(*node_of_rank);
  const SolverOptions options{seed, parse_effort(effort), deadline_cpu_s};
  const nb::gil_scoped_release unlocked;
  return solve(problem, solver_name, options);
}

}  // namespace

Effort parse_effort(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, Effort>, 3> kEfforts{
      {{"fast", Effort::fast}, {"default", Effort::standard}, {"strong", Effort::strong}}};
  for (const auto& [known, effort] : kEfforts) {
    if (known == name) return effort;
  }
  throw Error(ErrorCode::bad_input, concat("found effort '", name, "'; expected fast, default or strong"));
}

void bind_solver(nb::module_& module) {
  nb::class_<SolverInfo>(module, "SolverInfo", "One row of the table of solvers.")
      .def_ro("name", &SolverInfo::name)
      .def_ro("sentence", &SolverInfo::sentence)
      .def_ro("citation", &SolverInfo::citation)
      .def_ro("optimises", &SolverInfo::optimises, "Aims at the objective asked for.");

  nb::class_<Solution>(module, "Solution", "A placement, its score, and what is known about them.")
      .def_ro("placement", &Solution::placement)
      .def_prop_ro(
          "score", [](const Solution& s) { return s.score.values; }, "list: one value for a number.")
      .def_ro("proven", &Solution::proven, "The score is shown optimal.")
      .def_prop_ro(
          "bound",
          [](const Solution& s) {
            return s.bound ? std::optional(s.bound->values) : std::optional<std::vector<double>>();
          },
          "No placement is better (worse, for the worst) than this list; None where unknown.")
      .def_ro("n_optimal", &Solution::n_optimal,
              "Placements of the optimal score, symmetric ones counted; or None.")
      .def_ro("cut_short", &Solution::cut_short, "The deadline ended the search.")
      .def_ro("cpu_s", &Solution::cpu_s, "CPU seconds of the solver alone.");

  module.def("solvers", &all_solvers, "All solvers, sorted by name.");
  module.def(
      "solve", &solve_by_name, "traffic"_a, "machine"_a, "objective"_a = "time", "solver"_a = "auto",
      "worst"_a = false, "seed"_a = 1, "effort"_a = "default", "deadline_cpu_s"_a = nb::none(),
      "core_capacity"_a = nb::none(), "node_of_rank"_a = nb::none(),
      "Runs a solver and checks its placement. `core_capacity` [core]: ranks it may take, 0 forbids; None: 1 "
      "everywhere. `node_of_rank` [rank]: fixed nodes, kept by block and with link-load; None: block order. "
      "Raises InputError when ranks outnumber the capacity.");
}

}  // namespace corewise::bindings
