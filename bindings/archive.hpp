/// Pickling: writes the members of an object to bytes and reads them back. The compiler finds the members.
///
/// Numbers are in this machine's byte order. A class with private members needs a function `members()` that
/// returns a tuple of references to all members, and `friend struct NounMembers`.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "corewise/error.hpp"
#include "string_caster.hpp"

namespace corewise {

/// Gives Archive access to private members.
struct NounMembers {
  template <typename Noun>
  static auto of(Noun& noun) {
    return noun.members();
  }
};

namespace bindings {

template <typename Value>
concept Plain = std::is_arithmetic_v<Value> || std::is_enum_v<Value>;

struct AnyMember {
  template <typename Value>
  operator Value() const;  // NOLINT: never defined, it only counts members
};

template <typename Struct, typename... Found>
constexpr std::size_t n_members() {
  if constexpr (requires { Struct{Found{}..., AnyMember{}}; }) {
    return n_members<Struct, Found..., AnyMember>();
  } else {
    return sizeof...(Found);
  }
}

/// References to the members of a struct, in order.
template <typename Struct>
auto members_of(Struct& s) {
  if constexpr (!std::is_aggregate_v<Struct>) {
    return NounMembers::of(s);
  } else {
    constexpr std::size_t n = n_members<Struct>();
    static_assert(2 <= n && n <= 15, "add a line below");
    // clang-format off
    if constexpr (n == 2) { auto& [a, b] = s; return std::tie(a, b); }
    else if constexpr (n == 3) { auto& [a, b, c] = s; return std::tie(a, b, c); }
    else if constexpr (n == 4) { auto& [a, b, c, d] = s; return std::tie(a, b, c, d); }
    else if constexpr (n == 5) { auto& [a, b, c, d, e] = s; return std::tie(a, b, c, d, e); }
    else if constexpr (n == 6) { auto& [a, b, c, d, e, f] = s; return std::tie(a, b, c, d, e, f); }
    else if constexpr (n == 8) { auto& [a, b, c, d, e, f, g, h] = s; return std::tie(a, b, c, d, e, f, g, h); }
    else if constexpr (n == 9) { auto& [a, b, c, d, e, f, g, h, i] = s; return std::tie(a, b, c, d, e, f, g, h, i); }
    else if constexpr (n == 10) { auto& [a, b, c, d, e, f, g, h, i, j] = s; return std::tie(a, b, c, d, e, f, g, h, i, j); }
    else if constexpr (n == 12) { auto& [a, b, c, d, e, f, g, h, i, j, k, l] = s; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l); }
    else if constexpr (n == 14) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o] = s; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o); }
    else { static_assert(n == 15); auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p] = s; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p); }
    // clang-format on
  }
}

/// A text that describes the members of a type. A pickle contains it, and is refused if it differs.
template <typename Value>
struct Layout {
  static std::string text() {
    if constexpr (Plain<Value>) {
      return std::to_string(sizeof(Value));
    } else {
      return of_members(static_cast<decltype(members_of(std::declval<Value&>()))*>(nullptr));
    }
  }
  template <typename... Member>
  static std::string of_members(std::tuple<Member&...>*) {
    return "{" + (Layout<Member>::text() + ...) + "}";
  }
};
template <typename Value>
struct Layout<std::optional<Value>> {
  static std::string text() { return "?" + Layout<Value>::text(); }
};
template <typename Value>
struct Layout<std::vector<Value>> {
  static std::string text() { return "*" + Layout<Value>::text(); }
};
template <>
struct Layout<std::string> {
  static std::string text() { return "s"; }
};

/// Writes values to bytes, or reads them back in the same order (`kReads`).
template <bool kReads>
class Archive {
 public:
  Archive() = default;
  explicit Archive(std::string bytes) : bytes_(std::move(bytes)) {}

  template <typename Value>
  void operator()(Value& value) {
    if constexpr (Plain<Value>) {
      pass(&value, sizeof(value));
    } else {
      std::apply([&](auto&... member) { ((*this)(member), ...); }, members_of(value));
    }
  }
  template <typename Value>
  void operator()(std::optional<Value>& value) {
    bool is_there = value.has_value();
    (*this)(is_there);
    if (!is_there) return;
    if constexpr (kReads) value.emplace();
    (*this)(*value);
  }
  template <typename Value>
  void operator()(std::vector<Value>& values) {
    list(values);
  }
  void operator()(std::string& text) { list(text); }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  template <typename List>
  void list(List& values) {
    std::uint64_t n = values.size();
    (*this)(n);
    if constexpr (kReads) {
      require(n);
      values.resize(n);
    }
    if constexpr (Plain<typename List::value_type>) {
      pass(values.data(), n * sizeof(typename List::value_type));
    } else {
      for (auto& value : values) (*this)(value);
    }
  }
  void pass(void* data, std::size_t size) {
    if constexpr (kReads) {
      require(size);
      if (size > 0) std::memcpy(data, bytes_.data() + at_, size);
      at_ += size;
    } else {
      bytes_.append(static_cast<const char*>(data), size);
    }
  }
  /// @throws Error(bad_input) if fewer than n bytes are left.
  void require(std::uint64_t n) const {
    if (n > bytes_.size() - at_) {
      throw Error(ErrorCode::bad_input, "the pickle is cut off; expected all of its bytes");
    }
  }

  std::string bytes_;
  std::size_t at_ = 0;
};

/// Adds __getstate__ and __setstate__ to a class.
template <class Noun>
void bind_pickle(nanobind::class_<Noun>& bound) {
  namespace nb = nanobind;
  bound
      .def("__getstate__",
           [](Noun& self) {
             Archive<false> archive;
             archive(self);
             return nb::make_tuple(Layout<Noun>::text(),
                                   nb::bytes(archive.bytes().data(), archive.bytes().size()));
           })
      .def("__setstate__", [](Noun& self, const std::pair<std::string, nb::bytes>& state) {
        if (state.first != Layout<Noun>::text()) {
          throw Error(ErrorCode::bad_input,
                      "the pickle is of another version of corewise; expected one of this version");
        }
        Archive<true> archive({state.second.c_str(), state.second.size()});
        Noun noun;
        archive(noun);
        new (&self) Noun(std::move(noun));
      });
}

}  // namespace bindings
}  // namespace corewise
