/// One bind function per core header.
#pragma once

#include <nanobind/nanobind.h>

namespace corewise::bindings {

void bind_error(nanobind::module_& module);
void bind_machine(nanobind::module_& module);
void bind_matrix_io(nanobind::module_& module);
void bind_traffic(nanobind::module_& module);

}  // namespace corewise::bindings
