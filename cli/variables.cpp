// SPDX-License-Identifier: BSD-3-Clause
#include "cli/variables.hpp"

#include <unistd.h>

#include <climits>
#include <cstdlib>

#include "cli/inspect/text.hpp"
#include "cli/preload.hpp"
#include "show/canonical.hpp"
#include "support/absolute_path.hpp"

namespace nestbind::cli {

namespace {

// The folder that this command was started in; empty if it cannot be told.
std::string working_folder() {
  char directory[PATH_MAX];
  return getcwd(directory, sizeof directory) == nullptr ? "" : directory;
}

void put(const char* name, const std::string& value) {
  if (!value.empty()) {
    setenv(name, value.c_str(), 1);
  }
}

// LLVM's and Intel's runtimes keep the threads of inner teams only down to a level that they are
// told, and GCC's does not look. Whatever the program is, it may load or start what uses them.
void keep_llvm_teams(int levels) {
  constexpr int kUnlessSet = 0;
  if (levels == 0) {  // "off"
    return;
  }
  setenv("KMP_HOT_TEAMS_MAX_LEVEL", std::to_string(levels).c_str(), kUnlessSet);
}

}  // namespace

void set_variables(const Binding& binding) {
  put("LD_PRELOAD",
      preload_with(inspect::variable("LD_PRELOAD"), binding.library, binding.sanitizer));
  if (binding.spec != nullptr) {
    put(options::kSpecification, show::canonical(*binding.spec));
    keep_llvm_teams(binding.spec->levels);
  }
  unsetenv(options::kOwnThreads);  // here the user says what is to be
  auto values = binding.values;
  values[options::kOwn].clear();
  const std::string folder = working_folder();
  for (const options::Variable variable : {options::kReport, options::kMemory}) {
    values[variable] = support::with_absolute_file(folder, values[variable]);
  }
  values[options::kOrder] = support::absolute_path(folder, values[options::kOrder]);
  std::string& machine = values[options::kMachine];
  machine = access(machine.c_str(), F_OK) == 0 ? support::absolute_path(folder, machine) : machine;
  for (int i = 0; i < options::kVariables; ++i) {
    put(options::kTable[i].rule.name, values[i]);
  }
}

}  // namespace nestbind::cli
