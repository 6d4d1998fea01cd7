// Allocates the memory of global arrays, and reports errors in their use.
#include "corewise/pgas/detail/array_block.hpp"

#include <sys/mman.h>

#include <limits>
#include <string>

#include "corewise/pgas/error.hpp"

namespace corewise::pgas::detail {

std::size_t block_bytes(std::size_t size, std::size_t element_bytes, int n_nodes) {
  if (size > std::numeric_limits<std::ptrdiff_t>::max() / element_bytes) {
    throw Error("an array of " + std::to_string(size) + " elements of " + std::to_string(element_bytes) +
                " bytes is larger than memory can be; expected at most " +
                std::to_string(std::numeric_limits<std::ptrdiff_t>::max() / element_bytes) + " elements");
  }
  return block_of(size, n_nodes) * element_bytes;
}

ArrayBlock::ArrayBlock(std::size_t bytes)
    : node_(this_context->node()), bytes_(std::max<std::size_t>(bytes, 1)) {
  void* const memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw Error("no memory for " + std::to_string(bytes_) + " bytes of an array on a node");
  memory_ = static_cast<std::byte*>(memory);
}

ArrayBlock::~ArrayBlock() { munmap(memory_, bytes_); }

void throw_index(std::size_t i, std::size_t size) {
  throw Error("index " + std::to_string(i) + " is outside the array of " + std::to_string(size) +
              " elements");
}

void throw_run(std::size_t first, std::size_t count, std::size_t size) {
  throw Error(std::to_string(count) + " elements from index " + std::to_string(first) +
              " on are not all inside the array of " + std::to_string(size) + " elements");
}

}  // namespace corewise::pgas::detail
