// Defines run(). Each transport's library has it, and runs a program over that transport.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "corewise/pgas/run.hpp"
#include "no_memory.hpp"
#include "transport.hpp"

namespace corewise::pgas {
namespace {

/// Output of the program may still be in buffers of the C library.
void throw_if_output_is_lost() {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0 && std::cout.flush().good();
  const int reason = errno;
  if (flushed && std::ferror(stdout) == 0) return;
  throw Error("standard output could not be written" +
              (reason != 0 ? " (" + std::string(std::strerror(reason)) + ")" : std::string()) +
              ": what the program printed is lost in part");
}

}  // namespace

int run(const Options& options, const std::function<void()>& root) {
  try {
    detail::run_nodes(detail::make_endpoints(options), options, root);
    throw_if_output_is_lost();
    return 0;
  } catch (const std::bad_alloc&) {
    std::cerr << "corewise pgas: " << detail::no_memory << "\n";
    return 1;
  } catch (const std::exception& error) {
    std::cerr << std::string("corewise pgas: ") + error.what() + "\n";
    return 1;
  }
}

}  // namespace corewise::pgas
