/// A distributed hash multimap: the values of a key are stored together on the key's node, like the adjacency
/// list of a vertex.
#pragma once

#include <span>
#include <vector>

#include "corewise/pgas/hash_map.hpp"

namespace corewise::pgas {

/// A reference to a multimap. The values of a key are in the order in which they arrived. The `visit` of
/// for_each() may sort or shorten a key's values.
template <Key K, class V>
  requires std::is_trivially_copyable_v<V>
class HashMultimap : public DistributedTable<K, std::vector<V>> {
 public:
  HashMultimap() = default;

  /// Creates an empty map on all nodes, with room for `expected` keys in total before its tables grow.
  /// @throws Error if memory runs out.
  [[nodiscard]] static HashMultimap create(std::size_t expected = 0) { return HashMultimap(expected); }

  /// Adds a value to those of a key.
  void insert(const K& key, const V& value) const {
    call_at(this->owner(key), [map = *this, key, value] { map.insert_here(key, value); });
  }
  void insert_nb(const K& key, const V& value) const {
    spawn_at(this->owner(key), [map = *this, key, value] { map.insert_here(key, value); });
  }

  /// A key's values; empty if there is no such key.
  [[nodiscard]] std::vector<V> find(const K& key) const {
    return call_at(this->owner(key), [map = *this, key] {
      return map.shards().with(key, [&key](const auto& table) {
        const auto found = table.find(key);
        return found == table.end() ? std::vector<V>{} : found->second;
      });
    });
  }

  /// A key's values in this node's memory, without a copy. Call it only on the key's node, while no task
  /// inserts values.
  [[nodiscard]] std::span<const V> local_values(const K& key) const {
    return this->shards().with(key, [&key](const auto& table) -> std::span<const V> {
      const auto found = table.find(key);
      if (found == table.end()) return {};
      return found->second;
    });
  }

  /// Runs visit(values) as a task on the key's node and returns its result, while no task inserts values.
  template <Shippable Visit>
    requires std::invocable<Visit&, std::span<const V>>
  auto visit(const K& key, Visit visit) const {
    return call_at(this->owner(key),
                   [map = *this, key, visit]() mutable { return visit(map.local_values(key)); });
  }

 private:
  explicit HashMultimap(std::size_t expected) : DistributedTable<K, std::vector<V>>(expected) {}

  void insert_here(const K& key, const V& value) const {
    this->shards().with(key, [&](auto& table) { table[key].push_back(value); });
  }
};

}  // namespace corewise::pgas
