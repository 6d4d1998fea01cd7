/// Reads and changes elements of this node's block while other threads do the same.
#pragma once

#include <atomic>
#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "corewise/pgas/detail/thread_context.hpp"

namespace corewise::pgas::detail {

/// The unsigned integer type of `bytes` bytes; void if there is none.
template <std::size_t bytes>
using UnsignedOf = std::conditional_t<
    bytes == 1, std::uint8_t,
    std::conditional_t<
        bytes == 2, std::uint16_t,
        std::conditional_t<bytes == 4, std::uint32_t, std::conditional_t<bytes == 8, std::uint64_t, void>>>>;

/// Can a T be read and written atomically, as an unsigned integer of its size?
template <class T>
inline constexpr bool is_word = !std::is_void_v<UnsignedOf<sizeof(T)>> && alignof(T) == sizeof(T);

/// Writes an element, atomically if is_word<T>, with relaxed order: wait() establishes the order.
template <class T>
void store(T& element, const T& value) {
  if constexpr (is_word<T>) {
    using Word = UnsignedOf<sizeof(T)>;
    std::atomic_ref(reinterpret_cast<Word&>(element))
        .store(std::bit_cast<Word>(value), std::memory_order_relaxed);
  } else {
    element = value;
  }
}

/// Reads an element in the same way.
template <class T>
[[nodiscard]] T load(T& element) {
  if constexpr (is_word<T>) {
    using Word = UnsignedOf<sizeof(T)>;
    return std::bit_cast<T>(
        std::atomic_ref(reinterpret_cast<Word&>(element)).load(std::memory_order_relaxed));
  } else {
    return element;
  }
}

/// Adds to an element. If the node has one thread, plain instructions suffice, which are several times faster
/// than an atomic addition.
/// @return the value before.
template <class T>
T fetch_add(const ThreadContext& context, T& element, T value) {
  std::atomic_ref shared(element);
  if (!context.only_thread()) return shared.fetch_add(value, std::memory_order_acq_rel);
  const T before = shared.load(std::memory_order_relaxed);
  if constexpr (std::integral<T>) {  // unsigned, because overflow must wrap around as in fetch_add
    using Unsigned = std::make_unsigned_t<T>;
    value = static_cast<T>(static_cast<Unsigned>(before) + static_cast<Unsigned>(value));
  } else {
    value += before;
  }
  shared.store(value, std::memory_order_relaxed);
  return before;
}

/// The operands of a compare-and-swap.
template <class T>
struct Exchange {
  T expected;
  T desired;
};

/// Writes `desired` if the element is equal to `expected`. @return the value before.
template <class T>
T compare_exchange(T& element, Exchange<T> exchange) {
  std::atomic_ref(element).compare_exchange_strong(exchange.expected, exchange.desired);
  return exchange.expected;
}

}  // namespace corewise::pgas::detail
