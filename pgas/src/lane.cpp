// What the headers' templates call: the calling thread's part in the runtime.
#include "corewise/pgas/detail/lane.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <string>

#include "corewise/pgas/detail/array_blocks.hpp"
#include "corewise/pgas/detail/loop.hpp"
#include "node.hpp"
#include "node_thread.hpp"

namespace corewise::pgas {

int here() noexcept { return detail::this_lane->node; }
int n_nodes() noexcept { return detail::this_lane->n_nodes; }
int n_workers() noexcept { return detail::this_lane->n_workers(); }
Threads threads() {
  const detail::ThreadPlan& plan = static_cast<detail::NodeThread*>(detail::this_lane)->owner().plan();
  return {plan.policy(), plan.workers(), plan.helpers(), plan.workers() + plan.helpers() + 1};
}

namespace detail {
namespace {

NodeThread& thread_of(Lane& lane) { return static_cast<NodeThread&>(lane); }

}  // namespace

thread_local constinit Lane* this_lane = nullptr;

std::byte* Lane::append_segment(int destination, Segment segment) {
  return thread_of(*this).start_segment(destination, segment);
}
Task* Lane::new_task(std::size_t closure_bytes) { return thread_of(*this).make_task(closure_bytes); }
void Lane::push(Task* task) { thread_of(*this).push_task(task); }
void Lane::begin_bulk_read() { thread_of(*this).start_bulk(); }
void Lane::end_bulk_read() noexcept {
  thread_of(*this).owner().bulk_reads_in_flight.fetch_sub(1, std::memory_order_relaxed);
}
void Lane::send_gathered() { thread_of(*this).flush(); }
void Lane::progress_if_due() { thread_of(*this).progress_if_due(); }

void throw_failed() { throw Error("the run has failed"); }

void throw_node(int node) {
  throw Error("node " + std::to_string(node) + " does not exist: the job has " + std::to_string(n_nodes()) +
              " nodes, from 0");
}

bool Completion::block() {
  NodeThread& thread = thread_of(*this_lane);
  if (thread.owner().failed()) return false;
  owner_ = thread.current();
  const std::int64_t published = 2 * issued_ + 1;
  issued_ = 0;
  if (state_.fetch_add(published, std::memory_order_acq_rel) + published != 1) {
    thread.suspend();
    if (thread.owner().failed()) return false;
  }
  state_.store(0, std::memory_order_relaxed);
  return true;
}

void Completion::wake_owner() noexcept { owner_->thread().make_ready(owner_); }

LoopShape LoopShape::part(int node, int n_nodes) const {
  const std::size_t size = end - begin;
  const std::size_t block = block_of(size, n_nodes);
  const std::size_t first = std::min(size, static_cast<std::size_t>(node) * block);
  const std::size_t last = std::min(size, first + block);
  return {begin + first, begin + last, chunk, in_flight};
}

std::size_t LoopShape::chunk_for(int workers) const {
  constexpr std::size_t chunks_per_worker = 16;
  return chunk != 0 ? chunk
                    : std::max<std::size_t>(
                          1, (end - begin) / (chunks_per_worker * static_cast<std::size_t>(workers)));
}

std::uint32_t new_object_id() { return thread_of(*this_lane).owner().new_object_id(); }

void keep_object(std::uint32_t id, void* object, void (*destroy)(void*)) {
  thread_of(*this_lane).owner().keep_object(id, object, destroy);
}

void drop_object(std::uint32_t id) { thread_of(*this_lane).owner().drop_object(id); }

void destroy_object(std::uint32_t id) {
  Completion done;
  for (int node = 0; node < this_lane->n_nodes; ++node) spawn_on(node, done, [id] { drop_object(id); });
  done.wait();
}

void throw_no_object(std::uint32_t id) {
  throw Error("array or map " + std::to_string(id) + " does not exist on node " + std::to_string(here()) +
              ": was it created, and is it not destroyed yet?");
}

void throw_index(std::size_t i, std::size_t size) {
  throw Error("index " + std::to_string(i) + " is outside the array of " + std::to_string(size) +
              " elements");
}

Blocks::Blocks(std::size_t bytes) : node_(here()), bytes_(std::max<std::size_t>(bytes, 1)) {
  void* const memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw Error("no memory for " + std::to_string(bytes_) + " bytes of an array on a node");
  own_ = static_cast<std::byte*>(memory);
}

Blocks::~Blocks() { munmap(own_, bytes_); }

}  // namespace detail

void yield() { detail::thread_of(*detail::this_lane).yield(); }

}  // namespace corewise::pgas
