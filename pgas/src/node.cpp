// One node of a job.
#include "node.hpp"

#include <pthread.h>

#include <cstring>
#include <iostream>
#include <thread>

namespace corewise::pgas::detail {
namespace {

/// What must be the same on all nodes.
struct Facts {
  HandlerTable handlers;
  std::uint64_t buffer_bytes;
  std::uint64_t credits;
};

void check_options(const Options& options) {
  if (options.buffer_bytes < 8192 || options.buffer_bytes > (1U << 30U)) {
    throw Error("Options::buffer_bytes is " + std::to_string(options.buffer_bytes) + ", not 8 KiB to 1 GiB");
  }
  if (options.credits < 1 || options.timeout_s <= 0 || options.flush_s < 0 || options.max_fibers < 2) {
    throw Error(
        "Options: credits, timeout_s and max_fibers (at least 2) must be positive, flush_s not negative");
  }
}

/// A thread's mask, put back in the end: the main thread is a guest here.
class AffinityMaskGuard {
 public:
  AffinityMaskGuard() : kept_(pthread_getaffinity_np(pthread_self(), sizeof mask_, &mask_) == 0) {}
  ~AffinityMaskGuard() {
    if (kept_) pthread_setaffinity_np(pthread_self(), sizeof mask_, &mask_);
  }
  AffinityMaskGuard(const AffinityMaskGuard&) = delete;
  AffinityMaskGuard& operator=(const AffinityMaskGuard&) = delete;

 private:
  cpu_set_t mask_{};
  bool kept_;
};

}  // namespace

Node::Node(Transport& transport_in, const Options& options_in)
    : transport(transport_in),
      options((check_options(options_in), options_in)),
      pool(options.buffer_bytes, options.max_buffers),
      sender(transport, pool, options),
      objects(max_objects),
      plan_(transport, options),
      n_workers_(plan_.workers() + (plan_.workers() == 0 || transport.n_nodes() == 1 ? 1 : 0)),
      flush_time_(std::chrono::nanoseconds(static_cast<std::int64_t>(options.flush_s * 1e9))),
      destroyers_(max_objects) {
  check_peers_match();
  make_threads();
}

Node::~Node() {
  for (std::uint32_t id = 0; id < max_objects; ++id) {
    if (void* const object = objects[id].load()) destroyers_[id](object);
  }
}

void Node::check_peers_match() {
  const Facts own{handler_table(), options.buffer_bytes, static_cast<std::uint64_t>(options.credits)};
  const auto all = transport.gather(std::as_bytes(std::span(&own, 1)));
  for (std::size_t node = 0; node < all.size(); ++node) {
    Facts other{};
    std::memcpy(&other, all[node].data(), sizeof other);
    if (other.handlers.hash != own.handlers.hash || other.handlers.count != own.handlers.count) {
      throw Error("node " + std::to_string(node) + " runs another program than node " +
                  std::to_string(transport.node()) + ": " + std::to_string(other.handlers.count) + " and " +
                  std::to_string(own.handlers.count) +
                  " message handlers, or other ones; start the same executable everywhere");
    }
    if (other.buffer_bytes != own.buffer_bytes || other.credits != own.credits) {
      throw Error("node " + std::to_string(node) + " has other Options (buffer_bytes, credits) than node " +
                  std::to_string(transport.node()) + "; give all nodes the same");
    }
  }
}

void Node::make_threads() {
  const bool alone = transport.n_nodes() == 1;
  const auto add = [this](Duties duties) {
    threads_.push_back(std::make_unique<NodeThread>(*this, duties));
    if (duties.works) workers_.push_back(threads_.back().get());
    if (duties.helps) helpers_.push_back(threads_.back().get());
  };
  add({true, plan_.helpers() == 0, plan_.workers() == 0 || alone});
  for (int i = 0; i < plan_.helpers(); ++i) add({false, true, false});
  for (int i = 0; i < plan_.workers(); ++i) add({false, false, true});
}

void Node::run(const std::function<void()>& root) {
  const AffinityMaskGuard mask;
  if (options.print_threads) {
    std::cerr << "node " + std::to_string(transport.node()) + ":\n" + plan_.text() << std::flush;
  }
  transport.start(pool);
  if (transport.node() == 0) push_root(root);
  std::barrier all_left(static_cast<std::ptrdiff_t>(threads_.size()));
  const auto run_thread = [&](std::size_t i) {
    const auto helpers = static_cast<std::size_t>(plan_.helpers());
    try {
      if (i == 0)
        plan_.bind("comm_server", 0);
      else if (i <= helpers)
        plan_.bind("helper", i - 1);
      else
        plan_.bind("worker", i - 1 - helpers);
    } catch (const Error& error) {
      fail(error.what());
    }
    threads_[i]->run([&] { all_left.arrive_and_wait(); });
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < threads_.size(); ++i) others.emplace_back(run_thread, i);
  run_thread(0);
  others.clear();
  if (failed() && !failure_from_peer_) sender.send_failure(sentence_);
  transport.finish(failed(), options.timeout_s);
  if (failed()) throw Error(sentence_);
}

void Node::push_root(const std::function<void()>& root) {
  NodeThread& worker = *workers_.front();
  Task* const task = worker.new_task(sizeof(void*));
  const std::function<void()>* const body = &root;
  std::memcpy(task->closure, &body, sizeof body);
  task->token = reinterpret_cast<std::uint64_t>(this);
  task->run = [](Lane& lane, Task& self) {
    const std::function<void()>* root_body = nullptr;
    std::memcpy(&root_body, self.closure, sizeof root_body);
    run_in_scope(lane, *root_body);
    Node& node = *reinterpret_cast<Node*>(self.token);
    node.root_ended_.store(true, std::memory_order_seq_cst);
    node.wake_comm_server();
  };
  worker.push_inbox(task);
}

void Node::stop_threads() {
  stopping_.store(true, std::memory_order_seq_cst);
  for (const auto& thread : threads_) thread->wake();
}

void Node::fail(const std::string& sentence) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (failed_) return;
    sentence_ = sentence;
    failed_.store(true, std::memory_order_release);
  }
  stop_threads();
}

// The network is served in the middle of tasks, so its errors end the run, never the task that happens to be
// there.
template <class Work>
bool Node::fail_on_error(Work work) noexcept {
  try {
    return work();
  } catch (const std::exception& error) {
    fail(error.what());
    return false;
  }
}

bool Node::progress_network(NodeThread& comm_server) noexcept {
  return fail_on_error([&] { return exchange_messages(comm_server); });
}

void Node::send_queued() noexcept {
  fail_on_error([this] {
    sender.send_queued();
    return true;
  });
}

void Node::return_all_credits() noexcept {
  fail_on_error([this] {
    sender.return_credits(true);
    return true;
  });
}

bool Node::exchange_messages(NodeThread& comm_server) {
  if (root_ended_.load(std::memory_order_acquire) && !stopping()) {
    sender.send_stop();
    stop_threads();
  }
  if (transport.n_nodes() == 1) return false;
  bool any = sender.any_queued();
  sender.send_queued();
  constexpr int max_messages_at_once = 16;
  for (int i = 0; i < max_messages_at_once; ++i) {
    Buffer* const message = sender.receive();
    if (message == nullptr) break;
    any = true;
    deliver(message, comm_server);
  }
  sender.return_credits(false);
  if (sender.stopped()) stop_threads();
  if (!sender.failure().empty() && !failed()) {
    failure_from_peer_ = true;
    fail(sender.failure());
  }
  sender.watch_peers();
  return any;
}

void Node::deliver(Buffer* message, NodeThread& comm_server) {
  if (comm_server.duties().helps) {
    comm_server.serve(message);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    for_helpers_.push_back(message);
    any_for_helpers_.store(true, std::memory_order_seq_cst);
  }
  for (NodeThread* const helper : helpers_) helper->wake();
}

Buffer* Node::next_for_helper() {
  if (!any_for_helpers_.load(std::memory_order_acquire)) return nullptr;
  const std::lock_guard lock(mutex_);
  if (for_helpers_.empty()) return nullptr;
  Buffer* const message = for_helpers_.front();
  for_helpers_.pop_front();
  if (for_helpers_.empty()) any_for_helpers_.store(false, std::memory_order_relaxed);
  return message;
}

void Node::push_elsewhere(Task* task) {
  const unsigned turn = next_worker_.fetch_add(1, std::memory_order_relaxed);
  workers_[turn % workers_.size()]->push_inbox(task);
}

Task* Node::steal(const NodeThread& thief) {
  for (NodeThread* const worker : workers_) {
    if (worker == &thief) continue;
    if (Task* const task = worker->steal()) return task;
  }
  return nullptr;
}

void Node::wake_one() {
  for (NodeThread* const worker : workers_) {
    if (!worker->asleep()) continue;
    worker->wake();
    return;
  }
}

void Node::wake_comm_server() { threads_.front()->wake(); }

std::uint32_t Node::new_object_id() {
  const std::lock_guard lock(mutex_);
  if (!free_ids_.empty()) {
    const std::uint32_t id = free_ids_.back();
    free_ids_.pop_back();
    return id;
  }
  // 0 is no object.
  const auto nodes = static_cast<std::uint32_t>(transport.n_nodes());
  const std::uint32_t id = 1 + n_ids_made_ * nodes + static_cast<std::uint32_t>(transport.node());
  if (id >= max_objects) {
    throw Error("node " + std::to_string(transport.node()) + " has made " + std::to_string(n_ids_made_) +
                " arrays and maps at the same time, more than fit: destroy() those no longer used");
  }
  ++n_ids_made_;
  return id;
}

void Node::keep_object(std::uint32_t id, void* object, void (*destroy)(void*)) {
  const std::lock_guard lock(mutex_);
  destroyers_[id] = destroy;
  objects[id].store(object, std::memory_order_release);
}

void Node::drop_object(std::uint32_t id) {
  void* object = nullptr;
  void (*destroy)(void*) = nullptr;
  {
    const std::lock_guard lock(mutex_);
    object = objects[id].exchange(nullptr);
    destroy = destroyers_[id];
    const auto nodes = static_cast<std::uint32_t>(transport.n_nodes());
    if ((id - 1) % nodes == static_cast<std::uint32_t>(transport.node())) free_ids_.push_back(id);
  }
  if (object != nullptr) destroy(object);
}

}  // namespace corewise::pgas::detail
