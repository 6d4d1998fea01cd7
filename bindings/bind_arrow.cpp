/// The Arrow C stream interface: exports tables (arrow.hpp) and reads tables of other libraries.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <variant>

#include "arrow.hpp"
#include "bindings.hpp"
#include "corewise/error.hpp"
#include "text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

// The structs of the specification. Their members must not change.
extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
  int (*get_next)(ArrowArrayStream*, ArrowArray*);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
}

namespace corewise::bindings {
namespace {

constexpr const char* kCapsuleName = "arrow_array_stream";
constexpr std::int64_t kNullable = 2;

/// Storage for the pointers of an exported struct. `table` keeps all columns alive.
template <typename Struct>
struct Held {
  std::shared_ptr<const ArrowColumn> table;
  std::vector<Struct> children = {};
  std::vector<Struct*> pointers = {};
  std::vector<const void*> buffers = {};
};

/// The release callback of an exported struct. Skips children that the consumer has moved: it releases those.
template <typename Struct>
void release(Struct* given) {
  auto* held = static_cast<Held<Struct>*>(given->private_data);
  for (Struct& child : held->children) {
    if (child.release != nullptr) child.release(&child);
  }
  delete held;
  given->release = nullptr;
}

void fill(const std::shared_ptr<const ArrowColumn>& table, const ArrowColumn& column, ArrowSchema* out);
void fill(const std::shared_ptr<const ArrowColumn>& table, const ArrowColumn& column, ArrowArray* out);

template <typename Struct>
std::unique_ptr<Held<Struct>> held_of(const std::shared_ptr<const ArrowColumn>& table,
                                      const ArrowColumn& column) {
  auto held = std::make_unique<Held<Struct>>(table);
  held->children.resize(column.children.size());
  for (std::size_t i = 0; i < column.children.size(); ++i) {
    fill(table, column.children[i], &held->children[i]);
    held->pointers.push_back(&held->children[i]);
  }
  return held;
}

void fill(const std::shared_ptr<const ArrowColumn>& table, const ArrowColumn& column, ArrowSchema* out) {
  auto held = held_of<ArrowSchema>(table, column);
  const auto n_children = static_cast<std::int64_t>(column.children.size());
  *out = {column.format.c_str(),
          column.name.c_str(),
          nullptr,
          kNullable,
          n_children,
          held->pointers.data(),
          nullptr,
          &release<ArrowSchema>,
          nullptr};
  out->private_data = held.release();
}

void fill(const std::shared_ptr<const ArrowColumn>& table, const ArrowColumn& column, ArrowArray* out) {
  alignas(std::max_align_t) static constexpr std::byte
      kNothing{};  // an empty buffer of values needs a non-null pointer
  auto held = held_of<ArrowArray>(table, column);
  for (const ArrowBuffer& buffer : column.buffers) {
    const bool is_all_valid = held->buffers.empty() && buffer.empty();
    held->buffers.push_back(is_all_valid ? nullptr : buffer.empty() ? &kNothing : buffer.data());
  }
  const auto n_buffers = static_cast<std::int64_t>(held->buffers.size());
  const auto n_children = static_cast<std::int64_t>(column.children.size());
  *out = {column.length,
          column.n_nulls,
          0,
          n_buffers,
          n_children,
          held->buffers.data(),
          held->pointers.data(),
          nullptr,
          &release<ArrowArray>,
          nullptr};
  out->private_data = held.release();
}

struct Streamed {
  std::shared_ptr<const ArrowColumn> table;
  bool is_read = false;
};

Streamed& streamed(ArrowArrayStream* stream) { return *static_cast<Streamed*>(stream->private_data); }

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  fill(streamed(stream).table, *streamed(stream).table, out);
  return 0;
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  *out = {};
  if (!std::exchange(streamed(stream).is_read, true)) {
    fill(streamed(stream).table, *streamed(stream).table, out);
  }
  return 0;
}

const char* get_last_error(ArrowArrayStream*) { return nullptr; }

void release_stream(ArrowArrayStream* stream) {
  delete &streamed(stream);
  stream->release = nullptr;
}

/// The validity bitmap of a column; empty if no value is None. Sets n_nulls.
ArrowBuffer validity(const nb::list& values, std::int64_t& n_nulls) {
  ArrowBuffer bits((values.size() + 7) / 8);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].is_none()) {
      ++n_nulls;
    } else {
      bits[i / 8] |= std::byte{1} << i % 8;
    }
  }
  return n_nulls == 0 ? ArrowBuffer{} : bits;
}

template <typename Value>
ArrowColumn numbers(const std::string& name, const char* format, const nb::list& values) {
  std::vector<Value> plain;
  for (const nb::handle value : values) plain.push_back(value.is_none() ? Value{} : nb::cast<Value>(value));
  return arrow_numbers(name, format, plain);
}

ArrowColumn booleans(const std::string& name, const nb::list& values) {
  ArrowBuffer bits((values.size() + 7) / 8);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].is(Py_True)) bits[i / 8] |= std::byte{1} << i % 8;
  }
  return {name, "b", static_cast<std::int64_t>(values.size()), 0, {{}, std::move(bits)}};
}

ArrowColumn texts(const std::string& name, const nb::list& values) {
  std::vector<std::int64_t> offsets = {0};
  std::string all;
  for (const nb::handle value : values) {
    if (!value.is_none()) {
      const auto utf8 = nb::cast<nb::bytes>(value.attr("encode")("utf-8", "replace"));
      all.append(utf8.c_str(), utf8.size());
    }
    offsets.push_back(static_cast<std::int64_t>(all.size()));
  }
  ArrowColumn column = arrow_numbers(name, "U", offsets);
  const auto bytes = std::as_bytes(std::span(all));
  column.buffers.emplace_back(bytes.begin(), bytes.end());
  --column.length;
  return column;
}

ArrowColumn number_lists(const std::string& name, const nb::list& values) {
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int64_t> all;
  for (const nb::handle value : values) {
    if (!value.is_none()) {
      for (const std::int64_t number : nb::cast<std::vector<std::int64_t>>(value)) all.push_back(number);
    }
    offsets.push_back(static_cast<std::int64_t>(all.size()));
  }
  ArrowColumn column = arrow_numbers(name, "+L", offsets);
  column.children.push_back(arrow_numbers("item", "l", all));
  --column.length;
  return column;
}

using NamedColumn = std::tuple<std::string, std::string, nb::list>;

ArrowColumn column_of(const NamedColumn& named) {
  const auto& [name, kind, values] = named;
  ArrowColumn column = kind == "int"     ? numbers<std::int64_t>(name, "l", values)
                       : kind == "float" ? numbers<double>(name, "g", values)
                       : kind == "bool"  ? booleans(name, values)
                       : kind == "str"   ? texts(name, values)
                                         : number_lists(name, values);
  column.buffers[0] = validity(values, column.n_nulls);
  return column;
}

nb::capsule stream_of(const std::vector<NamedColumn>& named) {
  std::vector<ArrowColumn> columns;
  for (const NamedColumn& column : named) columns.push_back(column_of(column));
  return arrow_stream(std::move(columns));
}

/// Owns a struct of another library, and releases it once.
template <typename Struct>
struct Owned : Struct {
  Owned() : Struct{} {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (this->release != nullptr) this->release(this);
  }
};

struct NumberType {
  std::string_view format;
  nb::dlpack::dtype dtype;
};

constexpr std::array kNumbers = {
    NumberType{"c", nb::dtype<std::int8_t>()},  NumberType{"C", nb::dtype<std::uint8_t>()},
    NumberType{"s", nb::dtype<std::int16_t>()}, NumberType{"S", nb::dtype<std::uint16_t>()},
    NumberType{"i", nb::dtype<std::int32_t>()}, NumberType{"I", nb::dtype<std::uint32_t>()},
    NumberType{"l", nb::dtype<std::int64_t>()}, NumberType{"L", nb::dtype<std::uint64_t>()},
    NumberType{"f", nb::dtype<float>()},        NumberType{"g", nb::dtype<double>()},
};
/// 128-bit integers, for example sums of DuckDB.
constexpr NumberType kDecimal = {"d:38,0", nb::dtype<std::int64_t>()};

const NumberType* number_type(const ArrowSchema& schema) {
  if (schema.dictionary != nullptr) return nullptr;
  if (schema.format == kDecimal.format) return &kDecimal;
  const auto* const found = std::find_if(
      kNumbers.begin(), kNumbers.end(), [&](const NumberType& type) { return schema.format == type.format; });
  return found == kNumbers.end() ? nullptr : found;
}

bool has_nulls(const ArrowArray& array) {
  if (array.null_count >= 0 || array.buffers[0] == nullptr) return array.null_count > 0;
  const auto* bits = static_cast<const std::uint8_t*>(array.buffers[0]);
  for (std::int64_t i = array.offset; i < array.offset + array.length; ++i) {
    if ((bits[i / 8] >> i % 8 & 1) == 0) return true;
  }
  return false;
}

const std::byte* values_of(const ArrowArray& batch, const ArrowArray& column, std::size_t width) {
  return static_cast<const std::byte*>(column.buffers[1]) +
         static_cast<std::size_t>(batch.offset + column.offset) * width;
}

void append(const ArrowArray& batch, const ArrowArray& column, std::size_t width, ArrowBuffer& values) {
  if (batch.length == 0) return;
  const std::byte* begin = values_of(batch, column, width);
  values.insert(values.end(), begin, begin + static_cast<std::size_t>(batch.length) * width);
}

/// Returns false if a number does not fit 64 bits.
bool append_decimals(const ArrowArray& batch, const ArrowArray& column, ArrowBuffer& values) {
  constexpr std::size_t kWidth = 16;
  for (std::int64_t i = 0; i < batch.length; ++i) {
    std::int64_t low = 0;
    std::int64_t high = 0;
    const std::byte* value = values_of(batch, column, kWidth) + static_cast<std::size_t>(i) * kWidth;
    std::memcpy(&low, value, sizeof(low));
    std::memcpy(&high, value + sizeof(low), sizeof(high));
    if (high != (low < 0 ? -1 : 0)) return false;
    values.insert(values.end(), value, value + sizeof(low));
  }
  return true;
}

using NumpyAny = nb::ndarray<nb::numpy, nb::ndim<1>>;
using ReadColumn = std::variant<NumpyAny, std::string>;

ReadColumn to_numpy_any(ArrowBuffer buffer, nb::dlpack::dtype dtype) {
  const std::size_t n = buffer.size() * 8 / dtype.bits;
  auto kept = std::make_unique<ArrowBuffer>(std::move(buffer));
  void* data = kept->data();
  nb::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<ArrowBuffer*>(p); });
  return NumpyAny(data, {n}, owner, {}, dtype);
}

/// Calls one of the stream's functions without the GIL, because the other library may compute the batch.
template <typename Struct>
void ask(ArrowArrayStream* stream, int (*function)(ArrowArrayStream*, Struct*), Struct* out) {
  int error = 0;
  {
    const nb::gil_scoped_release unlocked;
    error = function(stream, out);
  }
  if (error == 0) return;
  const char* why = stream->get_last_error(stream);
  throw Error(ErrorCode::bad_input, concat("the frame could not be read through Arrow: ",
                                           why != nullptr ? why : std::strerror(error)));
}

/// What a column holds that holds no numbers.
std::string kind_of(const ArrowSchema& column) {
  const std::string_view format = column.format;
  if (column.dictionary != nullptr) return "categories";
  if (format == "n") return "no values";
  if (format == "u" || format == "U" || format == "vu") return "text";
  return concat("Arrow format '", format, "'");
}

std::vector<std::pair<std::string, ReadColumn>> columns_of(const nb::capsule& capsule) {
  auto* stream = static_cast<ArrowArrayStream*>(capsule.data(kCapsuleName));
  Owned<ArrowSchema> schema;
  ask<ArrowSchema>(stream, stream->get_schema, &schema);
  if (std::string_view(schema.format) != "+s") {
    throw Error(ErrorCode::bad_input, concat("found an Arrow stream of format '", schema.format,
                                             "'; expected a table with columns"));
  }
  const std::span children(schema.children, static_cast<std::size_t>(schema.n_children));
  std::vector<ArrowBuffer> values(children.size());
  std::vector<std::string> found(children.size());  // [column] what it has in place of numbers, or empty
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (number_type(*children[i]) != nullptr) continue;
    found[i] = kind_of(*children[i]);
  }
  while (true) {
    Owned<ArrowArray> batch;
    ask<ArrowArray>(stream, stream->get_next, &batch);
    if (batch.release == nullptr) break;
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (!found[i].empty()) continue;
      const ArrowArray& column = *batch.children[i];
      const NumberType* type = number_type(*children[i]);
      if (has_nulls(column)) {
        found[i] = "missing values";
      } else if (type != &kDecimal) {
        append(batch, column, type->dtype.bits / 8, values[i]);
      } else if (!append_decimals(batch, column, values[i])) {
        found[i] = "numbers of more than 64 bits";
      }
    }
  }
  std::vector<std::pair<std::string, ReadColumn>> columns;
  for (std::size_t i = 0; i < children.size(); ++i) {
    columns.emplace_back(children[i]->name, found[i].empty() ? to_numpy_any(std::move(values[i]),
                                                                            number_type(*children[i])->dtype)
                                                             : ReadColumn(found[i]));
  }
  return columns;
}

}  // namespace

nb::capsule arrow_stream(std::vector<ArrowColumn> columns) {
  const std::int64_t length = columns.empty() ? 0 : columns[0].length;
  auto table =
      std::make_shared<const ArrowColumn>(ArrowColumn{"", "+s", length, 0, {{}}, std::move(columns)});
  auto stream = std::make_unique<ArrowArrayStream>(
      ArrowArrayStream{&get_schema, &get_next, &get_last_error, &release_stream, nullptr});
  stream->private_data = new Streamed{std::move(table)};
  // A consumer that has moved the stream out of the capsule has set `release` to null.
  return {stream.release(), kCapsuleName, [](void* p) noexcept {
            auto* kept = static_cast<ArrowArrayStream*>(p);
            if (kept->release != nullptr) kept->release(kept);
            delete kept;
          }};
}

void bind_arrow(nb::module_& module) {
  module.def("arrow_stream", &stream_of, "columns"_a,
             "A capsule with an Arrow stream. Each column is (name, kind, values); all have the same length. "
             "`kind` is int, float, bool, str or list (of int); values may be None.");
  module.def("arrow_columns", &columns_of, "capsule"_a,
             "Reads an Arrow stream to its end: (name, numbers) of each column. If a column has other "
             "values, a text in place of the numbers says what was found.");
}

}  // namespace corewise::bindings
