/// The memory behind global arrays: one block a node, and how indices find it.
#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "corewise/pgas/detail/directory.hpp"
#include "corewise/pgas/detail/lane.hpp"

namespace corewise::pgas::detail {

/// Elements of one node's block: the same everywhere, at least 1.
[[nodiscard]] constexpr std::size_t block_of(std::size_t size, int n_nodes) {
  const auto nodes = static_cast<std::size_t>(n_nodes);
  return std::max<std::size_t>(1, (size + nodes - 1) / nodes);
}

/// Divides by a number known once, by a multiplication: a division would cost more than the operation itself.
/// With m = floor(2^64 / d) + 1, floor(n * m / 2^64) is the quotient or one more (n * d < 2^64), which a
/// comparison mends (Granlund and Montgomery, PLDI 1994).
class FastDivisor {
 public:
  FastDivisor() = default;
  explicit FastDivisor(std::size_t divisor)
      : divisor_(divisor), magic_(divisor == 1 ? 0 : ~std::uint64_t{0} / divisor + 1) {}

  [[nodiscard]] std::size_t divisor() const noexcept { return divisor_; }

  [[nodiscard]] std::size_t quotient(std::size_t n) const noexcept {
    if (magic_ == 0) return n;
    __extension__ using Wide = unsigned __int128;
    const auto guess = static_cast<std::size_t>(Wide{n} * magic_ >> 64);
    return guess - static_cast<std::size_t>(guess * divisor_ > n);
  }

 private:
  std::size_t divisor_ = 1;
  std::uint64_t magic_ = 0;
};

/// One array as one node sees it: its own block.
class Blocks {
 public:
  /// A zeroed block. @throws Error where memory is short.
  explicit Blocks(std::size_t bytes);
  ~Blocks();
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  /// First byte of a node's block where it is this node's, else nullptr.
  [[nodiscard]] std::byte* base(int node) const noexcept { return node == node_ ? own_ : nullptr; }

 private:
  int node_;
  std::byte* own_ = nullptr;
  std::size_t bytes_;
};

/// The blocks of an array on this node. @throws Error where there is no such array.
[[nodiscard]] inline const Blocks& blocks(std::uint32_t id) { return object<Blocks>(*this_lane, id); }

[[noreturn]] void throw_index(std::size_t i, std::size_t size);

/// Elements of one block: offset, offset + stride, ...
struct Run {
  std::size_t offset;
  std::size_t stride;
  std::size_t count;
};

/// Calls visit(node, run, from) for each block that elements first, first + stride, ... touch; `from` is the
/// number of the run's first element among all.
template <class Visit>
void for_each_block(const FastDivisor& split, std::size_t first, std::size_t count, std::size_t stride,
                    Visit visit) {
  std::size_t from = 0;
  while (from < count) {
    const std::size_t i = first + from * stride;
    const std::size_t node = split.quotient(i);
    const std::size_t offset = i - node * split.divisor();
    const std::size_t here = std::min(count - from, (split.divisor() - 1 - offset) / stride + 1);
    visit(static_cast<int>(node), Run{offset, stride, here}, from);
    from += here;
  }
}

template <class T>
inline constexpr bool is_word = sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8;

/// The unsigned integer of T's size: floating-point and small structs are stored as words.
template <class T>
struct WordOf;
template <class T>
  requires(sizeof(T) == 1)
struct WordOf<T> {
  using type = std::uint8_t;
};
template <class T>
  requires(sizeof(T) == 2)
struct WordOf<T> {
  using type = std::uint16_t;
};
template <class T>
  requires(sizeof(T) == 4)
struct WordOf<T> {
  using type = std::uint32_t;
};
template <class T>
  requires(sizeof(T) == 8)
struct WordOf<T> {
  using type = std::uint64_t;
};

/// Atomic for elements of word size (without order: wait() orders), else a copy.
template <class T>
void store(T& place, const T& value) {
  if constexpr (is_word<T> && alignof(T) == sizeof(T)) {
    using Word = typename WordOf<T>::type;
    std::atomic_ref(reinterpret_cast<Word&>(place))
        .store(std::bit_cast<Word>(value), std::memory_order_relaxed);
  } else {
    place = value;
  }
}

template <class T>
[[nodiscard]] T load(T& place) {
  if constexpr (is_word<T> && alignof(T) == sizeof(T)) {
    using Word = typename WordOf<T>::type;
    return std::bit_cast<T>(std::atomic_ref(reinterpret_cast<Word&>(place)).load(std::memory_order_relaxed));
  } else {
    return place;
  }
}

/// Adds to an element of the lane's node. A node of one thread shares its block with nobody, so it does
/// without the locked instruction, which costs several times the addition.
/// @return the value before.
template <class T>
T fetch_add(const Lane& lane, T& place, T value) {
  std::atomic_ref element(place);
  if (!lane.only_thread) return element.fetch_add(value, std::memory_order_acq_rel);
  const T before = element.load(std::memory_order_relaxed);
  if constexpr (std::integral<T>) {  // wraps around, as fetch_add does
    using Unsigned = std::make_unsigned_t<T>;
    value = static_cast<T>(static_cast<Unsigned>(before) + static_cast<Unsigned>(value));
  } else {
    value += before;
  }
  element.store(value, std::memory_order_relaxed);
  return before;
}

template <class T>
struct Exchange {
  T expected;
  T desired;
};

/// @return the value before.
template <class T>
T compare_exchange(T& place, Exchange<T> exchange) {
  std::atomic_ref(place).compare_exchange_strong(exchange.expected, exchange.desired);
  return exchange.expected;
}

template <class T>
void store_run(T* base, Run run, std::span<const T> values) {
  T* place = base + run.offset;
  if (run.stride == 1) {
    std::memcpy(place, values.data(), values.size_bytes());
    return;
  }
  for (std::size_t k = 0; k < run.count; ++k) place[k * run.stride] = values[k];
}

template <class T>
void load_run(const T* base, Run run, std::span<T> values) {
  const T* place = base + run.offset;
  if (run.stride == 1) {
    std::memcpy(values.data(), place, values.size_bytes());
    return;
  }
  for (std::size_t k = 0; k < run.count; ++k) values[k] = place[k * run.stride];
}

}  // namespace corewise::pgas::detail
