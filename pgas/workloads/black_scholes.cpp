// Workload black-scholes: each node prices the options in its part of a global array.
#include "kernels/black_scholes.hpp"

#include <corewise/pgas/pgas.hpp>
#include <functional>

#include "workload.hpp"

namespace corewise::workloads {

void run_black_scholes(const Settings& settings, const Measure& measure) {
  constexpr double paper_options = 6e9;
  auto options = pgas::GlobalArray<Option>::create(settings.scaled(paper_options));
  const Stream stream(settings.seed);
  pgas::for_each(options, [stream](std::size_t i, Option& option) { option = synthetic_option(stream, i); });
  measure(options.size(), [options] {
    const auto sum_of_prices = [options](std::size_t first, std::size_t last) {
      const auto own = options.local().subspan(first - options.local_begin(), last - first);
      std::int64_t sum = 0;
      for (const Option& option : own) sum += price_in_millionths(option);
      return sum;
    };
    const std::int64_t sum =
        pgas::parallel_reduce(0, options.size(), std::int64_t{0}, sum_of_prices, std::plus<std::int64_t>{});
    return std::to_string(sum);
  });
  options.destroy();
}

}  // namespace corewise::workloads
