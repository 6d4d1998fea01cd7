// The pool of message buffers.
#include "buffers.hpp"

#include <string>

#include "corewise/pgas/error.hpp"

namespace corewise::pgas::detail {

BufferPool::BufferPool(std::size_t buffer_bytes, std::size_t max_buffers)
    : buffer_bytes_(buffer_bytes), max_buffers_(max_buffers) {}

Buffer* BufferPool::take() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) {
    if (all_.size() == max_buffers_) {
      throw Error("all " + std::to_string(max_buffers_) + " message buffers of " +
                  std::to_string(buffer_bytes_) +
                  " bytes are in use: wait() more often, or raise Options::max_buffers");
    }
    auto made = std::make_unique<Buffer>();
    made->memory = std::make_unique_for_overwrite<std::byte[]>(buffer_bytes_);
    all_.push_back(std::move(made));
    return all_.back().get();
  }
  Buffer* const buffer = free_.back();
  free_.pop_back();
  return buffer;
}

void BufferPool::give_back(Buffer* buffer) {
  const std::lock_guard lock(mutex_);
  free_.push_back(buffer);
}

}  // namespace corewise::pgas::detail
