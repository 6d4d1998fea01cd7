/// Global arrays: elements of one type, distributed over all nodes in equal, contiguous blocks. Any task can
/// put, get and atomically change any element.
///
/// Element i is stored on node i / block, where block = ceil(size / n_nodes). A GlobalArray is a reference:
/// it can be copied, captured in closures and sent to other nodes, and all copies refer to the same elements.
/// Operations called ..._nb are non-blocking. After wait(), or the given handle's wait(), they have taken
/// effect, sources may be changed, and results may be read. Between two waits, the operations of a task on
/// one element are not ordered. Operations on single elements of 1, 2, 4 or 8 bytes are atomic; those on runs
/// of elements are not. Indices outside [0, size) throw Error.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

#include "corewise/pgas/detail/array_block.hpp"
#include "corewise/pgas/detail/array_messages.hpp"
#include "corewise/pgas/task.hpp"

namespace corewise::pgas {

/// A valid element type of an array.
template <class T>
concept Element = std::is_trivially_copyable_v<T> && sizeof(T) <= 256;

/// A type with atomic operations.
template <class T>
concept AtomicElement =
    (std::integral<T> || std::floating_point<T>) && !std::same_as<T, bool> && sizeof(T) <= 8;

template <Element T>
class GlobalArray {
 public:
  /// Refers to no array.
  GlobalArray() = default;

  /// Creates an array of `size` elements on all nodes, all bytes 0. One task calls it; destroy() frees the
  /// array.
  /// @throws Error if memory runs out, or if the size in bytes is too large for any memory.
  [[nodiscard]] static GlobalArray create(std::size_t size) {
    const std::size_t bytes = detail::block_bytes(size, sizeof(T), n_nodes());
    return GlobalArray(detail::create_object<detail::ArrayBlock>(bytes), size, bytes / sizeof(T));
  }

  /// Frees the array on all nodes. Any use of a copy throws Error from then on.
  void destroy() { detail::destroy_object(id_); }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// The node on which element i is stored.
  [[nodiscard]] int owner(std::size_t i) const noexcept { return static_cast<int>(split_.quotient(i)); }

  /// Index of the first element of this node's block; size() if the block is empty.
  [[nodiscard]] std::size_t local_begin() const noexcept {
    return std::min(size_, static_cast<std::size_t>(here()) * split_.divisor());
  }

  /// This node's block, as ordinary memory.
  [[nodiscard]] std::span<T> local() const {
    const std::size_t first = local_begin();
    return {reinterpret_cast<T*>(detail::array_block(id_).base(here())),
            std::min(split_.divisor(), size_ - first)};
  }

  /// Element i if it is stored on this node, else nullptr.
  [[nodiscard]] T* local_pointer(std::size_t i) const { return locate(i).direct; }

  /// Writes one element.
  void put(std::size_t i, const T& value) const {
    detail::Completion done;
    start_put(done, i, value);
    done.wait();
  }
  void put_nb(std::size_t i, const T& value) const { start_put(detail::scope(), i, value); }
  void put_nb(Handle& handle, std::size_t i, const T& value) const {
    start_put(handle.completion(), i, value);
  }

  /// Reads one element.
  [[nodiscard]] T get(std::size_t i) const {
    T value;
    detail::Completion done;
    start_get(done, i, &value);
    done.wait();
    return value;
  }
  void get_nb(std::size_t i, T* value) const { start_get(detail::scope(), i, value); }
  void get_nb(Handle& handle, std::size_t i, T* value) const { start_get(handle.completion(), i, value); }

  /// Adds atomically; fetch_add() returns the value before.
  void add(std::size_t i, T value) const
    requires AtomicElement<T>
  {
    detail::Completion done;
    start_add(done, i, value);
    done.wait();
  }
  void add_nb(std::size_t i, T value) const
    requires AtomicElement<T>
  {
    start_add(detail::scope(), i, value);
  }
  void add_nb(Handle& handle, std::size_t i, T value) const
    requires AtomicElement<T>
  {
    start_add(handle.completion(), i, value);
  }
  T fetch_add(std::size_t i, T value) const
    requires AtomicElement<T>
  {
    T before;
    detail::Completion done;
    start_fetch_add(done, i, value, &before);
    done.wait();
    return before;
  }
  void fetch_add_nb(Handle& handle, std::size_t i, T value, T* before) const
    requires AtomicElement<T>
  {
    start_fetch_add(handle.completion(), i, value, before);
  }

  /// Writes `desired` if the element is equal to `expected`; returns the value before.
  T compare_exchange(std::size_t i, T expected, T desired) const
    requires AtomicElement<T>
  {
    T before;
    detail::Completion done;
    start_compare_exchange(done, i, {expected, desired}, &before);
    done.wait();
    return before;
  }
  void compare_exchange_nb(Handle& handle, std::size_t i, T expected, T desired, T* before) const
    requires AtomicElement<T>
  {
    start_compare_exchange(handle.completion(), i, {expected, desired}, before);
  }

  /// Writes values to elements first, first + 1, ...; get() reads them in the same way.
  void put(std::size_t first, std::span<const T> values) const {
    detail::Completion done;
    start_put_many(done, first, values);
    done.wait();
  }
  void put_nb(Handle& handle, std::size_t first, std::span<const T> values) const {
    start_put_many(handle.completion(), first, values);
  }
  void get(std::size_t first, std::span<T> values) const {
    detail::Completion done;
    start_get_many(done, first, values);
    done.wait();
  }
  void get_nb(Handle& handle, std::size_t first, std::span<T> values) const {
    start_get_many(handle.completion(), first, values);
  }

  /// Sets every element to `value`; each node sets its own block.
  void fill(const T& value) const {
    on_all([array = *this, value] { std::ranges::fill(array.local(), value); });
  }

 private:
  /// Where an element is stored.
  struct Place {
    int node;
    std::size_t offset;  ///< elements from the block's start
    T* direct;           ///< the element if it is on this node, else nullptr
  };

  GlobalArray(std::uint32_t id, std::size_t size, std::size_t block) : id_(id), size_(size), split_(block) {}

  [[nodiscard]] Place locate(std::size_t i) const {
    if (i >= size_) detail::throw_index(i, size_);
    const std::size_t node = split_.quotient(i);
    const std::size_t offset = i - node * split_.divisor();
    T* const base = reinterpret_cast<T*>(detail::array_block(id_).base(static_cast<int>(node)));
    return {static_cast<int>(node), offset, base ? base + offset : nullptr};
  }

  void start_put(detail::Completion& done, std::size_t i, const T& value) const {
    const Place at = locate(i);
    if (at.direct) return detail::store(*at.direct, value);
    detail::send_put<T>(at.node, id_, done, at.offset, value);
  }

  void start_get(detail::Completion& done, std::size_t i, T* value) const {
    const Place at = locate(i);
    if (at.direct) {
      *value = detail::load(*at.direct);
      return;
    }
    detail::send_get<T>(at.node, id_, done, at.offset, value);
  }

  void start_add(detail::Completion& done, std::size_t i, T value) const {
    const Place at = locate(i);
    if (at.direct) {
      detail::fetch_add(*detail::this_context, *at.direct, value);
      return;
    }
    detail::send_add<T>(at.node, id_, done, at.offset, value);
  }

  void start_fetch_add(detail::Completion& done, std::size_t i, T value, T* before) const {
    const Place at = locate(i);
    if (at.direct) {
      *before = detail::fetch_add(*detail::this_context, *at.direct, value);
      return;
    }
    detail::send_fetch_add<T>(at.node, id_, done, {at.offset, value, before});
  }

  void start_compare_exchange(detail::Completion& done, std::size_t i, detail::Exchange<T> exchange,
                              T* before) const {
    const Place at = locate(i);
    if (at.direct) {
      *before = detail::compare_exchange(*at.direct, exchange);
      return;
    }
    detail::send_compare_exchange<T>(at.node, id_, done, {at.offset, exchange, before});
  }

  void start_put_many(detail::Completion& done, std::size_t first, std::span<const T> values) const {
    check_run(first, values.size());
    detail::for_each_block(split_, first, values.size(), [&](int node, detail::Run run, std::size_t from) {
      const std::span<const T> part = values.subspan(from, run.count);
      T* const base = reinterpret_cast<T*>(detail::array_block(id_).base(node));
      if (base) {
        std::memcpy(base + run.offset, part.data(), part.size_bytes());
      } else {
        detail::send_put_run<T>(node, id_, done, run, part);
      }
    });
  }

  void start_get_many(detail::Completion& done, std::size_t first, std::span<T> values) const {
    check_run(first, values.size());
    detail::for_each_block(split_, first, values.size(), [&](int node, detail::Run run, std::size_t from) {
      const std::span<T> part = values.subspan(from, run.count);
      const T* const base = reinterpret_cast<const T*>(detail::array_block(id_).base(node));
      if (base) {
        std::memcpy(part.data(), base + run.offset, part.size_bytes());
      } else {
        detail::send_get_run<T>(node, id_, done, run, part);
      }
    });
  }

  void check_run(std::size_t first, std::size_t count) const {
    if (first > size_ || count > size_ - first) detail::throw_run(first, count, size_);
  }

  std::uint32_t id_ = 0;
  std::size_t size_ = 0;
  detail::FastDivisor split_;
};

}  // namespace corewise::pgas
