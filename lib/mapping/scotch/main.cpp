// SPDX-License-Identifier: BSD-3-Clause
// nestbind-scotch: see border.hpp. Exit status 0 with an answer, otherwise 1.

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "mapping/scotch/border.hpp"
#include "mapping/scotch/solve.hpp"
#include "support/asked_program.hpp"

namespace {

int answer() {
  const auto target = nestbind::mapping::parse_target(nestbind::support::all_input());
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
  nestbind::support::limit_process(nestbind::mapping::scotch::kSeconds);
  return answer();
} catch (const std::exception&) {
  return EXIT_FAILURE;
}
