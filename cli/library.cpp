// SPDX-License-Identifier: BSD-3-Clause
#include "cli/library.hpp"

#include "cli/preload.hpp"

namespace nestbind::cli {

bool examine_library(const std::string& asked, bool program_has_one, Findings& findings) {
  const auto library = find_library(asked);
  const std::string missing =
      asked.empty() ? std::string(kLibraryFile) + " is not found" : asked + " cannot be preloaded";
  if (library) {
    findings.fact("library", *library);
  } else if (program_has_one) {
    findings.fact("library", missing +
                                 ": nestbind run does not start; the program loads one by itself, "
                                 "which binds by OMP_NESTING_TEAM_SIZE");
  } else {
    findings.problem(missing);
  }
  return library.has_value();
}

}  // namespace nestbind::cli
