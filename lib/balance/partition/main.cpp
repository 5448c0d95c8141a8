// SPDX-License-Identifier: BSD-3-Clause
// nestbind-partition-scotch and nestbind-partition-metis: see border.hpp. Which of them it is says
// NESTBIND_PARTITIONER. Exit status 0 with an answer, otherwise 1.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "balance/partition/border.hpp"
#include "balance/partition/request.hpp"
#include "support/asked_program.hpp"

namespace {

namespace partition = nestbind::balance::partition;

// METIS prints to the standard output what it has to complain of. Null where there is none.
std::FILE* keep_output() {
  const int kept = dup(STDOUT_FILENO);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  const bool is_kept = kept >= 0 && nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0;
  return is_kept ? fdopen(kept, "w") : nullptr;
}

int answer() {
  std::FILE* const output = keep_output();
  if (output == nullptr) {
    return EXIT_FAILURE;
  }
  const auto request = partition::parse(nestbind::support::all_input());
  const auto parts = request ? partition::NESTBIND_PARTITIONER(*request) : std::nullopt;
  for (std::size_t i = 0; parts && i < parts->size(); ++i) {
    std::fprintf(output, "%d\n", (*parts)[i]);
  }
  return std::fclose(output) == 0 && parts ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() try {
  nestbind::support::limit_process(partition::kSeconds);
  return answer();
} catch (const std::exception&) {
  return EXIT_FAILURE;
}
