/// Value semantics for bound classes: equality, hash, copies.
#pragma once

#include <nanobind/nanobind.h>

namespace corewise::bindings {

/// Adds __eq__, __hash__, __copy__ and __deepcopy__ to a class. `hash` must be the same for equal values.
template <class Noun, class Hash>
void bind_value(nanobind::class_<Noun>& bound, Hash hash) {
  namespace nb = nanobind;
  bound.def(
           "__eq__", [](const Noun& self, const Noun& other) { return self == other; }, nb::is_operator())
      .def("__hash__", hash)
      .def("__copy__", [](const Noun& self) { return Noun(self); })
      .def("__deepcopy__", [](const Noun& self, const nb::dict&) { return Noun(self); }, nb::arg("memo"));
}

}  // namespace corewise::bindings
