// SPDX-License-Identifier: BSD-3-Clause
#include "cli/cache.hpp"

#include <unistd.h>

#include <string>

#include "cli/environment.hpp"
#include "cli/inspect/text.hpp"
#include "machine/cache/cache.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

void examine_cache(Findings& findings) {
  const std::string setting = inspect::variable("NESTBIND_CACHE");
  if (!setting.empty() && !fault_of(options::kTable[options::kCache].rule, setting).empty()) {
    return;  // a problem, of which examine_environment tells
  }
  const std::string folder = setting.empty() ? inspect::variable("XDG_RUNTIME_DIR") : setting;
  if (setting == "off") {
    findings.fact("cache", "none: NESTBIND_CACHE=off; each process that forks reads the machine");
  } else if (folder.empty()) {
    findings.fact("cache",
                  "none: each process that forks reads the machine, some milliseconds; without "
                  "XDG_RUNTIME_DIR, NESTBIND_CACHE=FOLDER keeps it");
  } else if (!setting.empty() && access(folder.c_str(), F_OK) != 0) {
    findings.fact("cache", "the machine will be kept in " + folder +
                               ", which the first process that forks makes");
  } else if (!machine::cache::Folder::open(setting.empty() ? nullptr : setting.c_str())
                  .is_usable() ||
             !machine::cache::key_of_this_process("doctor")) {
    findings.fact("cache", "none: " + folder +
                               " is not a folder that this user alone can write to, or a variable "
                               "HWLOC_* is set; each process that forks reads the machine");
  } else {
    findings.fact("cache", "the machine is kept in " + folder + " for the next process");
  }
}

}  // namespace nestbind::cli
