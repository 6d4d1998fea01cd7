/// How a node runs its part of a loop: tasks, called runners, take chunks from a shared counter.
///
/// Before its first chunk, a runner spawns one more runner; then it takes chunks until none is left. An idle
/// worker steals the new runner, or this worker starts it when the first one waits. Otherwise it starts after
/// the others, finds no chunk, and returns. So a loop whose body never waits costs one task per worker, and
/// if the body waits, waiting times overlap.
#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <mutex>

#include "corewise/pgas/detail/remote_call.hpp"

namespace corewise::pgas::detail {

/// A range of indices, and how it is divided.
struct LoopShape {
  std::size_t begin;
  std::size_t end;
  std::size_t chunk;      ///< iterations that a runner takes at a time; 0: see chunk_for()
  std::size_t in_flight;  ///< most runners for each worker

  /// The part of one node, in the same contiguous blocks as a GlobalArray.
  [[nodiscard]] LoopShape part(int node, int n_nodes) const;

  /// `chunk`, or 1/16 of a worker's share if `chunk` is 0; at least 1; less if the counter would overflow.
  /// @pre begin < end
  [[nodiscard]] std::size_t chunk_for(int workers) const;

  /// Greatest number of runners on all workers of a node.
  [[nodiscard]] std::size_t runners_for(int workers) const;
};

/// The state that the runners of a loop share. Each runner has a copy of `body` and calls it with (first,
/// last) of each chunk. If the body has a function finish(), the runner calls it at the end.
template <class Body>
class Loop {
 public:
  Loop(const LoopShape& shape, const Body& body, int workers)
      : begin_(shape.begin),
        size_(shape.end - shape.begin),
        runners_allowed_(static_cast<std::ptrdiff_t>(shape.runners_for(workers))),
        chunk_(shape.chunk_for(workers)),
        body_(body) {}

  /// Runs the loop. The calling task is the first runner. Returns when all runners have ended.
  void run() {
    run_chunks();
    runners_.wait();
  }

 private:
  void run_chunks() {
    spawn_runner();
    ThreadContext& context = *this_context;
    Body body = body_;
    for (;;) {
      const std::size_t first = next_.fetch_add(chunk_, std::memory_order_relaxed);
      if (first >= size_) break;
      body(begin_ + first, begin_ + first + std::min(chunk_, size_ - first));
      context.progress_if_due();
    }
    if constexpr (requires { body.finish(); }) body.finish();
  }

  void spawn_runner() {
    if (next_.load(std::memory_order_relaxed) >= size_) return;
    if (runners_allowed_.fetch_sub(1, std::memory_order_relaxed) <= 0) {
      runners_allowed_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    runners_.expect_from_anywhere();
    push_local(runners_, [this] { run_chunks(); });
  }

  std::size_t begin_;
  std::size_t size_;
  std::atomic<std::size_t> next_{0};             // index of the next chunk, relative to begin_
  std::atomic<std::ptrdiff_t> runners_allowed_;  // number of runners that may still be spawned
  std::size_t chunk_;
  Body body_;
  Completion runners_;
};

/// Runs body(i) or body(begin, end) over a shape on this node.
template <class Body>
void run_loop(const LoopShape& shape, const Body& body) {
  if (shape.begin >= shape.end) return;
  if constexpr (std::invocable<const Body&, std::size_t, std::size_t>) {
    Loop loop(shape, body, this_context->n_workers());
    loop.run();
  } else {
    const auto each = [body](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) body(i);
    };
    Loop loop(shape, each, this_context->n_workers());
    loop.run();
  }
}

/// The result of a reduction. Each runner adds its partial result.
template <class R>
struct Total {
  std::mutex mutex;
  R value;
};

/// The body of a reduction, with the partial result of one runner.
template <class R, class Body, class Combine>
struct PartialReduction {
  R value;
  Body body;
  Combine combine;
  Total<R>* total;

  void operator()(std::size_t first, std::size_t last) { value = combine(value, body(first, last)); }
  void finish() {
    const std::lock_guard lock(total->mutex);
    total->value = combine(total->value, value);
  }
};

template <class R, class Body, class Combine>
[[nodiscard]] R run_reduction(const LoopShape& shape, const R& zero, const Body& body,
                              const Combine& combine) {
  Total<R> total{{}, zero};
  if (shape.begin < shape.end) {
    Loop loop(shape, PartialReduction<R, Body, Combine>{zero, body, combine, &total},
              this_context->n_workers());
    loop.run();
  }
  return total.value;
}

}  // namespace corewise::pgas::detail
