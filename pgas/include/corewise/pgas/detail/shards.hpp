/// A node's part of a distributed map: many tables with a lock each, so that threads seldom contend.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <new>
#include <unordered_map>

#include "corewise/pgas/detail/loop.hpp"
#include "corewise/pgas/detail/objects.hpp"

namespace corewise::pgas::detail {

/// Mixes the bits of a hash, because std::hash of an integer is that integer. Finalizer of SplitMix64
/// (Steele, Lea and Flood, OOPSLA 2014).
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t hash) {
  hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9ULL;
  hash = (hash ^ hash >> 27) * 0x94d049bb133111ebULL;
  return hash ^ hash >> 31;
}

template <class K>
struct Hash {
  std::size_t operator()(const K& key) const { return mixed(std::hash<K>{}(key)); }
};

/// The node that stores a key, from bits of the upper half of its hash. Shards::with() uses the six highest
/// bits, the tables use the lowest.
template <class K>
[[nodiscard]] int owner_of(const K& key, int n_nodes) {
  return static_cast<int>((Hash<K>{}(key) >> 32) % static_cast<unsigned>(n_nodes));
}

/// @throws Error: a node has no memory for a map of `expected` keys.
[[noreturn]] void throw_no_room(std::size_t expected);

/// `Table` is an unordered_map with a Hash.
template <class Table>
class Shards {
 public:
  /// Reserves space for `expected` keys on this node. @throws Error if memory runs out.
  explicit Shards(std::size_t expected) {
    try {
      for (Shard& shard : shards_) shard.table.reserve(expected / n_shards + 1);
    } catch (const std::bad_alloc&) {
      throw_no_room(expected);
    }
  }

  /// Calls use(table) with the table of the key, under its lock. @return use's result.
  template <class Use>
  auto with(const typename Table::key_type& key, Use use) {
    Shard& shard = shards_[typename Table::hasher{}(key) >> 58];
    const std::lock_guard lock(shard.mutex);
    return use(shard.table);
  }

  [[nodiscard]] std::size_t size() {
    std::size_t total = 0;
    for (Shard& shard : shards_) {
      const std::lock_guard lock(shard.mutex);
      total += shard.table.size();
    }
    return total;
  }

  /// Calls visit(table) for each table, on all workers, without taking the locks.
  template <class Visit>
  void for_each_table(const Visit& visit) {
    run_loop({0, n_shards, 1, n_shards}, [this, &visit](std::size_t i) { visit(shards_[i].table); });
  }

 private:
  static constexpr std::size_t n_shards = 64;
  struct alignas(64) Shard {
    std::mutex mutex;
    Table table;
  };
  std::array<Shard, n_shards> shards_;
};

}  // namespace corewise::pgas::detail
