// Fibers on Boost.Context's fcontext, which only switches stacks and registers.
#include "fiber.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <unistd.h>

#include "corewise/pgas/error.hpp"

namespace corewise::pgas::detail {
namespace {

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace

struct FiberEntry {
  [[noreturn]] static void start(boost::context::detail::transfer_t transfer) {
    const auto& way = *static_cast<const Fiber::Transfer*>(transfer.data);
    Fiber& self = *way.to;
    way.from->context_ = transfer.fctx;
    Fiber::arrive(way);
    self.entry_(self.thread_);
    __builtin_unreachable();
  }
};

void Fiber::enter_thread() {
  tsan_fiber_ = sanitizer::current_fiber();
  exceptions_ = reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals());
}

Fiber::Fiber(NodeThread& thread, std::size_t stack_bytes, Entry entry)
    : thread_(thread),
      exceptions_(reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals())),
      entry_(entry),
      tsan_fiber_(sanitizer::create_fiber()) {
  const std::size_t page = page_bytes();
  stack_bytes_ = (stack_bytes + page - 1) / page * page;
  mapping_bytes_ = stack_bytes_ + page;
  void* const mapping = mmap(nullptr, mapping_bytes_, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapping == MAP_FAILED)
    throw Error("no memory for the stack of a waiting task: lower Options::max_fibers or stack_bytes");
  mapping_ = static_cast<std::byte*>(mapping);
  if (mprotect(mapping_, page, PROT_NONE) != 0) {  // stacks grow down: an overflow faults in this page
    munmap(mapping_, mapping_bytes_);
    throw Error(
        "the kernel gives no more mappings for stacks of waiting tasks: lower Options::max_fibers or raise "
        "vm.max_map_count");
  }
  stack_bottom_ = mapping_ + page;
  context_ =
      boost::context::detail::make_fcontext(mapping_ + mapping_bytes_, stack_bytes_, &FiberEntry::start);
}

Fiber::~Fiber() {
  if (mapping_ == nullptr) return;
  sanitizer::forget_stack(mapping_, mapping_bytes_);
  munmap(mapping_, mapping_bytes_);
  if (tsan_fiber_ != nullptr) sanitizer::destroy_fiber(tsan_fiber_);
}

}  // namespace corewise::pgas::detail
