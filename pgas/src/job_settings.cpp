// Checks of options and programs before a run starts.
#include "job_settings.hpp"

#include <cstring>
#include <string>

#include "corewise/pgas/detail/handlers.hpp"

namespace corewise::pgas::detail {
namespace {

/// What must be the same on all nodes.
struct JobSettings {
  HandlerTable handlers;
  std::uint64_t buffer_bytes;
  std::uint64_t credits;
};

void check_range(const Options& options) {
  if (options.buffer_bytes < 8192 || options.buffer_bytes > (1U << 30U)) {
    throw Error("Options::buffer_bytes is " + std::to_string(options.buffer_bytes) + ", not 8 KiB to 1 GiB");
  }
  if (options.credits < 1 || options.timeout_s <= 0 || options.flush_s < 0 || options.max_fibers < 2) {
    throw Error(
        "Options: credits, timeout_s and max_fibers (at least 2) must be positive, flush_s not negative");
  }
}

void check_same_on_all_nodes(Transport& transport, const Options& options) {
  const JobSettings own{handler_table(), options.buffer_bytes, static_cast<std::uint64_t>(options.credits)};
  const auto all = transport.gather(std::as_bytes(std::span(&own, 1)));
  for (std::size_t node = 0; node < all.size(); ++node) {
    JobSettings other{};
    std::memcpy(&other, all[node].data(), sizeof other);
    if (other.handlers.hash != own.handlers.hash || other.handlers.count != own.handlers.count) {
      throw Error("node " + std::to_string(node) + " runs another program than node " +
                  std::to_string(transport.node()) + ": " + std::to_string(other.handlers.count) + " and " +
                  std::to_string(own.handlers.count) +
                  " message handlers, or other ones; start the same executable everywhere");
    }
    if (other.buffer_bytes != own.buffer_bytes || other.credits != own.credits) {
      throw Error("node " + std::to_string(node) + " has other Options (buffer_bytes, credits) than node " +
                  std::to_string(transport.node()) + "; give all nodes the same");
    }
  }
}

}  // namespace

const Options& checked_options(const Options& options, Transport& transport) {
  check_range(options);
  check_same_on_all_nodes(transport, options);
  return options;
}

}  // namespace corewise::pgas::detail
