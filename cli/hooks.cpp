// SPDX-License-Identifier: BSD-3-Clause
#include "cli/hooks.hpp"

#include <algorithm>
#include <cstdlib>

#include "cli/environment.hpp"
#include "cli/openmp_symbols.hpp"

namespace nestbind::cli {

namespace {

bool is_nestbind(const LoadedLibrary& library) {
  return library.file.does_export("omp_set_nesting_info") ||
         library.file.soname.starts_with("libnestbind.so");
}

// Calls on the way to a runtime that something in the process makes.
struct Calls {
  bool gomp = false;
  bool pomp = false;
  bool pomp2 = false;
  bool dlopen = false;
};

bool is_system_library(const std::string& name) {
  return name.starts_with("libc.so") || name.starts_with("libdl.so") || name.starts_with("/");
}

Calls calls_of(const ElfFile& program, const std::vector<LoadedLibrary>& libraries) {
  Calls calls;
  const auto add = [&](const ElfFile& file) {
    calls.gomp = calls.gomp || uses_gomp(file) == Uses::kImports;
    calls.pomp = calls.pomp || uses_pomp(file) == Uses::kImports;
    calls.pomp2 = calls.pomp2 || uses_pomp2(file) == Uses::kImports;
  };
  add(program);
  calls.dlopen = program.does_import("dlopen");
  for (const LoadedLibrary& library : libraries) {
    add(library.file);
    // An interpreter may be one library with a small program before it.
    const bool is_needed = std::find(program.needed.begin(), program.needed.end(), library.name) !=
                           program.needed.end();
    if (is_needed && !is_system_library(library.name)) {
      calls.dlopen = calls.dlopen || library.file.does_import("dlopen");
    }
  }
  return calls;
}

// What the program itself contains, which no preload reaches.
void examine_contained(const ElfFile& program, Findings& findings, bool& has_runtime) {
  if (uses_gomp(program) == Uses::kDefines) {
    has_runtime = true;
    findings.fact("runtime",
                  "GCC's, linked statically (libgomp.a): its forks cannot be seen; "
                  "instrumented by OPARI they can");
  }
  if (uses_kmpc(program) == Uses::kDefines) {
    has_runtime = true;
    findings.fact("runtime",
                  "LLVM's or Intel's, linked statically: it looks for a tool as the "
                  "shared one does");
  }
  if (uses_pomp(program) == Uses::kDefines) {
    findings.fact("note",
                  "instrumented by OPARI 1 on a static libpomp, which cannot be replaced; "
                  "link a shared one");
  }
  if (uses_pomp2(program) == Uses::kDefines) {
    findings.fact("note",
                  "instrumented by OPARI2 on its own static library, which cannot be "
                  "replaced; link nestbind's shared one instead");
  }
}

struct Runtimes {
  int gnu = 0;
  int llvm = 0;
  int tool_interfaces = 0;
  bool nestbind_is_behind = false;  // linked behind libgomp
};

Runtimes examine_runtimes(const std::vector<LoadedLibrary>& libraries, Findings& findings) {
  Runtimes runtimes;
  for (const LoadedLibrary& library : libraries) {
    const Maker maker = maker_of(library.file);
    const std::string name =
        library.name == library.path ? library.path : library.name + " (" + library.path + ")";
    if (is_nestbind(library)) {
      findings.fact("nestbind", name + (runtimes.gnu > 0 ? ", loaded behind GCC's runtime" : ""));
      runtimes.nestbind_is_behind = runtimes.gnu > 0;
    } else if (maker == Maker::kGnu) {
      ++runtimes.gnu;
      findings.fact("runtime", "GCC's, " + name);
    } else if (maker == Maker::kLlvm) {
      ++runtimes.llvm;
      const bool has_tools = library.file.does_export("ompt_start_tool");
      runtimes.tool_interfaces += has_tools ? 1 : 0;
      findings.fact(
          "runtime",
          std::string(library.file.soname.starts_with("libiomp") ? "Intel's, " : "LLVM's, ") +
              name + (has_tools ? "" : ", built without OMPT"));
    }
  }
  if (runtimes.gnu + runtimes.llvm > 1) {
    findings.fact("note",
                  "more than one OpenMP runtime is loaded; each has its threads and settings");
  }
  if (runtimes.llvm > 0 && std::getenv("KMP_HOT_TEAMS_MAX_LEVEL") == nullptr) {
    findings.fact("note",
                  "this runtime keeps the threads of inner teams only with "
                  "KMP_HOT_TEAMS_MAX_LEVEL=2 (or more, for more levels); nestbind run sets it");
  }
  if (runtimes.nestbind_is_behind) {
    findings.fact("note",
                  "libnestbind linked behind the runtime sees none of its forks: link it "
                  "before, or start the program with nestbind run");
  }
  return runtimes;
}

void say_hooks(const std::vector<std::string>& hooks, Findings& findings) {
  std::string names;
  for (const std::string& hook : hooks) {
    names += (names.empty() ? "" : ", ") + hook;
  }
  findings.fact("hook", names.empty() ? "none" : names);
}

}  // namespace

Forks examine_hooks(const ElfFile& program, bool is_interpreter,
                    const std::vector<LoadedLibrary>& libraries, Findings& findings) {
  bool has_runtime = false;
  examine_contained(program, findings, has_runtime);
  const bool contains_llvm = uses_kmpc(program) == Uses::kDefines;
  const Runtimes runtimes = examine_runtimes(libraries, findings);
  const Calls calls = calls_of(program, libraries);
  const bool has_tool_interface = runtimes.tool_interfaces > 0 || contains_llvm;
  has_runtime = has_runtime || runtimes.gnu + runtimes.llvm > 0;

  std::vector<std::string> hooks;
  if (runtimes.gnu > 0 && (calls.gomp || calls.dlopen)) {
    hooks.emplace_back("GOMP");
  }
  if (has_tool_interface && !tools_are_disabled()) {
    hooks.emplace_back("OMPT");
  }
  // An instrumented program's own calls stand back where the runtime reports the fork.
  const char* stands_back = hooks.empty() ? "" : " (stands back)";
  if (calls.pomp) {
    hooks.push_back(std::string("POMP") + stands_back);
  }
  if (calls.pomp2) {
    hooks.push_back(std::string("POMP2") + stands_back);
  }
  if (!has_runtime) {
    findings.fact("runtime", "none");
  }
  say_hooks(hooks, findings);
  if (!hooks.empty()) {
    return Forks::kSeen;
  }
  if (has_tool_interface) {
    findings.problem(
        "OMP_TOOL=disabled: the runtime will start no tool, and there is no other hook");
  } else if (has_runtime) {
    findings.problem("no hook sees the forks of this runtime");
  } else if (calls.dlopen) {
    findings.fact("note", "a runtime that the program loads later is hooked then (GOMP, OMPT)");
    return Forks::kUnknown;
  } else if (is_interpreter) {
    findings.fact("note",
                  "the interpreter has no OpenMP; programs that the script starts inherit "
                  "the preload: ask about them");
    return Forks::kUnknown;
  } else {
    findings.problem("the program has no OpenMP runtime, and loads none");
  }
  return Forks::kUnseen;
}

}  // namespace nestbind::cli
