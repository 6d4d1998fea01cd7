/// Parallel loops over indices, on all nodes or on this one, and reductions.
///
/// The indices are divided among the nodes in equal, contiguous blocks, like the elements of a GlobalArray.
/// Each worker of a node takes a chunk whenever it is free. While a body waits, its worker runs up to
/// `in_flight` further chunks. A loop returns when every iteration, and all tasks that it started, have
/// ended.
#pragma once

#include "corewise/pgas/detail/loop.hpp"
#include "corewise/pgas/global_array.hpp"
#include "corewise/pgas/task.hpp"

namespace corewise::pgas {

/// A valid loop body: callable as body(i) or body(begin, end).
template <class Body>
concept LoopBody = Shippable<Body> && (std::invocable<const Body&, std::size_t> ||
                                       std::invocable<const Body&, std::size_t, std::size_t>);

/// How a loop is divided among workers.
struct LoopOptions {
  std::size_t chunk = 0;       ///< iterations that a worker takes at a time; 0: 1/16 of its share
  std::size_t in_flight = 64;  ///< chunks of one worker that may wait at the same time
};

/// Runs body for each index of [begin, end) over all nodes.
template <LoopBody Body>
void parallel_for(std::size_t begin, std::size_t end, Body body, LoopOptions options = {}) {
  const detail::LoopShape shape{begin, end, options.chunk, options.in_flight};
  on_all([shape, body] { detail::run_loop(shape.part(here(), n_nodes()), body); });
}

/// Like parallel_for(), on this node only.
template <LoopBody Body>
void parallel_for_here(std::size_t begin, std::size_t end, Body body, LoopOptions options = {}) {
  detail::run_loop(detail::LoopShape{begin, end, options.chunk, options.in_flight}, body);
}

/// Combines the results of body(begin, end) over all chunks of all nodes. combine(a, b) must be associative
/// and commutative, with the neutral element `zero`. The result must be trivially copyable.
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

/// Calls body(element) or body(index, element) for every element of an array, on the element's node.
/// `element` refers to the node's memory: a body must not use it while another task changes the same element.
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
