/// Fingerprints: a 64-bit FNV-1a hash of a canonical text of the tree's shape and OS indices.
///
/// The text has parentheses around the contents of each object with several children. A core is written as
/// the OS indices of its PUs ("-" without OS indices): "((0,4 1,5)(2,6 3,7))". If the tree's order of nodes
/// is not 0, 1, 2, ..., it follows: "[0,2,1,3]". Names, sizes and figures are left out. A placement therefore
/// fits its machine even if that machine is described differently later.
#include "topology/fingerprint.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace corewise {
namespace {

class Fnv1a {
 public:
  void add(std::string_view text) {
    for (const char c : text) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  void add(std::int32_t number) {
    std::array<char, 12> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    add(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
  }
  [[nodiscard]] std::string hex() const {
    std::string text(16, '0');
    for (int i = 0; i < 16; ++i) text[i] = "0123456789abcdef"[hash_ >> (60 - 4 * i) & 15];
    return text;
  }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

void add_core(Fnv1a& hash, std::span<const Pu> pus) {
  for (std::size_t i = 0; i < pus.size(); ++i) {
    if (i > 0) hash.add(",");
    if (pus[i].os) {
      hash.add(raw(*pus[i].os));
    } else {
      hash.add("-");
    }
  }
}

/// Counts the objects with several children, up to level `top`, that start or end at a core.
class Nesting {
 public:
  Nesting(const Machine& machine, CoreRange range, int top) : machine_(machine), range_(range), top_(top) {}

  [[nodiscard]] int starting_at(std::int32_t core) const { return count(core, core - 1, +1); }
  [[nodiscard]] int ending_at(std::int32_t core) const { return count(core, core + 1, -1); }

 private:
  [[nodiscard]] bool in_range(std::int32_t core) const { return core >= range_.begin && core < range_.end; }
  [[nodiscard]] bool together(int level, std::int32_t a, std::int32_t b) const {
    return in_range(a) && in_range(b) &&
           machine_.group(level, CoreIndex{a}) == machine_.group(level, CoreIndex{b});
  }
  /// Number of levels at which `core` and `outside` are in different objects, and the object of `core` is
  /// larger than its object of the level below.
  [[nodiscard]] int count(std::int32_t core, std::int32_t outside, std::int32_t inwards) const {
    int n = 0;
    std::int32_t next = core + inwards;  // nearest core that is not in the object below
    for (int level = 1; level <= top_ && !together(level, core, outside); ++level) {
      while (together(level - 1, core, next)) next += inwards;
      if (together(level, core, next)) ++n;
    }
    return n;
  }

  const Machine& machine_;
  CoreRange range_;
  int top_;
};

void add_order_of_nodes(Fnv1a& hash, const Machine& machine, CoreRange range) {
  std::vector<std::int32_t> order;
  for (std::int32_t core = range.begin; core < range.end; ++core) {
    const std::int32_t node = raw(machine.node_of(CoreIndex{core}));
    if (order.empty() || order.back() != node) order.push_back(node);
  }
  if (std::ranges::is_sorted(order)) return;
  for (std::size_t i = 0; i < order.size(); ++i) {
    hash.add(i == 0 ? "[" : ",");
    hash.add(order[i]);
  }
  hash.add("]");
}

}  // namespace

std::string fingerprint(const Machine& machine, CoreRange range, int top) {
  const Nesting nesting(machine, range, top);
  Fnv1a hash;
  for (std::int32_t core = range.begin; core < range.end; ++core) {
    const int n_starting = nesting.starting_at(core);
    for (int i = 0; i < n_starting; ++i) hash.add("(");
    if (n_starting == 0 && core > range.begin) hash.add(" ");
    add_core(hash, machine.pus(CoreIndex{core}));
    for (int i = nesting.ending_at(core); i > 0; --i) hash.add(")");
  }
  add_order_of_nodes(hash, machine, range);
  return hash.hex();
}

}  // namespace corewise
