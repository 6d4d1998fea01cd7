// Informs AddressSanitizer and ThreadSanitizer about fibers; does nothing in other builds.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace corewise::pgas::detail::sanitizer {

#if defined(__SANITIZE_ADDRESS__)
inline void start_switch(void** fake_stack, const void* bottom, std::size_t bytes) {
  __sanitizer_start_switch_fiber(fake_stack, bottom, bytes);
}
inline void finish_switch(void* fake_stack, const void** old_bottom, std::size_t* old_bytes) {
  __sanitizer_finish_switch_fiber(fake_stack, old_bottom, old_bytes);
}
/// Call this before unmapping a stack. Its functions have not returned, so their variables are still marked
/// as poisoned, and the marks would apply to the next mapping at the same address.
inline void forget_stack(void* stack, std::size_t bytes) { __asan_unpoison_memory_region(stack, bytes); }
#else
inline void start_switch(void**, const void*, std::size_t) {}
inline void finish_switch(void*, const void**, std::size_t*) {}
inline void forget_stack(void*, std::size_t) {}
#endif

#if defined(__SANITIZE_THREAD__)
inline void* current_fiber() { return __tsan_get_current_fiber(); }
inline void* create_fiber() { return __tsan_create_fiber(0); }
inline void destroy_fiber(void* fiber) { __tsan_destroy_fiber(fiber); }
inline void switch_to_fiber(void* fiber) { __tsan_switch_to_fiber(fiber, 0); }
#else
inline void* current_fiber() { return nullptr; }
inline void* create_fiber() { return nullptr; }
inline void destroy_fiber(void*) {}
inline void switch_to_fiber(void*) {}
#endif

}  // namespace corewise::pgas::detail::sanitizer
