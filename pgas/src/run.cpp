// Runs the nodes of this process, and answers what a task asks about its node.
#include "corewise/pgas/run.hpp"

#include <exception>
#include <future>
#include <string>
#include <system_error>
#include <thread>

#include "node.hpp"
#include "transport.hpp"

namespace corewise::pgas {

void detail::run_nodes(std::vector<std::unique_ptr<Transport>> endpoints, const Options& options,
                       const std::function<void()>& root) {
  std::vector<std::exception_ptr> errors(endpoints.size());
  std::promise<bool> all_started;  // nodes wait for each other, so a subset of them would hang
  const std::shared_future<bool> may_run = all_started.get_future().share();
  const auto run_one = [&](std::size_t i) {
    if (!may_run.get()) return;
    try {
      Node node(*endpoints[i], options);
      node.run(root);
    } catch (...) {
      errors[i] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (std::size_t i = 1; i < endpoints.size(); ++i) others.emplace_back(run_one, i);
    } catch (const std::system_error& error) {
      all_started.set_value(false);
      throw Error("no thread could be started for node " + std::to_string(others.size() + 1) + " (" +
                  error.what() + "): lower Options::loopback_nodes, or raise the limit of memory or threads");
    }
    all_started.set_value(true);
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

int here() noexcept { return detail::this_context->node(); }
int n_nodes() noexcept { return detail::this_context->n_nodes(); }
int n_workers() noexcept { return detail::this_context->n_workers(); }

Threads threads() {
  const detail::ThreadPlan& plan = detail::current_node().plan();
  return {plan.policy(), plan.workers(), plan.helpers(), plan.workers() + plan.helpers() + 1};
}

void yield() { detail::current_thread().yield(); }

}  // namespace corewise::pgas
