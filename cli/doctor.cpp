// SPDX-License-Identifier: BSD-3-Clause
#include "cli/doctor.hpp"

#include <algorithm>
#include <vector>

#include "cli/elf.hpp"
#include "cli/environment.hpp"
#include "cli/findings.hpp"
#include "cli/hooks.hpp"
#include "cli/llvm_runtime.hpp"
#include "cli/loaded_libraries.hpp"
#include "cli/message.hpp"
#include "cli/openmp_symbols.hpp"
#include "cli/preload.hpp"
#include "cli/program.hpp"
#include "cli/split.hpp"

namespace nestbind::cli {

namespace {

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// What env(1) in a script's first line starts: the first word that is no option or assignment.
std::string started_by_env(const std::string& arguments) {
  for (const std::string& word : split(arguments, " \t")) {
    if (word.front() != '-' && word.find('=') == std::string::npos) {
      return word;
    }
  }
  return {};
}

// Follows scripts to the program that the kernel starts in the end. Empty if there is none.
std::string follow_scripts(std::string path, Findings& findings) {
  // As many as the kernel follows.
  constexpr int kMaxScripts = 5;
  for (int i = 0; i < kMaxScripts; ++i) {
    const Script script = read_script(path);
    if (script.interpreter.empty()) {
      return path;
    }
    const bool is_env = file_name(script.interpreter) == "env";
    const std::string name = is_env ? started_by_env(script.argument) : script.interpreter;
    findings.fact("script",
                  fmt::format("{}: its interpreter {} is what counts, and the programs that it "
                              "starts",
                              path, name));
    const auto found = find_program(name);
    if (!found) {
      findings.problem("the interpreter " + name + " is not there");
      return {};
    }
    path = *found;
  }
  findings.problem("more scripts behind each other than the kernel follows");
  return {};
}

void examine_privileges(const std::string& path, Findings& findings) {
  const Privileges privileges = privileges_of(path);
  const std::string name = name_of(privileges);
  if (!name.empty()) {
    findings.problem(
        name + ": the loader ignores LD_PRELOAD for it" +
        (privileges.concerns_caller ? "" : ", except for you, who gain nothing by it"));
  }
}

void examine_sanitizers(const ElfFile& program, const std::vector<LoadedLibrary>& libraries,
                        Findings& findings) {
  for (const LoadedLibrary& library : libraries) {
    if (is_sanitizer(library.name)) {
      findings.fact("sanitizer", library.name +
                                     ": must be the first library; nestbind run keeps it "
                                     "before the preload");
    }
  }
  if (program.does_define("__asan_init") || program.does_define("__tsan_init")) {
    findings.fact("sanitizer", "linked statically");
  }
}

bool is_static(const ElfFile& file) { return file.interpreter.empty(); }

bool examine_kind(const ElfFile& file, Findings& findings) {
  switch (file.kind) {
    case ElfFile::Kind::kUnreadable:
      findings.problem("cannot be read: " + file.fault);
      return false;
    case ElfFile::Kind::kNotElf:
      findings.problem("neither a program nor a script with an interpreter");
      return false;
    case ElfFile::Kind::kForeign:
      findings.problem("built for another architecture than this command and its library");
      return false;
    case ElfFile::Kind::kElf:
      break;
  }
  if (is_static(file)) {
    findings.problem(
        "a static program: there is no loader that could preload anything; link it "
        "dynamically");
    return false;
  }
  if (file_name(file.interpreter).starts_with("ld-musl")) {
    findings.problem("built for musl (" + file.interpreter + "); the library needs glibc");
    return false;
  }
  return true;
}

// Whether a program of GCC's could also run on LLVM's runtime.
void examine_on_llvm(const std::string& path, const ElfFile& program,
                     const std::vector<LoadedLibrary>& libraries, Findings& findings) {
  if (std::none_of(libraries.begin(), libraries.end(), [](const LoadedLibrary& library) {
        return maker_of(library.file) == Maker::kGnu;
      })) {
    return;
  }
  std::string why;
  if (const auto runtime = find_llvm_runtime("", why)) {
    prefer(*runtime);
    why = examine_on_llvm(path, program, *runtime).obstacle;
    if (why.empty()) {
      findings.fact("llvm", "can run on LLVM's runtime too, " + runtime->file +
                                ": nestbind run --runtime=llvm");
      return;
    }
  }
  findings.fact("llvm", "cannot run on LLVM's runtime: " + why);
}

Forks examine_program(const std::string& path, bool is_interpreter, Findings& findings) {
  const ElfFile file = read_elf(path, SymbolTables::kAll, is_openmp_symbol);
  examine_privileges(path, findings);
  if (!examine_kind(file, findings)) {
    return Forks::kUnseen;
  }
  std::vector<LoadedLibrary> libraries;
  std::string fault;
  if (!list_libraries(path, libraries, fault)) {
    findings.problem("its libraries cannot be listed: " + fault);
    return Forks::kUnseen;
  }
  for (const LoadedLibrary& library : libraries) {
    if (library.path.empty()) {
      findings.problem("the program does not start: " + library.name + " is not found");
    }
  }
  examine_sanitizers(file, libraries, findings);
  const Forks forks = examine_hooks(file, is_interpreter, libraries, findings);
  examine_on_llvm(path, file, libraries, findings);
  return forks;
}

std::string verdict(const Findings& findings, Forks forks, const std::string& program) {
  if (findings.has_problem()) {
    return "the program will not be bound";
  }
  return std::string(forks == Forks::kSeen ? "binding will work" : "nothing prevents binding") +
         ": nestbind run SPEC -- " + program;
}

void print(const Findings& findings) {
  std::size_t width = 0;
  for (const Findings::Line& line : findings.lines()) {
    width = std::max(width, line.topic.size());
  }
  for (const Findings::Line& line : findings.lines()) {
    std::string topic = line.topic;
    for (const std::string& text : split(line.text, "\n")) {
      fmt::print("{:<{}}  {}\n", topic, width, text);
      topic.clear();
    }
  }
}

}  // namespace

int doctor_command(const DoctorOptions& options) {
  const auto found = find_program(options.program);
  if (!found) {
    say("{}: no such program", options.program);
    return kFailure;
  }
  Findings findings;
  findings.fact("program", *found);
  const std::string path = follow_scripts(*found, findings);
  const bool is_script = path != *found;
  const Forks forks = path.empty() ? Forks::kUnseen : examine_program(path, is_script, findings);
  if (const auto library = find_library(options.library)) {
    findings.fact("library", *library);
  } else {
    findings.problem("libnestbind.so is not found");
  }
  examine_environment(findings);
  findings.fact("verdict", verdict(findings, forks, options.program));
  print(findings);
  return findings.has_problem() ? kFailure : kSuccess;
}

}  // namespace nestbind::cli
