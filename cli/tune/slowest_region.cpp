// SPDX-License-Identifier: BSD-3-Clause
#include "cli/tune/slowest_region.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

#include "process/traced.hpp"

namespace nestbind::cli::tune {

namespace {

using process::Traced;

struct Forked {
  long code = 0;
  double begin = 0;
};

}  // namespace

std::optional<SlowestRegion> slowest_region(std::istream& trace) {
  std::map<long, SlowestRegion> regions;  // by the address of the region's code
  std::map<long, Forked> forked;          // outermost regions that still run, by thread
  double all = 0;
  std::string line;
  while (std::getline(trace, line)) {
    double time = 0;
    long thread = 0;
    int event = 0;
    long first = 0;
    long second = 0;
    int used = 0;
    if (std::sscanf(line.c_str(), "%lf %ld %d %ld %ld %*d %n", &time, &thread, &event, &first,
                    &second, &used) != 5) {
      continue;
    }
    const auto kind = static_cast<Traced>(event);
    if (kind == Traced::kRegion) {
      regions[first].module = line.substr(static_cast<std::size_t>(used));
      regions[first].address = static_cast<std::uint64_t>(second);
    } else if (kind == Traced::kFork && first == 1) {
      forked[thread] = {second, time};
    } else if (kind == Traced::kLeft && first == 1 && second == 0) {
      const auto open = forked.find(thread);
      if (open != forked.end()) {
        regions[open->second.code].seconds += time - open->second.begin;
        all += time - open->second.begin;
        forked.erase(open);
      }
    }
  }
  const auto slowest = std::ranges::max_element(
      regions, {}, [](const auto& region) { return region.second.seconds; });
  if (slowest == regions.end() || slowest->second.module.empty() || slowest->second.seconds <= 0) {
    return std::nullopt;
  }
  slowest->second.all = all;
  return slowest->second;
}

}  // namespace nestbind::cli::tune
