// The handler of SIGSEGV, and the stacks that it runs on.
#include "stack_overflow.hpp"

#include <unistd.h>

#include <cstring>
#include <mutex>

#include "node.hpp"

namespace corewise::pgas::detail {
namespace {

std::mutex mutex;  // protects the following
int n_reports = 0;
struct sigaction before{};

/// Uses neither memory nor locks, because it runs in a signal handler.
void print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void print(std::size_t number) {
  std::array<char, 20> digits{};
  std::size_t first = digits.size();
  do {
    digits[--first] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number > 0);
  print({&digits[first], digits.size() - first});
}

void pass_on(int signal, siginfo_t* info, void* context) {
  if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(signal, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(signal);
  ::signal(signal, SIG_DFL);  // the instruction faults again when this handler returns
}

void on_fault(int signal, siginfo_t* info, void* context) {
  if (this_context == nullptr || !current_thread().current()->guards(info->si_addr)) {
    return pass_on(signal, info, context);
  }
  const Node& node = current_thread().owner();
  print("corewise pgas: a task of node ");
  print(static_cast<std::size_t>(this_context->node()));
  print(" has used up its stack of ");
  print(node.options().stack_bytes);
  print(" bytes: keep less in local variables, recurse less deeply, or raise Options::stack_bytes\n");
  ::signal(signal, SIG_DFL);
}

}  // namespace

StackOverflowReport::StackOverflowReport() {
  const std::lock_guard lock(mutex);
  if (n_reports++ > 0) return;
  struct sigaction own{};
  own.sa_sigaction = on_fault;
  own.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &own, &before);
}

StackOverflowReport::~StackOverflowReport() {
  const std::lock_guard lock(mutex);
  if (--n_reports == 0) sigaction(SIGSEGV, &before, nullptr);
}

SignalStack::SignalStack() : memory_(static_cast<std::size_t>(std::max(SIGSTKSZ, 16384L))) {
  stack_t own{};
  own.ss_sp = memory_.data();
  own.ss_size = memory_.size();
  sigaltstack(&own, &before_);
}

}  // namespace corewise::pgas::detail
