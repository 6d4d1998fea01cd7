/// The Python extension module corewise._core. Only python/corewise/model.py imports it.
#include "bindings.hpp"

NB_MODULE(_core, module) {
  using namespace corewise::bindings;
#ifdef NDEBUG
  nanobind::set_leak_warnings(false);  // a notebook may still have objects when Python ends
#endif
  bind_error(module);
  bind_device(module);
  bind_node_cpus(module);
  bind_link_figures(module);
  bind_torus(module);
  bind_machine(module);
  bind_traffic(module);
  bind_placement(module);
  bind_objective(module);
  bind_solver(module);
  bind_advice(module);
  bind_profile(module);
  bind_events(module);
  bind_schedule(module);
  bind_estimate(module);
  bind_affinity(module);
}
