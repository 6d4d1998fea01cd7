/// A distributed hash map. Each key is stored on one node, which performs all operations on it.
///
/// A HashMap is a reference to the map, as a GlobalArray is to its elements. Operations on one key are
/// atomic. Those called ..._nb are non-blocking and have taken effect after wait(). Keys and values are
/// trivially copyable; keys are hashed with std::hash and compared with ==.
#pragma once

#include <optional>
#include <vector>

#include "corewise/pgas/detail/shards.hpp"
#include "corewise/pgas/task.hpp"

namespace corewise::pgas {

/// A valid key type of a map.
template <class K>
concept Key = std::is_trivially_copyable_v<K> && std::equality_comparable<K> && requires(K key) {
  { std::hash<K>{}(key) } -> std::convertible_to<std::size_t>;
};

/// What the maps of this library have in common: a reference to tables that hold `Entry` for each key.
template <Key K, class Entry>
class DistributedTable {
 public:
  /// Refers to no map.
  DistributedTable() = default;

  /// Frees the map on all nodes. It must not be used afterwards.
  void destroy() { detail::destroy_object(id_); }

  /// The node on which a key is stored.
  [[nodiscard]] int owner(const K& key) const { return detail::owner_of(key, n_nodes()); }

  /// Total number of keys. Call it only while no task changes the map.
  [[nodiscard]] std::size_t size() const {
    std::size_t total = 0;
    for (const std::size_t part : call_all([map = *this] { return map.shards().size(); })) total += part;
    return total;
  }

  /// Calls visit(key, entry) for every key, on the key's node, while no task inserts or erases keys.
  /// Visits run at the same time on all nodes and may wait.
  template <Shippable Visit>
    requires std::invocable<const Visit&, const K&, Entry&>
  void for_each(Visit visit) const {
    on_all([map = *this, visit] {
      map.shards().for_each_table([&visit](auto& table) {
        for (auto& [key, entry] : table) visit(key, entry);
      });
    });
  }

 protected:
  using Table = std::unordered_map<K, Entry, detail::Hash<K>>;
  using Shards = detail::Shards<Table>;

  /// Creates empty tables on all nodes, with room for `expected` keys in total before they grow.
  explicit DistributedTable(std::size_t expected)
      : id_(detail::create_object<Shards>(expected / static_cast<std::size_t>(n_nodes()))) {}

  [[nodiscard]] Shards& shards() const { return detail::object<Shards>(*detail::this_context, id_); }

 private:
  std::uint32_t id_ = 0;
};

/// A reference to a map with one value for each key.
template <Key K, class V>
  requires std::is_trivially_copyable_v<V>
class HashMap : public DistributedTable<K, V> {
 public:
  HashMap() = default;

  /// Creates an empty map on all nodes, with room for `expected` keys in total before its tables grow.
  /// @throws Error if memory runs out.
  [[nodiscard]] static HashMap create(std::size_t expected = 0) { return HashMap(expected); }

  /// Sets a key's value. @return true if the key is new.
  bool insert(const K& key, const V& value) const {
    return call_at(this->owner(key), [map = *this, key, value] { return map.insert_here(key, value); });
  }
  void insert_nb(const K& key, const V& value) const {
    spawn_at(this->owner(key), [map = *this, key, value] { map.insert_here(key, value); });
  }

  /// A key's value, if it has one.
  [[nodiscard]] std::optional<V> find(const K& key) const {
    return call_at(this->owner(key), [map = *this, key] { return map.find_here(key); });
  }

  /// Removes a key. @return true if it was there.
  bool erase(const K& key) const {
    return call_at(this->owner(key), [map = *this, key] {
      return map.shards().with(key, [&key](auto& table) { return table.erase(key) > 0; });
    });
  }

  /// Calls change(value) on the key's value, atomically, on the key's node. A missing key is first inserted
  /// with V{}. `change` must not wait.
  template <Shippable Change>
    requires std::invocable<Change&, V&>
  void update(const K& key, Change change) const {
    call_at(this->owner(key), [map = *this, key, change] { map.update_here(key, change); });
  }
  template <Shippable Change>
    requires std::invocable<Change&, V&>
  void update_nb(const K& key, Change change) const {
    spawn_at(this->owner(key), [map = *this, key, change] { map.update_here(key, change); });
  }

 private:
  explicit HashMap(std::size_t expected) : DistributedTable<K, V>(expected) {}

  bool insert_here(const K& key, const V& value) const {
    return this->shards().with(key, [&](auto& table) { return table.insert_or_assign(key, value).second; });
  }

  [[nodiscard]] std::optional<V> find_here(const K& key) const {
    return this->shards().with(key, [&key](const auto& table) -> std::optional<V> {
      const auto found = table.find(key);
      return found == table.end() ? std::nullopt : std::optional(found->second);
    });
  }

  template <class Change>
  void update_here(const K& key, const Change& change) const {
    this->shards().with(key, [&](auto& table) { change(table[key]); });
  }
};

}  // namespace corewise::pgas
