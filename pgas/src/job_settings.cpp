// Checks options and programs before a run starts.
#include "job_settings.hpp"

#include <cstring>
#include <string>

#include "corewise/pgas/detail/handlers.hpp"

namespace corewise::pgas::detail {
namespace {

/// Must be equal on all nodes.
struct JobSettings {
  HandlerTable handlers;
  std::uint64_t buffer_bytes;
  std::uint64_t credits;
};

void check_range(const Options& options) {
  if (options.buffer_bytes < 8192 || options.buffer_bytes > (1U << 30U)) {
    throw Error("Options::buffer_bytes is " + std::to_string(options.buffer_bytes) + ", not 8 KiB to 1 GiB");
  }
  // At least a guard page and a few frames. Far more than a thread's usual stack of 8 MiB is a mistake.
  if (options.stack_bytes < 16384 || options.stack_bytes > (1U << 30U)) {
    throw Error("Options::stack_bytes is " + std::to_string(options.stack_bytes) + ", not 16 KiB to 1 GiB");
  }
  // Each message in flight needs a buffer of at least 8 KiB on its destination.
  if (options.credits < 1 || options.credits > (1 << 16)) {
    throw Error("Options::credits is " + std::to_string(options.credits) + ", not 1 to 65536");
  }
  // In this form, the condition also refuses NaN. A year is 3e7 s.
  if (!(options.flush_s >= 0 && options.flush_s <= 1e9)) {
    throw Error("Options::flush_s is " + std::to_string(options.flush_s) + ", not 0 to 1e9 s");
  }
  if (options.max_fibers < 2 || options.max_fibers > (1U << 30U)) {
    throw Error("Options::max_fibers is " + std::to_string(options.max_fibers) + ", not 2 to 2^30");
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
