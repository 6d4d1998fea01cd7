// The table of message handlers.
#include "corewise/pgas/detail/handlers.hpp"

#include <vector>

namespace corewise::pgas::detail {
namespace {

struct Table {
  std::vector<Handler> handlers;
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
};

/// Filled before main(), then constant. A static variable of a function, because it must exist before any
/// file's initialiser registers a handler.
Table& table() {
  static Table only;
  return only;
}

}  // namespace

std::uint32_t register_handler(const std::string& name, Handler handler) {
  Table& all = table();
  for (const char letter : name) {
    all.hash = (all.hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
  }
  all.hash = (all.hash ^ 0xff) * 0x100000001b3ULL;
  all.handlers.push_back(handler);
  return static_cast<std::uint32_t>(all.handlers.size() - 1);
}

Handler find_handler(std::uint32_t id) noexcept {
  const Table& all = table();
  return id < all.handlers.size() ? all.handlers[id] : nullptr;
}

HandlerTable handler_table() noexcept { return {table().handlers.size(), table().hash}; }

}  // namespace corewise::pgas::detail
