/// Tasks: starting them on this or another node, getting their results, waiting for them. A thread calls a
/// task like a function. Only a task that waits needs a fiber to keep its stack, so a task that never waits
/// costs no more than a call.
///
/// A task ends only after all tasks that it has started without a handle. So when a call of the root of a
/// task tree returns, the whole tree has ended (termination detection of Dijkstra and Scholten: a task is
/// acknowledged to its parent's node after all its children have been acknowledged to it).
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "corewise/pgas/detail/remote_call.hpp"

namespace corewise::pgas {

/// A closure that can be sent to another process: it is trivially copyable.
template <class F>
concept Shippable = std::is_trivially_copyable_v<F> && sizeof(F) <= detail::max_closure_bytes;

/// A result that can be sent back: trivially copyable, or a vector of such elements.
template <class R>
concept ShippableResult =
    std::is_void_v<R> || std::is_trivially_copyable_v<R> || detail::is_shippable_vector<R>;

/// Waits for a set of operations and tasks. Only the task that created it may use it. Its destructor waits.
class Handle {
 public:
  Handle() = default;
  ~Handle() noexcept(false) { completion_.wait_in_destructor(); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  /// Returns when everything that was started with this handle has ended. The handle can then be reused.
  void wait() { completion_.wait(); }

  /// Would wait() return at once?
  [[nodiscard]] bool done() const noexcept { return completion_.done(); }

  /// For the runtime's own operations.
  [[nodiscard]] detail::Completion& completion() noexcept { return completion_; }

 private:
  detail::Completion completion_;
};

/// Returns when all operations and tasks have ended that this task started without a handle.
inline void wait() { detail::scope().wait(); }

/// Starts f() on any worker of this node. The captures of `f` only need to be movable.
template <std::invocable F>
void spawn(F f) {
  detail::spawn_here(detail::scope(), std::move(f));
}

/// As above; handle.wait() waits for the task.
template <std::invocable F>
void spawn(Handle& handle, F f) {
  detail::spawn_here(handle.completion(), std::move(f));
}

/// Starts f() on a node.
template <Shippable F>
  requires std::invocable<F>
void spawn_at(int node, F f) {
  detail::spawn_on(node, detail::scope(), f);
}

/// As above; handle.wait() waits for the task.
template <Shippable F>
  requires std::invocable<F>
void spawn_at(int node, Handle& handle, F f) {
  detail::spawn_on(node, handle.completion(), f);
}

/// Runs f() as a task on a node and returns its result, which is trivially copyable or a vector of such.
template <Shippable F>
  requires std::invocable<F> && ShippableResult<std::invoke_result_t<F>>
std::invoke_result_t<F> call_at(int node, F f) {
  using R = std::invoke_result_t<F>;
  detail::Completion done;
  if constexpr (std::is_void_v<R>) {
    detail::spawn_on(node, done, f);
    done.wait();
  } else {
    detail::ResultOf<R> result{};
    detail::call_on(node, done, f, result);
    done.wait();
    return detail::take_result(result);
  }
}

/// Like call_at(), but non-blocking: writes the result to *result, which must exist until `handle` is done.
template <Shippable F>
  requires std::is_trivially_copyable_v<std::invoke_result_t<F>>
void call_at_nb(int node, Handle& handle, F f, std::invoke_result_t<F>* result) {
  detail::call_on(node, handle.completion(), f, *result);
}

/// Runs f() once on every node at the same time and returns when all have ended.
template <Shippable F>
  requires std::invocable<F>
void on_all(F f) {
  detail::Completion done;
  for (int node = 0; node < n_nodes(); ++node) detail::spawn_on(node, done, f);
  detail::this_context->flush();
  done.wait();
}

/// Like on_all(). @return the results, trivially copyable, [node].
template <Shippable F>
  requires std::is_trivially_copyable_v<std::invoke_result_t<F>>
std::vector<std::invoke_result_t<F>> call_all(F f) {
  std::vector<std::invoke_result_t<F>> results(static_cast<std::size_t>(n_nodes()));
  detail::Completion done;
  for (int node = 0; node < n_nodes(); ++node)
    detail::call_on(node, done, f, results[static_cast<std::size_t>(node)]);
  detail::this_context->flush();
  done.wait();
  return results;
}

}  // namespace corewise::pgas
