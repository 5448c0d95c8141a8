// SPDX-License-Identifier: BSD-3-Clause
// The program nestbind-scotch (scotch_border.hpp). The exit status is 0 with a result, otherwise 1.
#include <sys/resource.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "mapping/scotch/scotch_border.hpp"
#include "mapping/scotch/solve.hpp"

namespace {

namespace scotch = nestbind::mapping::scotch;
using Numbers = std::optional<std::vector<int>>;

void limit_process() {
  const rlimit time{scotch::kSeconds, scotch::kSeconds};
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CPU, &time);
  setrlimit(RLIMIT_CORE, &no_core);
}

std::string all_input() {
  constexpr std::size_t kPart = 65536;
  std::string text;
  std::size_t got = kPart;
  while (got > 0) {
    const std::size_t before = text.size();
    text.resize(before + kPart);
    got = std::fread(text.data() + before, 1, kPart, stdin);
    text.resize(before + got);
  }
  return text;
}

Numbers answer_to(std::string_view what) {
  if (what == scotch::kMap) {
    const auto target = nestbind::mapping::parse_target(all_input());
    return target ? scotch::solve(*target) : std::nullopt;
  }
  if (what == scotch::kDivide) {
    const auto graph = nestbind::mapping::parse_graph(all_input());
    return graph ? scotch::divide(*graph) : std::nullopt;
  }
  return std::nullopt;
}

int write(const Numbers& answer) {
  if (!answer) {
    return EXIT_FAILURE;
  }
  for (const int number : *answer) {
    std::printf("%d\n", number);
  }
  return std::fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int count, char** arguments) try {
  limit_process();
  return write(count == 2 ? answer_to(arguments[1]) : std::nullopt);
} catch (const std::exception&) {
  return EXIT_FAILURE;
}
