// The memory of global arrays.
#include "corewise/pgas/detail/array_block.hpp"

#include <sys/mman.h>

#include <string>

#include "corewise/pgas/error.hpp"

namespace corewise::pgas::detail {

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

}  // namespace corewise::pgas::detail
