/// The bind functions of the extension module: one per core header, and one for the affinity library.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>

#include "corewise/solver.hpp"
#include "string_caster.hpp"

namespace corewise::bindings {

void bind_advice(nanobind::module_& module);
void bind_affinity(nanobind::module_& module);
void bind_device(nanobind::module_& module);
void bind_error(nanobind::module_& module);
void bind_estimate(nanobind::module_& module);
void bind_events(nanobind::module_& module);
void bind_link_figures(nanobind::module_& module);
void bind_machine(nanobind::module_& module);
void bind_node_cpus(nanobind::module_& module);
void bind_objective(nanobind::module_& module);
void bind_placement(nanobind::module_& module);
void bind_profile(nanobind::module_& module);
void bind_schedule(nanobind::module_& module);
void bind_solver(nanobind::module_& module);
void bind_torus(nanobind::module_& module);
void bind_traffic(nanobind::module_& module);

/// @param name  fast, default or strong. @throws Error(bad_input) for any other name.
[[nodiscard]] Effort parse_effort(std::string_view name);

}  // namespace corewise::bindings
