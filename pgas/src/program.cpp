// run(), in the library of each transport: runs a program over the transport that it is linked with.
#include <exception>
#include <iostream>

#include "corewise/pgas/run.hpp"
#include "transport.hpp"

namespace corewise::pgas {

int run(const Options& options, const std::function<void()>& root) {
  try {
    detail::run_nodes(detail::make_endpoints(options), options, root);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << std::string("corewise pgas: ") + error.what() + "\n";
    return 1;
  }
}

}  // namespace corewise::pgas
