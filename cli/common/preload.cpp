// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/preload.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "cli/common/say.hpp"
#include "cli/inspect/elf.hpp"
#include "cli/inspect/openmp_symbols.hpp"
#include "cli/inspect/text.hpp"
#include "options/said_sizes.hpp"
#include "show/texts.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::cli {

namespace {

std::string own_directory() {
  std::error_code unknown;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", unknown);
  return unknown ? "." : path.parent_path().string();
}

std::vector<std::string> candidates() {
  const std::string here = own_directory();
  std::vector<std::string> paths;
  // The library is installed, or in the build tree, or beside the command. Its name ends in ".0" if
  // the development files are not installed.
  for (const char* directory : {NESTBIND_LIBDIR, "../lib", "."}) {
    for (const char* suffix : {"", ".0"}) {
      paths.push_back(here + "/" + directory + "/" + std::string(kLibraryFile) + suffix);
    }
  }
  return paths;
}

bool is_nestbind(const std::string& path) {
  const auto file =
      inspect::read_elf(path, inspect::SymbolTables::kDynamic, inspect::is_openmp_symbol);
  return file.kind == inspect::ElfFile::Kind::kElf && file.does_export("omp_set_nesting_info");
}

std::string working_folder() {
  std::error_code unknown;
  return std::filesystem::current_path(unknown).string();
}

void put(const char* name, const std::string& value) {
  if (!value.empty()) {
    setenv(name, value.c_str(), 1);
  }
}

// LLVM's and Intel's runtimes then reuse the threads of inner teams. GCC's runtime ignores the
// variable. The variable is set for every program, because a program may load LLVM's runtime later.
// One level is these runtimes' default. The word "auto" does not ask for nested teams: with more
// levels, libomp 19 crashes some programs whose root threads fork teams of changing sizes, also
// without nestbind.
void keep_llvm_teams(const Binding& binding) {
  constexpr int kUnlessSet = 0;
  const bool asks = binding.spec != nullptr && !binding.spec->is_auto;
  const int levels = std::max(binding.levels, asks ? binding.spec->levels : 0);
  if (levels < 2) {
    return;
  }
  setenv("KMP_HOT_TEAMS_MAX_LEVEL", std::to_string(levels).c_str(), kUnlessSet);
}

// Says the sizes in the program's environment, where each thread, each child process and each
// caller sees them.
void say_sizes_of(const spec::Spec& spec, int first, bool sets) {
  options::UsersValue room;
  const char* const users = options::users_value("OMP_MAX_ACTIVE_LEVELS", room);
  const int size = spec.level[0].size > 0 ? spec.level[0].size : first;
  const int levels = spec::levels_to_set(spec, users == nullptr ? 1 : std::atoi(users));
  options::say_sizes(sets ? size : 0, sets ? levels : 0, true);
}

}  // namespace

std::optional<std::string> find_library(const std::string& asked) {
  const std::vector<std::string> paths = asked.empty() ? candidates() : std::vector{asked};
  for (const std::string& path : paths) {
    std::error_code unknown;
    const std::string found = std::filesystem::canonical(path, unknown).string();
    if (unknown || access(path.c_str(), R_OK) != 0) {
      continue;
    }
    if (found.find_first_of(support::kPreloadSeparators) != std::string::npos) {
      say("{}: {}", found, support::kBlankInPath);
      return std::nullopt;
    }
    if (!is_nestbind(found)) {
      say("{}: not nestbind's library", found);
      return std::nullopt;
    }
    return found;
  }
  if (asked.empty()) {
    say("{} is neither in {} nor beside this command; --library PATH names another", kLibraryFile,
        own_directory() + "/" + NESTBIND_LIBDIR);
  } else {
    say("{}: no such library", asked);
  }
  return std::nullopt;
}

std::string needed_sanitizer(const std::vector<std::string>& needed) {
  const auto found = std::find_if(needed.begin(), needed.end(), is_sanitizer);
  return found == needed.end() ? "" : *found;
}

std::string name_from_root(const std::string& machine) {
  return access(machine.c_str(), F_OK) == 0 ? support::absolute_path(working_folder(), machine)
                                            : machine;
}

void set_variables(const Binding& binding) {
  put("LD_PRELOAD",
      preload_with(inspect::variable("LD_PRELOAD"), binding.library, binding.sanitizer));
  if (binding.spec != nullptr) {
    put(options::kSpecification, show::canonical(*binding.spec));
  }
  keep_llvm_teams(binding);
  unsetenv(options::kTable[options::kStarted].rule.name);
  auto values = binding.values;
  values[options::kRun].clear();
  const std::string folder = working_folder();
  values[options::kReport] = support::with_absolute_file(folder, values[options::kReport]);
  values[options::kOrder] = support::absolute_path(folder, values[options::kOrder]);
  values[options::kTraffic] = support::absolute_path(folder, values[options::kTraffic]);
  values[options::kMachine] = name_from_root(values[options::kMachine]);
  for (int i = 0; i < options::kVariables; ++i) {
    put(options::kTable[i].rule.name, values[i]);
  }
  if (binding.spec != nullptr) {
    say_sizes_of(*binding.spec, binding.first_size, values[options::kTeamSizes] != "ignore");
  }
}

}  // namespace nestbind::cli
