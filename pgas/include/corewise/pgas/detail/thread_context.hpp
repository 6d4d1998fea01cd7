/// What the public headers need of the calling thread: its node, its outgoing messages, its tasks. The
/// scheduler is in src/node_thread.hpp.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "corewise/pgas/detail/completion.hpp"
#include "corewise/pgas/detail/handlers.hpp"
#include "corewise/pgas/detail/outgoing_messages.hpp"

namespace corewise::pgas::detail {

/// Records in messages are padded to a multiple of this, bytes.
inline constexpr std::size_t record_alignment = 8;

/// Size of the largest closure that can be sent to another node.
inline constexpr std::size_t max_closure_bytes = 4096;

/// A closure waiting to run. At its end, run() answers the task that waits for it.
struct Task {
  void (*run)(ThreadContext&, Task&);
  Task* next;           ///< in the free list
  std::uint64_t token;  ///< the Completion to report to, on node `origin`
  void* result;         ///< destination of the result, on node `origin`
  std::int32_t origin;
  std::uint32_t bytes;  ///< of the closure
  alignas(16) std::byte closure[];
};

/// What every thread of a node knows about the node; constant during a run.
struct NodeInfo {
  int node;                             ///< its number, from 0
  int n_nodes;                          ///< of the job
  int n_workers;                        ///< threads of the node that run tasks
  bool only_thread;                     ///< the node has one thread
  std::size_t max_record_bytes;         ///< largest record that fits into a message
  std::atomic<std::uint64_t>* objects;  ///< [place] generation and address, see object_directory.hpp
  const std::atomic<bool>* failed;      ///< has the run failed?
};

/// The calling thread's part of the runtime.
class ThreadContext {
 public:
  ThreadContext(const ThreadContext&) = delete;
  ThreadContext& operator=(const ThreadContext&) = delete;

  [[nodiscard]] int node() const noexcept { return info_.node; }
  [[nodiscard]] int n_nodes() const noexcept { return info_.n_nodes; }
  [[nodiscard]] int n_workers() const noexcept { return info_.n_workers; }
  [[nodiscard]] bool only_thread() const noexcept { return info_.only_thread; }
  [[nodiscard]] std::size_t max_record_bytes() const noexcept { return info_.max_record_bytes; }

  [[nodiscard]] bool failed() const noexcept { return info_.failed->load(std::memory_order_acquire); }

  /// This node's instance of an object, or nullptr.
  [[nodiscard]] void* find_object(std::uint32_t id) const noexcept {
    const std::uint64_t found = info_.objects[id & 0xffffU].load(std::memory_order_acquire);
    // The upper 16 bits of an address are 0, so they hold the generation, which must match that of the id.
    return reinterpret_cast<void*>(found >> 48U == id >> 16U ? found & 0xffffffffffffU : 0);
  }

  /// Counts what the running task has started without a handle; nullptr: not in a task.
  [[nodiscard]] Completion* scope() const noexcept { return scope_; }

  /// Makes `scope` the running task's scope. @return the one before.
  Completion* exchange_scope(Completion* scope) noexcept { return std::exchange(scope_, scope); }

  /// Makes room for one record in the message to `node`. The record joins the last segment if that has the
  /// same handler, object and token.
  template <class Record>
  [[nodiscard]] Record* append(int node, std::uint32_t handler, std::uint32_t object_id,
                               std::uint64_t token) {
    static_assert(sizeof(Record) % record_alignment == 0 && alignof(Record) <= record_alignment);
    // The segment is written twice, so that the compiler keeps it in registers on the frequent path.
    std::byte* record = outgoing_.extend(node, {handler, sizeof(Record), 1, object_id, token});
    if (record == nullptr) [[unlikely]]
      record = append_segment(node, {handler, sizeof(Record), 1, object_id, token});
    return reinterpret_cast<Record*>(record);
  }

  /// The newest record in the message to `node` if its segment is for this handler, else nullptr.
  template <class Record>
  [[nodiscard]] Record* last_record(int node, std::uint32_t handler) const noexcept {
    std::byte* const end = outgoing_.end_of_last_record(node, handler);
    return end == nullptr ? nullptr : reinterpret_cast<Record*>(end) - 1;
  }

  /// Starts a segment in the message to `node`, with space for one record of segment.record_bytes.
  /// @return the record's place.
  [[nodiscard]] std::byte* append_segment(int node, Segment segment);

  /// Sends the messages to all nodes, even if they are not full.
  void flush();

  /// A task with space for a closure of this size. The scheduler frees the task after run().
  [[nodiscard]] Task* new_task(std::size_t closure_bytes);

  /// Gives a task to this node's workers.
  void push(Task* task);

  /// Called before a request whose answer may fill a whole message. While this node has too many such
  /// requests in flight, runs other tasks. end_bulk_read() is called when the answer has arrived.
  void begin_bulk_read();
  void end_bulk_read() noexcept;

  /// Called between the chunks of a long loop. From time to time, sends and receives messages and runs tasks
  /// that have become ready.
  void progress_if_due();

 protected:
  explicit ThreadContext(const NodeInfo& info) : info_(info), outgoing_(info.n_nodes) {}
  ~ThreadContext() = default;

  [[nodiscard]] OutgoingMessages& outgoing() noexcept { return outgoing_; }

 private:
  NodeInfo info_;
  OutgoingMessages outgoing_;
  Completion* scope_ = nullptr;
};

/// The calling thread's context; nullptr: not a thread of the runtime. constinit avoids a check per access.
extern thread_local constinit ThreadContext* this_context;

/// Counts what the running task has started without a handle.
inline Completion& scope() { return *this_context->scope(); }

/// Reports to `node` that `count` operations, which it sent under `token`, have ended.
void acknowledge(ThreadContext& context, int node, std::uint64_t token, std::uint32_t count);

/// The token by which other nodes refer to a Completion of this node.
[[nodiscard]] inline std::uint64_t token_of(Completion& completion) noexcept {
  return reinterpret_cast<std::uint64_t>(&completion);
}

/// The Completion of this node that a token refers to.
[[nodiscard]] inline Completion& completion_of(std::uint64_t token) noexcept {
  return *reinterpret_cast<Completion*>(token);
}

}  // namespace corewise::pgas::detail
