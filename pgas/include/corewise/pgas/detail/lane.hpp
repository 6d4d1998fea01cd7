/// A thread of a node as operations see it: where it gathers messages and tasks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "corewise/pgas/detail/completion.hpp"
#include "corewise/pgas/detail/handlers.hpp"

namespace corewise::pgas::detail {

/// Records are padded to this.
inline constexpr std::size_t record_alignment = 8;

/// Greatest closure that travels.
inline constexpr std::size_t max_closure_bytes = 4096;

struct Buffer;

/// Messages that gather for one node.
struct Stream {
  std::byte* cursor = nullptr;  ///< where the next record goes
  std::byte* end = nullptr;
  Segment* open = nullptr;  ///< the segment that it may join
  Buffer* buffer = nullptr;
};

/// A closure waiting to run. run() ends by answering whoever waits for it.
struct Task {
  void (*run)(Lane&, Task&);
  Task* next;
  std::uint64_t token;  ///< the Completion on node `origin`
  void* result;         ///< where the result goes on node `origin`
  std::int32_t origin;
  std::uint32_t bytes;  ///< of the closure
  alignas(16) std::byte closure[];
};

/// What the headers' inlined operations need of a thread; the scheduler has the rest.
class Lane {
 public:
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  /// Makes room for one record to `node`, joined to the last segment where it is of the same kind.
  template <class Record>
  [[nodiscard]] Record* append(int node, std::uint32_t handler, std::uint32_t context, std::uint64_t token) {
    static_assert(sizeof(Record) % record_alignment == 0 && alignof(Record) <= record_alignment);
    Stream& stream = streams[node];
    const Segment* const open = stream.open;
    if (open != nullptr && open->handler == handler && open->token == token && open->context == context &&
        open->record_bytes == sizeof(Record) && stream.cursor + sizeof(Record) <= stream.end) [[likely]] {
      ++stream.open->count;
      void* const record = stream.cursor;
      stream.cursor += sizeof(Record);
      return static_cast<Record*>(record);
    }
    return reinterpret_cast<Record*>(append_segment(node, {handler, sizeof(Record), 1, context, token}));
  }

  /// Starts a segment of one record of any size (padded here); its place is the result.
  [[nodiscard]] std::byte* append_segment(int node, Segment segment);

  /// Most bytes of one record.
  [[nodiscard]] std::size_t max_record_bytes() const noexcept { return max_record_bytes_; }

  /// A task of this many bytes of closure; the scheduler frees it after run().
  [[nodiscard]] Task* new_task(std::size_t closure_bytes);

  /// Gives a task to this node's workers.
  void push(Task* task);

  /// Before asking for a record of up to max_record_bytes(): lets other tasks go on while this node has
  /// asked for too many, since each costs the answering node a buffer. end_bulk_read() when the answer has
  /// come.
  void begin_bulk_read();
  void end_bulk_read() noexcept;

  /// Sends what has gathered for other nodes, before work here that they shouldn't have to wait for.
  void send_gathered();

  /// Threads of this node that run tasks.
  [[nodiscard]] int n_workers() const noexcept { return n_workers_; }

  /// Between chunks of a long loop: sees to the network and other tasks where it is time.
  void progress_if_due();

  int node = 0;
  int n_nodes = 1;
  bool only_thread = false;                   ///< the node has no other
  Stream* streams = nullptr;                  ///< by node
  std::atomic<void*>* objects = nullptr;      ///< by id; see directory.hpp
  const std::atomic<bool>* failed = nullptr;  ///< whether the run has
  Completion* scope = nullptr;                ///< of the task that runs: what it started without a handle

 protected:
  Lane() = default;
  ~Lane() = default;
  std::size_t max_record_bytes_ = 0;
  int n_workers_ = 1;
};

/// The calling thread's lane; nullptr outside the runtime. constinit spares the initialisation check.
extern thread_local constinit Lane* this_lane;

/// What the running task started without a handle.
inline Completion& scope() { return *this_lane->scope; }

/// Answers `count` operations of a segment to the node that asked.
void acknowledge(Lane& lane, int node, std::uint64_t token, std::uint32_t count);

[[nodiscard]] inline std::uint64_t token_of(Completion& completion) noexcept {
  return reinterpret_cast<std::uint64_t>(&completion);
}
[[nodiscard]] inline Completion& completion_of(std::uint64_t token) noexcept {
  return *reinterpret_cast<Completion*>(token);
}

}  // namespace corewise::pgas::detail
