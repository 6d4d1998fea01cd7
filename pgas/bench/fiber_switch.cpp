// See fiber_switch.hpp. The only benchmark that uses internals of the runtime.
#include "fiber_switch.hpp"

#include <chrono>

#include "corewise/pgas/detail/thread_context.hpp"
#include "node_thread.hpp"

namespace {

using corewise::pgas::detail::Fiber;
using corewise::pgas::detail::NodeThread;

constexpr int n_rounds = 1 << 20;

/// The two fibers. A switch passes no arguments to a new fiber, so the second fiber finds them here.
thread_local Fiber* here = nullptr;
thread_local Fiber* there = nullptr;

void answer(NodeThread&) {
  for (;;) there->switch_to(*here);
}

}  // namespace

double fiber_switch_ns() {
  auto& thread = static_cast<NodeThread&>(*corewise::pgas::detail::this_context);
  Fiber other(thread, 64 * 1024, &answer);
  here = thread.current();
  there = &other;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < n_rounds; ++i) here->switch_to(*there);
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
  return time.count() / (2.0 * n_rounds);
}
