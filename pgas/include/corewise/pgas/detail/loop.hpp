/// How a node runs its part of a loop: workers take chunks from one shared counter.
///
/// Runners, one after the other, take chunks until none is left. Each runner's first act is to leave one more
/// behind as a task: an idle worker finds it, or this worker does when the runner waits; where nobody needs
/// it, it finds no chunk and ends. So a loop that never waits costs one task a worker, and one that waits
/// overlaps.
#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <mutex>

#include "corewise/pgas/detail/remote_call.hpp"

namespace corewise::pgas::detail {

struct LoopShape {
  std::size_t begin;
  std::size_t end;
  std::size_t chunk;      ///< 0: chosen here
  std::size_t in_flight;  ///< runners of one worker

  /// The part of one node.
  [[nodiscard]] LoopShape part(int node, int n_nodes) const;

  /// The chunk to use with this many workers.
  [[nodiscard]] std::size_t chunk_for(int workers) const;
};

/// The state that the runners of one loop share. `body` is copied for each runner, called with (first, last)
/// of each chunk and, where it has finish(), told when its runner ends.
template <class Body>
class Loop {
 public:
  Loop(const LoopShape& shape, const Body& body, int workers)
      : next_(shape.begin),
        runners_allowed_(static_cast<std::ptrdiff_t>(shape.in_flight) * workers),
        end_(shape.end),
        chunk_(shape.chunk_for(workers)),
        body_(body) {}

  /// The calling task is the first runner, and returns when all have ended.
  void run() {
    run_chunks();
    runners_.wait();
  }

 private:
  void run_chunks() {
    spawn_runner();
    Lane& lane = *this_lane;
    Body body = body_;
    for (;;) {
      const std::size_t first = next_.fetch_add(chunk_, std::memory_order_relaxed);
      if (first >= end_) break;
      body(first, std::min(first + chunk_, end_));
      lane.progress_if_due();
    }
    if constexpr (requires { body.finish(); }) body.finish();
  }

  void spawn_runner() {
    if (next_.load(std::memory_order_relaxed) >= end_) return;
    if (runners_allowed_.fetch_sub(1, std::memory_order_relaxed) <= 0) {
      runners_allowed_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    runners_.expect_from_anywhere();
    push_local(runners_, [this] { run_chunks(); });
  }

  std::atomic<std::size_t> next_;
  std::atomic<std::ptrdiff_t> runners_allowed_;  ///< that may still be started
  std::size_t end_;
  std::size_t chunk_;
  Body body_;
  Completion runners_;
};

/// Runs body(i) or body(begin, end) over a shape on this node.
template <class Body>
void run_loop(const LoopShape& shape, const Body& body) {
  if (shape.begin >= shape.end) return;
  if constexpr (std::invocable<const Body&, std::size_t, std::size_t>) {
    Loop loop(shape, body, this_lane->n_workers());
    loop.run();
  } else {
    const auto each = [body](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) body(i);
    };
    Loop loop(shape, each, this_lane->n_workers());
    loop.run();
  }
}

/// Where the runners of a reduction put their parts together.
template <class R>
struct Total {
  std::mutex mutex;
  R value;
};

/// A runner's part.
template <class R, class Body, class Combine>
struct Part {
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
    Loop loop(shape, Part<R, Body, Combine>{zero, body, combine, &total}, this_lane->n_workers());
    loop.run();
  }
  return total.value;
}

}  // namespace corewise::pgas::detail
