// SPDX-License-Identifier: BSD-3-Clause
#include "cli/variables.hpp"

#include <unistd.h>

#include <climits>
#include <cstdlib>

#include "cli/inspect/text.hpp"
#include "cli/preload.hpp"
#include "show/canonical.hpp"

namespace nestbind::cli {

namespace {

// A path of the caller's, for programs that may go to another directory before they use it. Empty
// for an empty one.
std::string absolute(const std::string& path) {
  char directory[PATH_MAX];
  if (path.empty() || path.front() == '/' || getcwd(directory, sizeof directory) == nullptr) {
    return path;
  }
  return std::string(directory) + "/" + path;
}

std::string absolute_report(const std::string& report) {
  const auto colon = report.find(':');
  return colon == std::string::npos
             ? report
             : report.substr(0, colon + 1) + absolute(report.substr(colon + 1));
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
  values[options::kReport] = absolute_report(values[options::kReport]);
  values[options::kMemory] = absolute_report(values[options::kMemory]);
  values[options::kOrder] = absolute(values[options::kOrder]);
  std::string& machine = values[options::kMachine];
  machine = access(machine.c_str(), F_OK) == 0 ? absolute(machine) : machine;
  for (int i = 0; i < options::kVariables; ++i) {
    put(options::kTable[i].rule.name, values[i]);
  }
}

}  // namespace nestbind::cli
