// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/ask_scotch.hpp"

#include <unistd.h>

#include <algorithm>

#include "cli/common/asked_machine.hpp"
#include "cli/inspect/program.hpp"
#include "cli/inspect/text.hpp"
#include "mapping/scotch/scotch_border.hpp"
#include "mapping/text_lines.hpp"

namespace nestbind::cli {

std::string find_scotch(const std::string& library) {
  const std::string program = beside(library, mapping::scotch::kScotchFile);
  return access(program.c_str(), X_OK) == 0 ? program : "";
}

std::optional<std::vector<int>> ask_scotch(const std::string& program, const char* what,
                                           const std::string& problem, std::size_t count,
                                           int most) {
  // With one thread the program gives the same answer each time.
  const std::vector<std::string> environment = {
      "SCOTCH_PTHREAD_NUMBER=1", "LD_LIBRARY_PATH=" + inspect::variable("LD_LIBRARY_PATH")};
  int status = -1;
  const auto answer =
      inspect::answer_of({program, what}, environment, problem, inspect::Errors::kDropped, status);
  if (!answer || status != 0) {
    return std::nullopt;
  }
  auto numbers = mapping::whole_numbers(*answer);
  const bool is_answer = numbers && numbers->size() == count &&
                         std::ranges::all_of(*numbers, [&](int number) { return number <= most; });
  return is_answer ? numbers : std::nullopt;
}

}  // namespace nestbind::cli
