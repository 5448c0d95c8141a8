// SPDX-License-Identifier: BSD-3-Clause
// nestbind-scotch: see border.hpp. Exit status 0 with an answer, otherwise 1.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "mapping/scotch/border.hpp"
#include "mapping/scotch/solve.hpp"

namespace {

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

int answer() {
  const auto target = nestbind::mapping::parse_target(all_input());
  const auto seats = target ? nestbind::mapping::scotch::solve(*target) : std::nullopt;
  if (!seats) {
    return EXIT_FAILURE;
  }
  for (const int seat : *seats) {
    std::printf("%d\n", seat);
  }
  return std::fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() try {
  const rlimit time{nestbind::mapping::scotch::kSeconds, nestbind::mapping::scotch::kSeconds};
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CPU, &time);
  setrlimit(RLIMIT_CORE, &no_core);
  return answer();
} catch (const std::exception&) {
  return EXIT_FAILURE;
}
