/// A distributed hash multimap: the values of a key are stored together on the key's node, like the adjacency
/// list of a vertex.
#pragma once

#include <span>
#include <vector>

#include "corewise/pgas/hash_map.hpp"

namespace corewise::pgas {

/// A reference to a multimap. The values of a key are in the order in which they arrived.
template <Key K, class V>
  requires std::is_trivially_copyable_v<V>
class HashMultimap {
 public:
  /// Refers to no map.
  HashMultimap() = default;

  /// Creates an empty map on all nodes, with room for `expected` keys in total before its tables grow.
  /// @throws Error if memory runs out.
  [[nodiscard]] static HashMultimap create(std::size_t expected = 0) {
    const std::size_t here = expected / static_cast<std::size_t>(n_nodes());
    return HashMultimap(detail::create_object<Shards>(here));
  }

  /// Frees the map on all nodes. It must not be used afterwards.
  void destroy() { detail::destroy_object(id_); }

  /// The node on which a key is stored.
  [[nodiscard]] int owner(const K& key) const { return detail::owner_of(key, n_nodes()); }

  /// Adds a value to those of a key.
  void insert(const K& key, const V& value) const {
    call_at(owner(key), [map = *this, key, value] { map.insert_here(key, value); });
  }
  void insert_nb(const K& key, const V& value) const {
    spawn_at(owner(key), [map = *this, key, value] { map.insert_here(key, value); });
  }

  /// A key's values; empty if there is no such key.
  [[nodiscard]] std::vector<V> find(const K& key) const {
    return call_at(owner(key), [map = *this, key] {
      return map.shards().with(key, [&key](const Table& table) {
        const auto found = table.find(key);
        return found == table.end() ? std::vector<V>{} : found->second;
      });
    });
  }

  /// A key's values in this node's memory, without a copy. Call it only on the key's node, while no task
  /// inserts values.
  [[nodiscard]] std::span<const V> local_values(const K& key) const {
    return shards().with(key, [&key](const Table& table) -> std::span<const V> {
      const auto found = table.find(key);
      if (found == table.end()) return {};
      return found->second;
    });
  }

  /// Runs visit(values) as a task on the key's node and returns its result, while no task inserts values.
  template <Shippable Visit>
    requires std::invocable<Visit&, std::span<const V>>
  auto visit(const K& key, Visit visit) const {
    return call_at(owner(key), [map = *this, key, visit]() mutable { return visit(map.local_values(key)); });
  }

  /// Total number of keys. Call it only while no task changes the map.
  [[nodiscard]] std::size_t size() const {
    std::size_t total = 0;
    for (const std::size_t part : call_all([map = *this] { return map.shards().size(); })) total += part;
    return total;
  }

  /// Calls visit(key, values) for every key, on the key's node, while no task inserts values. `visit` may
  /// sort or shorten the vector. Visits run at the same time on all nodes and may wait.
  template <Shippable Visit>
    requires std::invocable<const Visit&, const K&, std::vector<V>&>
  void for_each(Visit visit) const {
    on_all([map = *this, visit] {
      map.shards().for_each_table([&visit](auto& table) {
        for (auto& [key, values] : table) visit(key, values);
      });
    });
  }

 private:
  using Table = std::unordered_map<K, std::vector<V>, detail::Hash<K>>;
  using Shards = detail::Shards<Table>;

  explicit HashMultimap(std::uint32_t id) : id_(id) {}

  [[nodiscard]] Shards& shards() const { return detail::object<Shards>(*detail::this_context, id_); }

  void insert_here(const K& key, const V& value) const {
    shards().with(key, [&](Table& table) { table[key].push_back(value); });
  }

  std::uint32_t id_ = 0;
};

}  // namespace corewise::pgas
