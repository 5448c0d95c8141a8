// SPDX-License-Identifier: BSD-3-Clause
#include "cli/run.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "cli/elf.hpp"
#include "cli/environment.hpp"
#include "cli/message.hpp"
#include "cli/openmp_symbols.hpp"
#include "cli/preload.hpp"
#include "cli/processors.hpp"
#include "cli/program.hpp"
#include "cli/runtime_choice.hpp"
#include "cli/specification.hpp"
#include "cli/topology.hpp"

namespace nestbind::cli {

namespace {

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

// Reading the machine takes longer than all the rest: only where the specification cannot do
// without, or where the user may have misspelt it.
bool machine_is_readable(const std::string& library, const std::string& source, bool is_needed) {
  if (source.empty() && !is_needed) {
    return true;
  }
  try {
    read_topology(library, source, source.empty() ? own_processors() : std::nullopt);
    return true;
  } catch (const machine::Unreadable& fault) {
    say("{}", fault.what());
    return false;
  }
}

constexpr char kContainsRuntime[] =
    "contains GCC's OpenMP runtime (libgomp.a), whose forks a preload cannot see";

// Why a preloaded library cannot bind this program; empty if it can, or if that cannot be told.
std::string obstacle(const std::string& path, const ElfFile& file) {
  if (file.kind == ElfFile::Kind::kForeign) {
    return "is built for another architecture than this library";
  }
  if (file.kind != ElfFile::Kind::kElf) {
    return {};
  }
  if (file.interpreter.empty()) {
    return "is a static program, which preloads nothing";
  }
  const Privileges privileges = privileges_of(path);
  if (privileges.concerns_caller) {
    return "is " + name_of(privileges) + ", for which the loader ignores preloads";
  }
  const bool is_instrumented =
      uses_pomp(file) == Uses::kImports || uses_pomp2(file) == Uses::kImports;
  if (uses_gomp(file) == Uses::kDefines && !is_instrumented) {
    return kContainsRuntime;
  }
  const bool is_llvm_only = uses_kmpc(file) != Uses::kNo && uses_gomp(file) == Uses::kNo;
  if (is_llvm_only && !is_instrumented && tools_are_disabled()) {
    return "is for LLVM's or Intel's runtime, which starts no tool with OMP_TOOL=disabled";
  }
  return {};
}

// The dynamic tables, which are small, tell all that is to be known of most programs.
ElfFile read_program(const std::string& path) {
  ElfFile file = read_elf(path, SymbolTables::kDynamic, is_openmp_symbol);
  const bool may_contain_runtime = uses_gomp(file) == Uses::kNo && uses_kmpc(file) == Uses::kNo;
  if (file.kind == ElfFile::Kind::kElf && !file.interpreter.empty() && may_contain_runtime) {
    file = read_elf(path, SymbolTables::kAll, is_openmp_symbol);
  }
  return file;
}

// Whether the program is to be started: one that cannot be bound is, with a warning, but not on a
// runtime that was asked for in vain.
bool may_start(const std::string& name, const std::string& path, const ElfFile& file,
               const RuntimeChoice& runtime, bool is_strict) {
  std::string why = obstacle(path, file);
  if (why.empty() && runtime.is_llvm && uses_gomp(file) == Uses::kDefines) {
    why = kContainsRuntime;
  }
  if (why.empty()) {
    return !runtime.is_llvm || put_llvm_in_place(name, path, file, runtime);
  }
  if (runtime.is_llvm) {
    say("{} cannot run on LLVM's runtime: it {}", name, why);
    return false;
  }
  if (is_strict) {
    say("{} {}: it is not started (--strict)", name, why);
    return false;
  }
  warn("{} {}: it will run unbound", name, why);
  return true;
}

// LLVM's and Intel's runtimes keep the threads of inner teams only down to a level that they are
// told, and GCC's does not look. Whatever the program is, it may load or start what uses them.
void keep_llvm_teams(int levels) {
  constexpr int kUnlessSet = 0;
  setenv("KMP_HOT_TEAMS_MAX_LEVEL", std::to_string(levels).c_str(), kUnlessSet);
}

int execute(const std::vector<std::string>& program) {
  std::vector<char*> arguments;
  arguments.reserve(program.size() + 1);
  for (const std::string& argument : program) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const int error = errno;
  const bool is_path = program[0].find('/') != std::string::npos;
  say("{}: {}", program[0],
      error == ENOENT && !is_path ? "command not found" : std::strerror(error));
  return error == ENOENT ? kNotFound : kCannotExecute;
}

}  // namespace

int run_command(const RunOptions& options) {
  spec::Spec spec;
  RuntimeChoice runtime;
  if (!read_specification(options.spec, spec) || !read_runtime(options.runtime, runtime)) {
    return kUsage;
  }
  auto values = options.values;
  std::string& machine = values[options::kMachine];
  const auto library = find_library(options.library);
  if (!library || !machine_is_readable(*library, machine, is_symbolic(spec))) {
    return kFailure;
  }
  std::string sanitizer;
  if (const auto path = find_program(options.program[0])) {
    const ElfFile file = read_program(*path);
    if (!may_start(options.program[0], *path, file, runtime, values[options::kStrict] == "1")) {
      return runtime.is_llvm ? kFailure : kStrict;
    }
    const auto needed = std::find_if(file.needed.begin(), file.needed.end(), is_sanitizer);
    sanitizer = needed == file.needed.end() ? "" : *needed;
  }
  const char* preload = std::getenv("LD_PRELOAD");
  put("LD_PRELOAD", preload_with(preload == nullptr ? "" : preload, *library, sanitizer));
  put(options::kSpecification, canonical(spec));
  keep_llvm_teams(spec.levels);
  values[options::kReport] = absolute_report(values[options::kReport]);
  machine = access(machine.c_str(), F_OK) == 0 ? absolute(machine) : machine;
  for (int i = 0; i < options::kVariables; ++i) {
    put(options::kTable[i].rule.name, values[i]);
  }
  return execute(options.program);
}

}  // namespace nestbind::cli
