// SPDX-License-Identifier: BSD-3-Clause
// nestbind-partition-scotch and nestbind-partition-metis: see border.hpp. Which of them it is says
// NESTBIND_PARTITIONER. Exit status 0 with an answer, otherwise 1.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "balance/partition/border.hpp"
#include "balance/partition/request.hpp"

namespace {

namespace partition = nestbind::balance::partition;

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
  const auto request = partition::parse(all_input());
  const auto parts = request ? partition::NESTBIND_PARTITIONER(*request) : std::nullopt;
  for (std::size_t i = 0; parts && i < parts->size(); ++i) {
    std::fprintf(output, "%d\n", (*parts)[i]);
  }
  return std::fclose(output) == 0 && parts ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() try {
  const rlimit time{partition::kSeconds, partition::kSeconds};
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CPU, &time);
  setrlimit(RLIMIT_CORE, &no_core);
  return answer();
} catch (const std::exception&) {
  return EXIT_FAILURE;
}
