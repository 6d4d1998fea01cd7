// Starting the runtime: one node for each end of a transport.
#include "corewise/pgas/run.hpp"

#include <exception>
#include <thread>

#include "node.hpp"
#include "transport.hpp"

namespace corewise::pgas {

void detail::run_nodes(std::vector<std::unique_ptr<Transport>> ends, const Options& options,
                       const std::function<void()>& root) {
  std::vector<std::exception_ptr> errors(ends.size());
  const auto run_one = [&](std::size_t i) {
    try {
      Node node(*ends[i], options);
      node.run(root);
    } catch (...) {
      errors[i] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < ends.size(); ++i) others.emplace_back(run_one, i);
    run_one(0);
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

void run_loopback(const Options& options, const std::function<void()>& root) {
  if (options.loopback_nodes < 1) throw Error("Options::loopback_nodes must be at least 1");
  detail::run_nodes(detail::make_loopback(options.loopback_nodes), options, root);
}

}  // namespace corewise::pgas
