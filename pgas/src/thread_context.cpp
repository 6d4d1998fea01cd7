// ThreadContext's functions, which call those of NodeThread, and acknowledgements between nodes.
#include "corewise/pgas/detail/thread_context.hpp"

#include <string>

#include "node.hpp"

namespace corewise::pgas::detail {
namespace {

NodeThread& thread_of(ThreadContext& context) { return static_cast<NodeThread&>(context); }

/// Operations that have ended under one token.
struct Acknowledgement {
  std::uint64_t token;
  std::uint64_t count;
};

void receive_acknowledgements(const Incoming& in) {
  const auto* const records = reinterpret_cast<const Acknowledgement*>(in.records);
  for (std::uint32_t i = 0; i < in.segment.count; ++i) {
    completion_of(records[i].token).complete(static_cast<std::int64_t>(records[i].count));
  }
}

}  // namespace

thread_local constinit ThreadContext* this_context = nullptr;

std::byte* ThreadContext::append_segment(int node, Segment segment) {
  return thread_of(*this).append_segment(node, segment);
}
void ThreadContext::flush() { thread_of(*this).flush(); }
Task* ThreadContext::new_task(std::size_t closure_bytes) { return thread_of(*this).new_task(closure_bytes); }
void ThreadContext::push(Task* task) { thread_of(*this).push(task); }
void ThreadContext::begin_bulk_read() { thread_of(*this).begin_bulk_read(); }
void ThreadContext::end_bulk_read() noexcept { thread_of(*this).owner().bulk_reads().end(); }
void ThreadContext::progress_if_due() { thread_of(*this).progress_if_due(); }

void acknowledge(ThreadContext& context, int node, std::uint64_t token, std::uint32_t count) {
  const std::uint32_t handler = handler_id<&receive_acknowledgements>();
  auto* const last = context.last_record<Acknowledgement>(node, handler);
  if (last != nullptr && last->token == token) {
    last->count += count;
  } else {
    *context.append<Acknowledgement>(node, handler, 0, 0) = {token, count};
  }
}

void throw_node(int node) {
  throw Error("node " + std::to_string(node) + " does not exist: the job has " +
              std::to_string(this_context->n_nodes()) + " nodes, from 0");
}

}  // namespace corewise::pgas::detail
