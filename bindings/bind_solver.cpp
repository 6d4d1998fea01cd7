/// Python bindings of the table of solvers, solve() and improve().
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <span>
#include <stop_token>
#include <utility>

#include "bindings.hpp"
#include "columns.hpp"
#include "corewise/error.hpp"
#include "corewise/solver.hpp"
#include "interruptible.hpp"
#include "text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corewise::bindings {
namespace {

std::vector<SolverInfo> all_solvers() { return {solvers().begin(), solvers().end()}; }

using Numbers = std::vector<std::int32_t>;

void make_constraints(Constraints* self, const Numbers& core_capacity, const Numbers& cores_per_rank,
                      const Numbers& core_of_rank, const Numbers& node_of_rank, bool oversubscribe) {
  new (self) Constraints{core_capacity, cores_per_rank, from_plain<CoreIndex>(core_of_rank),
                         from_plain<NodeIndex>(node_of_rank), oversubscribe};
}

void make_problem(MappingProblem* self, const Traffic& traffic, const Machine& machine,
                  std::optional<std::string_view> objective_name, bool worst,
                  const Constraints& constraints) {
  const ObjectiveInfo& row = objective_name ? objective(*objective_name) : default_objective(machine);
  new (self) MappingProblem{traffic, machine, row, worst, constraints};
}

void make_options(SolverOptions* self, std::uint64_t seed, std::string_view effort,
                  std::optional<double> deadline_cpu_s, int threads) {
  new (self) SolverOptions{seed, parse_effort(effort), deadline_cpu_s, threads};
}

/// A search that Ctrl-C ends.
template <typename Search>
Solution interruptible_search(SolverOptions options, Search&& search) {
  return interruptible([&](const std::stop_token& stop) {
    options.stop = stop;
    return search(options);
  });
}

Solution solve_problem(const MappingProblem& problem, std::string_view solver_name,
                       const SolverOptions& options) {
  return interruptible_search(
      options, [&](const SolverOptions& with_stop) { return solve(problem, solver_name, with_stop); });
}

Solution improve_placement(const MappingProblem& problem, const Placement& start, double start_cpu_s,
                           const SolverOptions& options) {
  return interruptible_search(options, [&](const SolverOptions& with_stop) {
    return improve(problem, {start, start_cpu_s}, with_stop);
  });
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
      .def_ro("optimises", &SolverInfo::optimises, "Whether it optimises the requested objective.")
      .def_ro("supports_constrained_ranks", &SolverInfo::supports_constrained_ranks,
              "Whether it supports fixed ranks and ranks with different numbers of cores.");

  nb::class_<Constraints>(module, "Constraints",
                          "Constraints of a placement; an empty column constrains nothing.")
      .def("__init__", &make_constraints, nb::kw_only(), "core_capacity"_a = Numbers(),
           "cores_per_rank"_a = Numbers(), "core_of_rank"_a = Numbers(), "node_of_rank"_a = Numbers(),
           "oversubscribe"_a = false,
           "`core_capacity` [core]: ranks that it may take; 0 keeps it free. `cores_per_rank` [rank]. "
           "`core_of_rank` and `node_of_rank` [rank]: the first core (numbered over the whole machine) and "
           "the node to which the rank is fixed; -1 for any. `oversubscribe`: if there are more ranks than "
           "cores, ranks share cores evenly.")
      .def_ro("core_capacity", &Constraints::core_capacity)
      .def_ro("cores_per_rank", &Constraints::cores_per_rank)
      .def_prop_ro(
          "core_of_rank", [](const Constraints& c) { return to_numpy_indices(std::span(c.core_of_rank)); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "node_of_rank", [](const Constraints& c) { return to_numpy_indices(std::span(c.node_of_rank)); },
          nb::rv_policy::automatic)
      .def_ro("oversubscribe", &Constraints::oversubscribe);

  nb::class_<MappingProblem>(module, "MappingProblem", "A placement problem.")
      .def("__init__", &make_problem, "traffic"_a, "machine"_a, "objective"_a = nb::none(), nb::kw_only(),
           "worst"_a = false, "constraints"_a = Constraints(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
           "`objective`: its name; None for the machine's default. `worst`: search for the highest score. "
           "Raises InputError for an unknown objective.");

  nb::class_<SolverOptions>(module, "SolverOptions", "Options of a solver.")
      .def("__init__", &make_options, nb::kw_only(), "seed"_a = 1, "effort"_a = "default",
           "deadline_cpu_s"_a = nb::none(), "threads"_a = 1,
           "`effort`: fast, default or strong. `deadline_cpu_s`: CPU seconds of all threads together; None "
           "for no deadline. `threads`: greatest number of threads; it has no effect on the result.");

  nb::class_<Solution>(module, "Solution", "A placement, its score, and what is proven about it.")
      .def_ro("placement", &Solution::placement)
      .def_prop_ro(
          "score", [](const Solution& s) { return s.score.values; },
          "The score, as a list; it has one value if the objective is a number.")
      .def_ro("proven", &Solution::proven, "Whether the score is proven optimal.")
      .def_prop_ro(
          "bound",
          [](const Solution& s) {
            return s.bound ? std::optional(s.bound->values) : std::optional<std::vector<double>>();
          },
          "No placement has a better score than this list (a worse one, with `worst`); None if unknown.")
      .def_ro("n_optimal", &Solution::n_optimal,
              "Number of placements with the optimal score, including symmetric ones; None if unknown.")
      .def_ro("cut_short", &Solution::cut_short, "Whether the deadline ended the search.")
      .def_ro("cpu_s", &Solution::cpu_s, "CPU seconds of the solver.");

  module.def("solvers", &all_solvers, "All solvers, sorted by name.");
  module.def("solve", &solve_problem, "problem"_a, "solver"_a = "auto", "options"_a = SolverOptions(),
             "Runs a solver and checks its placement. Ctrl-C ends it. Raises InputError if the constraints "
             "contradict each other or the machine, or leave too few cores.");
  module.def(
      "improve", &improve_placement, "problem"_a, "start"_a, "start_cpu_s"_a = 0.0,
      "options"_a = SolverOptions(),
      "Improves a placement by the search of solver `auto`. The result is never worse than `start`, of which "
      "the first core of every rank is used. `start_cpu_s`, the CPU time that finding the start took, counts "
      "in cpu_s and towards the deadline. Raises InputError if the start violates the constraints.");
}

}  // namespace corewise::bindings
