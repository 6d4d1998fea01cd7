// See node.hpp: creates and runs the threads of a node, and handles failures.
#include "node.hpp"

#include <pthread.h>

#include <barrier>
#include <cstring>
#include <iostream>
#include <system_error>
#include <thread>

#include "corewise/pgas/detail/remote_call.hpp"
#include "job_settings.hpp"
#include "no_memory.hpp"

namespace corewise::pgas::detail {
namespace {

constexpr std::size_t most_error_bytes = 4096;  // longer texts are cut

/// Restores the calling thread's affinity mask at the end, because the main thread belongs to the
/// application.
class AffinityMaskGuard {
 public:
  AffinityMaskGuard() : saved_(pthread_getaffinity_np(pthread_self(), sizeof mask_, &mask_) == 0) {}
  ~AffinityMaskGuard() {
    if (saved_) pthread_setaffinity_np(pthread_self(), sizeof mask_, &mask_);
  }
  AffinityMaskGuard(const AffinityMaskGuard&) = delete;
  AffinityMaskGuard& operator=(const AffinityMaskGuard&) = delete;

 private:
  cpu_set_t mask_{};
  bool saved_;
};

}  // namespace

Node::Node(Transport& transport, const Options& options)
    : options_(checked_options(options, transport)),
      plan_(transport, options_),
      network_(transport, options_),
      comm_server_(*this, network_),
      objects_(network_.node(), network_.n_nodes()) {
  error_.reserve(most_error_bytes);
  make_threads();
}

NodeInfo Node::info() noexcept {
  NodeInfo info{};
  info.node = network_.node();
  info.n_nodes = network_.n_nodes();
  info.n_workers = plan_.workers() + (comm_server_computes() ? 1 : 0);
  info.only_thread = plan_.workers() + plan_.helpers() == 0;
  info.max_record_bytes = network_.buffer_bytes() - sizeof(MessageHeader) - sizeof(Segment);
  info.objects = objects_.instances();
  info.failed = &failed_;
  return info;
}

bool Node::comm_server_computes() const { return plan_.workers() == 0 || network_.n_nodes() == 1; }

void Node::make_threads() {
  const auto add = [this](Duties duties) {
    threads_.push_back(std::make_unique<NodeThread>(*this, duties));
    if (duties.compute) workers_.add(*threads_.back());
    if (duties.service) helpers_.add(*threads_.back());
  };
  add({.network = true, .service = plan_.helpers() == 0, .compute = comm_server_computes()});
  for (int i = 0; i < plan_.helpers(); ++i) add({.service = true});
  for (int i = 0; i < plan_.workers(); ++i) add({.compute = true});
}

void Node::run(const std::function<void()>& root) {
  const AffinityMaskGuard guard;
  if (options_.print_threads) {
    std::cerr << "node " + std::to_string(network_.node()) + ":\n" + plan_.text() << std::flush;
  }
  network_.start();
  if (network_.node() == 0) push_root(root);
  run_threads();
  if (failed() && error_origin_ == Origin::here) network_.send_failure(error_);
  network_.finish(failed());
  if (failed()) throw Error(error_);
}

void Node::push_root(const std::function<void()>& root) {
  NodeThread& thread = *threads_.front();
  Task* const task = thread.new_task(sizeof(void*));
  const std::function<void()>* const body = &root;
  std::memcpy(task->closure, &body, sizeof body);
  task->run = [](ThreadContext& context, Task& self) {
    const std::function<void()>* root_body = nullptr;
    std::memcpy(&root_body, self.closure, sizeof root_body);
    run_in_scope(context, *root_body);
    current_node().comm_server().root_ended();
    current_node().wake_comm_server();
  };
  workers_.push(task);
}

void Node::run_threads() {
  std::barrier all_stopped(static_cast<std::ptrdiff_t>(threads_.size()));
  const auto run_thread = [&](std::size_t i) {
    bind_thread(i);
    threads_[i]->run([&] { all_stopped.arrive_and_wait(); });
  };
  std::vector<std::jthread> others;
  try {
    for (std::size_t i = 1; i < threads_.size(); ++i) others.emplace_back(run_thread, i);
  } catch (const std::system_error& error) {
    fail("thread " + std::to_string(others.size() + 2) + " of " + std::to_string(threads_.size()) +
         " could not be started (" + error.what() + "); lower Options::workers and helpers");
    for (std::size_t i = others.size() + 1; i < threads_.size(); ++i) all_stopped.arrive_and_drop();
  }
  run_thread(0);
}

void Node::bind_thread(std::size_t i) noexcept {
  const auto n_helpers = static_cast<std::size_t>(plan_.helpers());
  try {
    if (i == 0) {
      plan_.bind("comm_server", 0);
    } else if (i <= n_helpers) {
      plan_.bind("helper", i - 1);
    } else {
      plan_.bind("worker", i - 1 - n_helpers);
    }
  } catch (const Error& error) {
    fail(error);
  }
}

void Node::stop() {
  stopping_.store(true, std::memory_order_seq_cst);
  for (const auto& thread : threads_) thread->inbox().wake();
}

void Node::fail(const std::exception& error) noexcept {
  const bool is_short = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  fail(is_short ? no_memory : std::string_view(error.what()));
}

void Node::fail(std::string_view error, Origin origin) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (failed_) return;
    error_ = error.substr(0, error_.capacity());
    error_origin_ = origin;
    failed_.store(true, std::memory_order_release);
  }
  stop();
}

}  // namespace corewise::pgas::detail
