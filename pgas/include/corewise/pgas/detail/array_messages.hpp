/// Messages of global arrays: their records, and how the receiver serves them and returns results.
///
/// Operations on single elements are records of equal size that share a segment. A run of elements is one
/// record: a header, then the elements. A receiver acknowledges all records of a segment with one record.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "corewise/pgas/detail/array_block.hpp"
#include "corewise/pgas/detail/element_access.hpp"
#include "corewise/pgas/detail/fast_divisor.hpp"

namespace corewise::pgas::detail {

template <class T>
struct alignas(record_alignment) OffsetValue {
  std::size_t offset;
  T value;
};

template <class T>
struct alignas(record_alignment) OffsetPlace {
  std::size_t offset;
  T* place;  ///< destination of the result, on the sending node
};

template <class T>
struct alignas(record_alignment) FetchAdd {
  std::size_t offset;
  T value;
  T* before;  ///< destination of the result, on the sending node
};

template <class T>
struct alignas(record_alignment) CompareExchange {
  std::size_t offset;
  Exchange<T> exchange;
  T* before;  ///< destination of the result, on the sending node
};

/// Elements offset, offset + 1, ... of one node's block.
struct Run {
  std::size_t offset;
  std::size_t count;
};

/// First part of a record of a run.
struct RunHeader {
  Run run;
  void* place;  ///< destination of the elements, on the reading node
};

/// First element of this node's block of the array of a segment.
template <class T>
[[nodiscard]] T* block_for(const Incoming& in) {
  return reinterpret_cast<T*>(object<ArrayBlock>(in.context, in.segment.object_id).base(in.context.node()));
}

template <class Record>
[[nodiscard]] std::span<const Record> records_of(const Incoming& in) {
  return {reinterpret_cast<const Record*>(in.records), in.segment.count};
}

inline void acknowledge(const Incoming& in) {
  acknowledge(in.context, in.source, in.segment.token, in.segment.count);
}

template <class T>
void receive_put(const Incoming& in) {
  T* const block = block_for<T>(in);
  for (const auto& record : records_of<OffsetValue<T>>(in)) store(block[record.offset], record.value);
  acknowledge(in);
}

template <class T>
void receive_add(const Incoming& in) {
  T* const block = block_for<T>(in);
  for (const auto& record : records_of<OffsetValue<T>>(in)) {
    fetch_add(in.context, block[record.offset], record.value);
  }
  acknowledge(in);
}

/// For each record, returns serve(element, record) to the sender, for `record.*place`.
template <class T, class Record, class Serve>
void answer_each(const Incoming& in, T* Record::* place, Serve serve) {
  T* const block = block_for<T>(in);
  for (const Record& record : records_of<Record>(in)) {
    auto* const result =
        in.context.append<ResultRecord<T>>(in.source, handler_id<&receive_result<T>>(), 0, in.segment.token);
    result->place = record.*place;
    const T value = serve(block[record.offset], record);
    std::memcpy(&result->value, &value, sizeof(T));
  }
}

template <class T>
void receive_get(const Incoming& in) {
  answer_each(in, &OffsetPlace<T>::place, [](T& element, const OffsetPlace<T>&) { return load(element); });
}

template <class T>
void receive_fetch_add(const Incoming& in) {
  answer_each(in, &FetchAdd<T>::before, [&in](T& element, const FetchAdd<T>& record) {
    return fetch_add(in.context, element, record.value);
  });
}

template <class T>
void receive_compare_exchange(const Incoming& in) {
  answer_each(in, &CompareExchange<T>::before, [](T& element, const CompareExchange<T>& record) {
    return compare_exchange(element, record.exchange);
  });
}

template <class T>
void send_put(int node, std::uint32_t id, Completion& done, std::size_t offset, const T& value) {
  auto* const record =
      this_context->append<OffsetValue<T>>(node, handler_id<&receive_put<T>>(), id, token_of(done));
  record->offset = offset;
  std::memcpy(&record->value, &value, sizeof(T));
  done.expect();
}

template <class T>
void send_get(int node, std::uint32_t id, Completion& done, std::size_t offset, T* place) {
  *this_context->append<OffsetPlace<T>>(node, handler_id<&receive_get<T>>(), id, token_of(done)) = {offset,
                                                                                                    place};
  done.expect();
}

template <class T>
void send_add(int node, std::uint32_t id, Completion& done, std::size_t offset, T value) {
  *this_context->append<OffsetValue<T>>(node, handler_id<&receive_add<T>>(), id, token_of(done)) = {offset,
                                                                                                    value};
  done.expect();
}

template <class T>
void send_fetch_add(int node, std::uint32_t id, Completion& done, FetchAdd<T> record) {
  *this_context->append<FetchAdd<T>>(node, handler_id<&receive_fetch_add<T>>(), id, token_of(done)) = record;
  done.expect();
}

template <class T>
void send_compare_exchange(int node, std::uint32_t id, Completion& done, CompareExchange<T> record) {
  constexpr auto handler = &receive_compare_exchange<T>;
  *this_context->append<CompareExchange<T>>(node, handler_id<handler>(), id, token_of(done)) = record;
  done.expect();
}

template <class T>
void receive_put_run(const Incoming& in) {
  const auto& header = *reinterpret_cast<const RunHeader*>(in.records);
  const auto* const values = reinterpret_cast<const T*>(in.records + sizeof header);
  std::memcpy(block_for<T>(in) + header.run.offset, values, header.run.count * sizeof(T));
  acknowledge(in);
}

/// Receives elements that send_get_run() requested: a RunHeader, then the elements.
template <class T>
void receive_run(const Incoming& in) {
  const auto& header = *reinterpret_cast<const RunHeader*>(in.records);
  std::memcpy(header.place, in.records + sizeof header, header.run.count * sizeof(T));
  in.context.end_bulk_read();
  completion_of(in.segment.token).complete(1);
}

/// Appends a record with a RunHeader and space for its elements. @return the address for the elements.
template <class T>
[[nodiscard]] T* append_run(ThreadContext& context, int node, Segment segment, const RunHeader& header) {
  segment.record_bytes = static_cast<std::uint32_t>(padded(sizeof header + header.run.count * sizeof(T)));
  std::byte* const record = context.append_segment(node, segment);
  std::memcpy(record, &header, sizeof header);
  return reinterpret_cast<T*>(record + sizeof header);
}

template <class T>
void receive_get_run(const Incoming& in) {
  for (const RunHeader& header : records_of<RunHeader>(in)) {
    const Segment segment{handler_id<&receive_run<T>>(), 0, 1, 0, in.segment.token};
    T* const values = append_run<T>(in.context, in.source, segment, header);
    std::memcpy(values, block_for<const T>(in) + header.run.offset, header.run.count * sizeof(T));
  }
}

/// Calls send(piece, from) for pieces of a run that fit into a record; `from`: index of the first element of
/// the piece in the run.
template <class T, class Send>
void for_each_piece(Run run, Send send) {
  const std::size_t max_count = (this_context->max_record_bytes() - sizeof(RunHeader)) / sizeof(T);
  for (std::size_t from = 0; from < run.count; from += max_count) {
    send(Run{run.offset + from, std::min(max_count, run.count - from)}, from);
  }
}

/// Calls visit(node, run, from) for each block that contains some of the `count` elements from `first` on;
/// `from` is the number of elements in earlier blocks.
/// @param split the number of elements in a block.
template <class Visit>
void for_each_block(const FastDivisor& split, std::size_t first, std::size_t count, Visit visit) {
  std::size_t from = 0;
  while (from < count) {
    const std::size_t node = split.quotient(first + from);
    const std::size_t offset = first + from - node * split.divisor();
    const std::size_t in_block = std::min(count - from, split.divisor() - offset);
    visit(static_cast<int>(node), Run{offset, in_block}, from);
    from += in_block;
  }
}

template <class T>
void send_put_run(int node, std::uint32_t id, Completion& done, Run run, std::span<const T> values) {
  for_each_piece<T>(run, [&](Run piece, std::size_t from) {
    const Segment segment{handler_id<&receive_put_run<T>>(), 0, 1, id, token_of(done)};
    T* const place = append_run<T>(*this_context, node, segment, {piece, nullptr});
    std::memcpy(place, &values[from], piece.count * sizeof(T));
    done.expect();
  });
}

template <class T>
void send_get_run(int node, std::uint32_t id, Completion& done, Run run, std::span<T> values) {
  for_each_piece<T>(run, [&](Run piece, std::size_t from) {
    this_context->begin_bulk_read();
    *this_context->append<RunHeader>(node, handler_id<&receive_get_run<T>>(), id, token_of(done)) = {
        piece, &values[from]};
    done.expect();
  });
}

}  // namespace corewise::pgas::detail
