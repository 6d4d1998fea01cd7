/// How a closure becomes a task on this or another node, and how its result comes back.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "corewise/pgas/detail/thread_context.hpp"
#include "corewise/pgas/run.hpp"

namespace corewise::pgas::detail {

/// Is R a vector with trivially copyable elements?
template <class R>
inline constexpr bool is_shippable_vector = false;
template <class U>
inline constexpr bool is_shippable_vector<std::vector<U>> = std::is_trivially_copyable_v<U>;

/// A vector that is being received. Its pieces may arrive in any order, on several threads.
template <class U>
struct ArrivingVector {
  std::mutex mutex;
  std::vector<U> values;
  std::size_t n_arrived = 0;  ///< elements
};

template <class R>
struct ResultPlace {
  using type = R;
};
template <class U>
struct ResultPlace<std::vector<U>> {
  using type = ArrivingVector<U>;
};

/// The type of variable in which a result of type R is received.
template <class R>
using ResultOf = typename ResultPlace<R>::type;

template <class R>
[[nodiscard]] R take_result(R& place) {
  return place;
}
template <class U>
[[nodiscard]] std::vector<U> take_result(ArrivingVector<U>& place) {
  return std::move(place.values);
}
template <class R>
void set_result(R& place, R result) {
  place = std::move(result);
}
template <class U>
void set_result(ArrivingVector<U>& place, std::vector<U> result) {
  place.values = std::move(result);
}

constexpr std::size_t padded(std::size_t bytes) {
  return (bytes + record_alignment - 1) / record_alignment * record_alignment;
}

/// The closure of a task, destroyed with this object.
template <class F>
class OwnedClosure {
 public:
  explicit OwnedClosure(Task& task) : closure_(std::launder(reinterpret_cast<F*>(task.closure))) {}
  ~OwnedClosure() { std::destroy_at(closure_); }
  OwnedClosure(const OwnedClosure&) = delete;
  OwnedClosure& operator=(const OwnedClosure&) = delete;
  F& operator*() const { return *closure_; }

 private:
  F* closure_;
};

/// Runs f() as the body of a task. All that f() starts without a handle has ended when this returns.
template <class F>
std::invoke_result_t<F&> run_in_scope(ThreadContext& context, F& f) {
  struct RestoreOuter {
    ThreadContext& context;
    Completion* outer;
    ~RestoreOuter() { context.exchange_scope(outer); }
  };
  Completion inner;
  const RestoreOuter restore{context, context.exchange_scope(&inner)};
  struct WaitForInner {
    ThreadContext& context;
    Completion& inner;
    ~WaitForInner() noexcept(false) {
      inner.wait_in_destructor();
      // After a failure, the parent task may have ended, and its Completion no longer exists: don't answer.
      if (context.failed() && std::uncaught_exceptions() == 0) throw_failed();
    }
  };
  const WaitForInner wait{context, inner};
  return f();
}

template <class F>
void run_local_task(ThreadContext& context, Task& task) {
  {
    const OwnedClosure<F> closure(task);
    run_in_scope(context, *closure);
  }
  completion_of(task.token).complete(1);
}

/// Makes f() a task of this node that `completion` already counts.
template <class F>
void push_local(Completion& completion, F f) {
  ThreadContext& context = *this_context;
  Task* const task = context.new_task(sizeof(F));
  std::construct_at(reinterpret_cast<F*>(task->closure), std::move(f));
  task->run = &run_local_task<F>;
  task->token = token_of(completion);
  context.push(task);
}

/// Makes f() a task of this node, counted by `completion`.
template <class F>
void spawn_here(Completion& completion, F f) {
  completion.expect();
  push_local(completion, std::move(f));
}

/// Record that carries a closure.
template <class F>
struct alignas(record_alignment) CallRecord {
  void* result;
  std::byte closure[padded(sizeof(F))];
};

/// Record that carries a result back.
template <class R>
struct alignas(record_alignment) ResultRecord {
  R* place;
  R value;
};

template <class R>
void receive_result(const Incoming& in) {
  const auto* const records = reinterpret_cast<const ResultRecord<R>*>(in.records);
  for (std::uint32_t i = 0; i < in.segment.count; ++i) *records[i].place = records[i].value;
  completion_of(in.segment.token).complete(in.segment.count);
}

/// Record of a piece of a vector: this header, then the elements.
template <class U>
struct PieceHeader {
  ArrivingVector<U>* place;
  std::size_t total;  ///< elements of the whole vector
  std::size_t first;
  std::size_t count;
};

template <class U>
void receive_piece(const Incoming& in) {
  const auto& piece = *reinterpret_cast<const PieceHeader<U>*>(in.records);
  ArrivingVector<U>& place = *piece.place;
  bool whole = false;
  {
    const std::lock_guard lock(place.mutex);
    place.values.resize(piece.total);
    if (piece.count > 0)
      std::memcpy(&place.values[piece.first], in.records + sizeof piece, piece.count * sizeof(U));
    place.n_arrived += piece.count;
    whole = place.n_arrived == piece.total;
  }
  if (whole) completion_of(in.segment.token).complete(1);
}

template <class R>
  requires std::is_trivially_copyable_v<R>
void answer(ThreadContext& context, const Task& task, const R& result) {
  auto* const record =
      context.append<ResultRecord<R>>(task.origin, handler_id<&receive_result<R>>(), 0, task.token);
  record->place = static_cast<R*>(task.result);
  std::memcpy(&record->value, &result, sizeof(R));
}

template <class U>
void answer(ThreadContext& context, const Task& task, const std::vector<U>& result) {
  using Header = PieceHeader<U>;
  const std::size_t max_count = (context.max_record_bytes() - sizeof(Header)) / sizeof(U);
  std::size_t first = 0;
  do {
    const std::size_t count = std::min(max_count, result.size() - first);
    const auto bytes = static_cast<std::uint32_t>(padded(sizeof(Header) + count * sizeof(U)));
    std::byte* const record =
        context.append_segment(task.origin, {handler_id<&receive_piece<U>>(), bytes, 1, 0, task.token});
    const Header header{static_cast<ArrivingVector<U>*>(task.result), result.size(), first, count};
    std::memcpy(record, &header, sizeof header);
    if (count > 0) std::memcpy(record + sizeof header, &result[first], count * sizeof(U));
    first += count;
  } while (first < result.size());
}

template <class F>
void run_remote_task(ThreadContext& context, Task& task) {
  using R = std::invoke_result_t<F&>;
  const OwnedClosure<F> closure(task);
  if constexpr (std::is_void_v<R>) {
    run_in_scope(context, *closure);
    acknowledge(context, task.origin, task.token, 1);
  } else {
    const R result = run_in_scope(context, *closure);
    answer(context, task, result);
  }
}

template <class F>
void receive_tasks(const Incoming& in) {
  const auto* const records = reinterpret_cast<const CallRecord<F>*>(in.records);
  for (std::uint32_t i = 0; i < in.segment.count; ++i) {
    Task* const task = in.context.new_task(sizeof(F));
    std::memcpy(task->closure, records[i].closure, sizeof(F));
    task->run = &run_remote_task<F>;
    task->token = in.segment.token;
    task->result = records[i].result;
    task->origin = in.source;
    in.context.push(task);
  }
}

/// @throws Error: there is no such node.
[[noreturn]] void throw_node(int node);

/// Sends f to a node as a task, counted by `completion`; its result, if any, goes to `result`.
template <class F>
void send_task(int node, Completion& completion, const F& f, void* result) {
  if (node < 0 || node >= this_context->n_nodes()) throw_node(node);
  auto* const record =
      this_context->append<CallRecord<F>>(node, handler_id<&receive_tasks<F>>(), 0, token_of(completion));
  record->result = result;
  std::memcpy(record->closure, &f, sizeof(F));
  completion.expect();
}

/// Makes f() a task of a node, counted by `completion`.
template <class F>
void spawn_on(int node, Completion& completion, const F& f) {
  if (node == this_context->node()) {
    spawn_here(completion, f);
  } else {
    send_task(node, completion, f, nullptr);
  }
}

/// Like spawn_on(); the result is in `result` when `completion` is done.
template <class F, class R>
void call_on(int node, Completion& completion, const F& f, R& result) {
  if (node == this_context->node()) {
    spawn_here(completion, [f = F(f), place = &result]() mutable { set_result(*place, f()); });
  } else {
    send_task(node, completion, f, &result);
  }
}

}  // namespace corewise::pgas::detail
