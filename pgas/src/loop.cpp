// How a loop is divided among nodes and workers.
#include "corewise/pgas/detail/loop.hpp"

#include "corewise/pgas/detail/array_block.hpp"

namespace corewise::pgas::detail {

LoopShape LoopShape::part(int node, int n_nodes) const {
  const std::size_t size = end - begin;
  const std::size_t block = block_of(size, n_nodes);
  const std::size_t first = std::min(size, static_cast<std::size_t>(node) * block);
  const std::size_t last = std::min(size, first + block);
  return {begin + first, begin + last, chunk, in_flight};
}

std::size_t LoopShape::chunk_for(int workers) const {
  constexpr std::size_t chunks_per_worker = 16;
  if (chunk != 0) return chunk;
  return std::max<std::size_t>(1, (end - begin) / (chunks_per_worker * static_cast<std::size_t>(workers)));
}

}  // namespace corewise::pgas::detail
