// Orients edges, and counts triangles in rows.
#include "kernels/triangles.hpp"

#include <algorithm>
#include <numeric>

namespace corewise::workloads {

std::vector<std::uint32_t> ranks_by_degree(std::span<const std::uint32_t> degree_of_vertex) {
  std::uint32_t max_degree = 0;
  for (const std::uint32_t degree : degree_of_vertex) max_degree = std::max(max_degree, degree);
  std::vector<std::uint32_t> next(std::size_t{max_degree} + 2, 0);  // counting sort: stable, linear
  for (const std::uint32_t degree : degree_of_vertex) ++next[degree + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> rank_of_vertex;
  rank_of_vertex.reserve(degree_of_vertex.size());
  for (const std::uint32_t degree : degree_of_vertex) rank_of_vertex.push_back(next[degree]++);
  return rank_of_vertex;
}

void add_degrees(std::span<const Edge> edges, std::span<std::uint32_t> degree_of_vertex) {
  for (const auto& [a, b] : edges) {
    ++degree_of_vertex[a];
    ++degree_of_vertex[b];
  }
}

RowsBuilder::RowsBuilder(std::span<const std::uint32_t> rank_of_vertex, std::uint32_t part,
                         std::uint32_t n_parts)
    : rank_of_vertex_(rank_of_vertex), part_(part), n_parts_(n_parts) {
  const std::size_t n_rows = (rank_of_vertex.size() + n_parts - 1 - part) / n_parts;
  rows_.offsets.assign(n_rows + 1, 0);
}

template <class Visit>
void RowsBuilder::for_own(std::span<const Edge> edges, Visit visit) const {
  for (const auto& [a, b] : edges) {
    const auto [low, high] = std::minmax(rank_of_vertex_[a], rank_of_vertex_[b]);
    if (low != high && low % n_parts_ == part_) visit(low / n_parts_, high);
  }
}

void RowsBuilder::count(std::span<const Edge> edges) {
  for_own(edges, [&](std::uint32_t row, std::uint32_t) { ++rows_.offsets[row + 1]; });
}

void RowsBuilder::add(std::span<const Edge> edges) {
  if (!filling_) {
    filling_ = true;
    std::partial_sum(rows_.offsets.begin(), rows_.offsets.end(), rows_.offsets.begin());
    rows_.targets.resize(rows_.offsets.back());
    next_.assign(rows_.offsets.begin(), rows_.offsets.end() - 1);
  }
  for_own(edges, [&](std::uint32_t row, std::uint32_t target) { rows_.targets[next_[row]++] = target; });
}

Rows RowsBuilder::finish() && {
  auto end = rows_.targets.begin();  // end of the targets that are kept so far
  std::uint64_t first = 0;
  for (std::size_t row = 0; row + 1 < rows_.offsets.size(); ++row) {
    const auto begin = rows_.targets.begin() + static_cast<std::ptrdiff_t>(first);
    const auto last = rows_.targets.begin() + static_cast<std::ptrdiff_t>(rows_.offsets[row + 1]);
    first = rows_.offsets[row + 1];
    std::sort(begin, last);
    end = std::unique_copy(begin, last, end);
    rows_.offsets[row + 1] = static_cast<std::uint64_t>(end - rows_.targets.begin());
  }
  rows_.targets.erase(end, rows_.targets.end());
  return std::move(rows_);
}

std::uint64_t triangles_of(std::span<const std::uint32_t> row, const RowsView& own, Marks& marks) {
  std::uint64_t found = 0;
  marks.set(row);
  for (const std::uint32_t middle : row) {
    if (middle % own.n_parts == own.part) found += marks.count(own.row(middle / own.n_parts));
  }
  marks.clear(row);
  return found;
}

std::uint64_t count_triangles(const Rows& rows) {
  const RowsView all{rows.offsets, rows.targets};
  const std::size_t n_rows = rows.offsets.size() - 1;
  Marks marks;
  marks.grow(n_rows);
  std::uint64_t found = 0;
  for (std::size_t row = 0; row < n_rows; ++row) found += triangles_of(all.row(row), all, marks);
  return found;
}

}  // namespace corewise::workloads
