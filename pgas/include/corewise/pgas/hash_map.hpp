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

template <Key K, class V>
  requires std::is_trivially_copyable_v<V>
class HashMap {
 public:
  /// Refers to no map.
  HashMap() = default;

  /// Creates an empty map on all nodes, with room for `expected` keys in total before its tables grow.
  /// @throws Error if memory runs out.
  [[nodiscard]] static HashMap create(std::size_t expected = 0) {
    const std::size_t here = expected / static_cast<std::size_t>(n_nodes());
    return HashMap(detail::create_object<Shards>(here));
  }

  /// Frees the map on all nodes. It must not be used afterwards.
  void destroy() { detail::destroy_object(id_); }

  /// The node on which a key is stored.
  [[nodiscard]] int owner(const K& key) const { return detail::owner_of(key, n_nodes()); }

  /// Sets a key's value. @return true if the key is new.
  bool insert(const K& key, const V& value) const {
    return call_at(owner(key), [map = *this, key, value] { return map.insert_here(key, value); });
  }
  void insert_nb(const K& key, const V& value) const {
    spawn_at(owner(key), [map = *this, key, value] { map.insert_here(key, value); });
  }

  /// A key's value, if it has one.
  [[nodiscard]] std::optional<V> find(const K& key) const {
    return call_at(owner(key), [map = *this, key] { return map.find_here(key); });
  }

  /// Removes a key. @return true if it was there.
  bool erase(const K& key) const {
    return call_at(owner(key), [map = *this, key] {
      return map.shards().with(key, [&key](auto& table) { return table.erase(key) > 0; });
    });
  }

  /// Calls change(value) on the key's value, atomically, on the key's node. A missing key is first inserted
  /// with V{}. `change` must not wait.
  template <Shippable Change>
    requires std::invocable<Change&, V&>
  void update(const K& key, Change change) const {
    call_at(owner(key), [map = *this, key, change] { map.update_here(key, change); });
  }
  template <Shippable Change>
    requires std::invocable<Change&, V&>
  void update_nb(const K& key, Change change) const {
    spawn_at(owner(key), [map = *this, key, change] { map.update_here(key, change); });
  }

  /// Total number of keys. Call it only while no task changes the map.
  [[nodiscard]] std::size_t size() const {
    std::size_t total = 0;
    for (const std::size_t part : call_all([map = *this] { return map.shards().size(); })) total += part;
    return total;
  }

  /// Calls visit(key, value) for every key, on the key's node, while no task inserts or erases keys.
  /// Visits run at the same time on all nodes and may wait.
  template <Shippable Visit>
    requires std::invocable<const Visit&, const K&, V&>
  void for_each(Visit visit) const {
    on_all([map = *this, visit] {
      map.shards().for_each_table([&visit](auto& table) {
        for (auto& [key, value] : table) visit(key, value);
      });
    });
  }

 private:
  using Table = std::unordered_map<K, V, detail::Hash<K>>;
  using Shards = detail::Shards<Table>;

  explicit HashMap(std::uint32_t id) : id_(id) {}

  [[nodiscard]] Shards& shards() const { return detail::object<Shards>(*detail::this_context, id_); }

  bool insert_here(const K& key, const V& value) const {
    return shards().with(key, [&](Table& table) { return table.insert_or_assign(key, value).second; });
  }

  [[nodiscard]] std::optional<V> find_here(const K& key) const {
    return shards().with(key, [&key](const Table& table) -> std::optional<V> {
      const auto found = table.find(key);
      return found == table.end() ? std::nullopt : std::optional(found->second);
    });
  }

  template <class Change>
  void update_here(const K& key, const Change& change) const {
    shards().with(key, [&](Table& table) { change(table[key]); });
  }

  std::uint32_t id_ = 0;
};

}  // namespace corewise::pgas
