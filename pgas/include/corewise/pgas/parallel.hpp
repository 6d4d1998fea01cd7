/// Loops over indices, on all nodes or on this one, with the body inlined into chunks; and reductions.
///
/// Indices are divided among the nodes in contiguous, equal blocks (as GlobalArray divides its elements),
/// within a node among its workers chunk by chunk as they come free. A body that waits makes room for further
/// chunks of the same loop, `in_flight` at a time. A loop returns when every iteration, and all that it
/// started, has ended.
#pragma once

#include "corewise/pgas/detail/loop.hpp"
#include "corewise/pgas/global_array.hpp"
#include "corewise/pgas/task.hpp"

namespace corewise::pgas {

/// A loop body: body(i) or body(begin, end).
template <class Body>
concept LoopBody = Shippable<Body> && (std::invocable<const Body&, std::size_t> ||
                                       std::invocable<const Body&, std::size_t, std::size_t>);

/// How a loop is divided.
struct LoopOptions {
  std::size_t chunk = 0;       ///< iterations that a worker takes at a time; 0: 1/16 of its share
  std::size_t in_flight = 64;  ///< chunks of one worker, at most, that may wait at the same time
};

/// Runs body for each index of [begin, end) over all nodes.
template <LoopBody Body>
void parallel_for(std::size_t begin, std::size_t end, Body body, LoopOptions options = {}) {
  const detail::LoopShape shape{begin, end, options.chunk, options.in_flight};
  on_all([shape, body] { detail::run_loop(shape.part(here(), n_nodes()), body); });
}

/// As parallel_for(), on this node only.
template <LoopBody Body>
void parallel_for_here(std::size_t begin, std::size_t end, Body body, LoopOptions options = {}) {
  detail::run_loop(detail::LoopShape{begin, end, options.chunk, options.in_flight}, body);
}

/// Combines body(begin, end) of all chunks and nodes: combine(a, b) is associative and commutative, `zero`
/// its neutral element. The result is trivially copyable.
template <Shippable Body, class R, Shippable Combine>
  requires std::invocable<const Body&, std::size_t, std::size_t> && std::is_trivially_copyable_v<R>
R parallel_reduce(std::size_t begin, std::size_t end, R zero, Body body, Combine combine,
                  LoopOptions options = {}) {
  const detail::LoopShape shape{begin, end, options.chunk, options.in_flight};
  const auto parts = call_all([shape, zero, body, combine] {
    return detail::run_reduction(shape.part(here(), n_nodes()), zero, body, combine);
  });
  R total = zero;
  for (const R& part : parts) total = combine(total, part);
  return total;
}

/// Calls body(element) or body(index, element) for every element of an array, where it lies. The reference is
/// to the owner's memory; bodies that change the same element by other ways must use atomics.
template <class T, Shippable Body>
  requires std::invocable<const Body&, T&> || std::invocable<const Body&, std::size_t, T&>
void for_each(GlobalArray<T> array, Body body, LoopOptions options = {}) {
  const detail::LoopShape given{0, 0, options.chunk, options.in_flight};
  on_all([given, array, body] {
    const std::size_t first = array.local_begin();
    detail::LoopShape shape = given;
    shape.end = array.local().size();
    T* const elements = array.local().data();
    const auto each = [first, elements, &body](std::size_t i) {
      if constexpr (std::invocable<const Body&, T&>) {
        body(elements[i]);
      } else {
        body(first + i, elements[i]);
      }
    };
    detail::run_loop(shape, each);
  });
}

}  // namespace corewise::pgas
