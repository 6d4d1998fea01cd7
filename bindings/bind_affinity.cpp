/// Python bindings of plan_threads(): a plan of the affinity library in JSON.
#include <nanobind/stl/optional.h>

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "bindings.hpp"
#include "corewise/affinity.h"
#include "corewise/error.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corewise::bindings {
namespace {

using Plan = std::unique_ptr<cw_thread_plan_t, decltype(&cw_thread_plan_destroy)>;

Plan create(const std::string& settings, const std::optional<std::string>& xml_path,
            const std::optional<std::string>& synthetic) {
  std::array<char, 512> message{};
  cw_thread_plan_options_t options;
  cw_thread_plan_options_init(&options);
  options.overrides = settings.c_str();
  options.xml_path = xml_path ? xml_path->c_str() : nullptr;
  options.synthetic = synthetic ? synthetic->c_str() : nullptr;
  options.message = message.data();
  options.message_size = message.size();
  cw_thread_plan_t* plan = nullptr;
  const cw_status_t status = cw_thread_plan_create(&options, &plan);
  if (status != CW_OK)
    throw Error(ErrorCode::bad_input, message[0] != '\0' ? message.data() : cw_status_string(status));
  return {plan, &cw_thread_plan_destroy};
}

std::string plan_threads(const std::string& settings, const std::optional<std::string>& xml_path,
                         const std::optional<std::string>& synthetic) {
  const Plan plan = create(settings, xml_path, synthetic);
  std::size_t needed = 0;
  cw_thread_plan_print(plan.get(), CW_FORMAT_JSON, nullptr, 0, &needed);
  std::string json(needed + 1, '\0');
  const cw_status_t status =
      cw_thread_plan_print(plan.get(), CW_FORMAT_JSON, json.data(), json.size(), nullptr);
  if (status != CW_OK) throw Error(ErrorCode::bad_input, cw_status_string(status));
  json.resize(needed);
  return json;
}

}  // namespace

void bind_affinity(nb::module_& module) {
  module.def("plan_threads", &plan_threads, "settings"_a, "xml_path"_a = nb::none(),
             "synthetic"_a = nb::none(),
             "The PUs of each thread of a process, as JSON of the affinity library. `settings` has the "
             "format of COREWISE_AFFINITY ('policy=new_pin;mask=0-9'). The machine is a file of hwloc XML, a "
             "synthetic description, or this machine.");
}

}  // namespace corewise::bindings
