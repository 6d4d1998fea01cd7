/// Translates corewise::Error to corewise.errors: MissingError for ErrorCode::missing, else InputError.
#include "bindings.hpp"
#include "corewise/error.hpp"

namespace nb = nanobind;

namespace corewise::bindings {

void bind_error(nb::module_& /*module*/) {
  nb::register_exception_translator([](const std::exception_ptr& pointer, void* /*payload*/) {
    try {
      std::rethrow_exception(pointer);
    } catch (const Error& error) {
      const nb::module_ errors = nb::module_::import_("corewise.errors");
      const nb::object type = errors.attr(error.code() == ErrorCode::missing ? "MissingError" : "InputError");
      const nb::object raised = type(errors.attr("with_options")(std::string(error.what())));
      if (!error.path().empty()) raised.attr("path") = error.path();
      if (error.line() > 0) raised.attr("line") = error.line();
      PyErr_SetObject(type.ptr(), raised.ptr());
    }
  });
}

}  // namespace corewise::bindings
