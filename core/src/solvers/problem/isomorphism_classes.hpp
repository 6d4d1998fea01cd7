/// Isomorphism classes of a tree's objects. A proof needs to treat only one object of each class.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace corewise {

/// Objects with equal subtrees and places. The score doesn't change if two of them exchange their ranks.
struct IsomorphismClass {
  int level = 0;
  int size = 0;                               ///< number of places in one object
  int count = 0;                              ///< number of objects
  std::vector<std::pair<int, int>> children;  ///< class and number; children without places are left out

  /// Whether all places of an object are in one child.
  [[nodiscard]] bool has_single_child() const { return children.size() == 1 && children.front().second == 1; }
};

/// The number of children of each class that have no vertices yet, while a search fills one child of an
/// object after the other.
class ChildrenLeft {
 public:
  static constexpr std::size_t kMostClasses = 9;

  /// Whether no object has children of more than kMostClasses classes.
  [[nodiscard]] static bool can_count(const std::vector<IsomorphismClass>& classes) {
    for (const IsomorphismClass& each : classes) {
      if (each.children.size() > kMostClasses) return false;
    }
    return true;
  }

  /// @param parent  its children are of at most kMostClasses classes, at most 127 of each.
  explicit ChildrenLeft(const IsomorphismClass& parent) {
    for (std::size_t i = 0; i < parent.children.size(); ++i) code_ += one(i) * parent.children[i].second;
  }
  /// @param child  index into IsomorphismClass::children.
  [[nodiscard]] int of(std::size_t child) const {
    return static_cast<int>(code_ >> (kBitsEach * child) & (one(1) - 1));
  }
  [[nodiscard]] int total() const {
    int sum = 0;
    for (std::size_t child = 0; child < kMostClasses; ++child) sum += of(child);
    return sum;
  }
  [[nodiscard]] ChildrenLeft without(std::size_t child) const {
    ChildrenLeft left = *this;
    left.code_ -= one(child);
    return left;
  }
  /// All counts in one number.
  [[nodiscard]] std::uint64_t code() const { return code_; }
  friend bool operator==(const ChildrenLeft&, const ChildrenLeft&) = default;

 private:
  static constexpr std::size_t kBitsEach = 7;
  static std::uint64_t one(std::size_t child) { return std::uint64_t{1} << (kBitsEach * child); }

  std::uint64_t code_ = 0;
};

}  // namespace corewise
