// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/starting.hpp"

#include <glob.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "cli/common/own_folder.hpp"
#include "cli/common/say.hpp"
#include "cli/inspect/elf.hpp"
#include "cli/inspect/loaded_libraries.hpp"
#include "cli/inspect/openmp_symbols.hpp"
#include "cli/inspect/program.hpp"
#include "cli/inspect/text.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::cli {

namespace {

std::string found_by_loader() {
  std::string path;
  for (const char* name : {"libomp.so.5", "libomp.so"}) {
    path = path.empty() ? inspect::find_library_file(name) : path;
  }
  return path;
}

// Returns the newest libomp in the folders in which distributions keep several versions of LLVM.
std::string found_in_llvm_folders() {
  glob_t matches{};
  int flags = 0;
  for (const char* pattern : {"/usr/lib/llvm-*/lib/libomp.so.5", "/usr/lib/llvm-*/lib/libomp.so",
                              "/usr/lib64/llvm*/lib*/libomp.so"}) {
    glob(pattern, flags, nullptr, &matches);
    flags = GLOB_APPEND;
  }
  const auto is_older = [](const char* a, const char* b) { return strverscmp(a, b) < 0; };
  char** end = matches.gl_pathv + matches.gl_pathc;
  char** newest = std::max_element(matches.gl_pathv, end, is_older);
  std::string path = newest == end ? "" : *newest;
  globfree(&matches);
  return path;
}

std::string find_file(const std::string& asked) {
  std::string path = asked.empty() ? found_by_loader() : asked;
  path = path.empty() ? found_in_llvm_folders() : path;
  // The path may be a link that an outer `nestbind run` has made.
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) == nullptr ? path : resolved;
}

using Kind = inspect::Problem::Kind;

// Problems, the most important first. Only a program's first problem is reported. kUnreadable needs
// no message: the kernel reports the file. kNotElf needs no message: the file is a script.
constexpr Kind kObstacles[] = {
    Kind::kUnreadable, Kind::kNotElf,     Kind::kForeign,   Kind::kLibrary,     Kind::kStatic,
    Kind::kMusl,       Kind::kPrivileged, Kind::kContained, Kind::kUnreachable, Kind::kNoTools,
};

std::string obstacle_of(const inspect::Facts& facts) {
  const auto problems = judge(facts).problems;
  for (const Kind kind : kObstacles) {
    const auto found = std::ranges::find(problems, kind, &inspect::Problem::kind);
    if (found != problems.end()) {
      return kind == Kind::kUnreadable || kind == Kind::kNotElf ? "" : words_of(*found);
    }
  }
  return {};
}

// Whether the library will report the problem, in the process and in programs that it starts.
bool is_told_inside(const inspect::Facts& facts) {
  const auto problems = judge(facts).problems;
  return !problems.empty() && std::ranges::all_of(problems, [](const inspect::Problem& problem) {
    return problem.kind == Kind::kContained || problem.kind == Kind::kNoTools;
  });
}

std::optional<LlvmRuntime> prefer_llvm(const RuntimeChoice& choice) {
  std::string fault;
  auto runtime = find_llvm_runtime(choice.file, fault);
  if (!runtime) {
    say("--runtime=llvm: {}", fault);
    return std::nullopt;
  }
  prefer(*runtime);
  setenv("NESTBIND_RUNTIME", "llvm", 1);
  return runtime;
}

// Whether env(1) is asked to begin with an empty environment.
bool empties(const std::vector<std::string>& words) {
  for (std::size_t i = 1; i < words.size() && words[i].starts_with('-'); ++i) {
    const std::string& word = words[i];
    const bool is_long = word.starts_with("--");
    // The options u, C and S have a value, in this word or in the next one.
    const std::size_t letter = is_long ? word.npos : word.find_first_of("iuCS");
    if (word == "-" || word.starts_with("--i") || (letter < word.size() && word[letter] == 'i')) {
      return true;
    }
    i += letter + 1 == word.size() || word == "--unset" || word == "--chdir" ? 1 : 0;
  }
  return false;
}

bool loses_environment(const std::vector<std::string>& program) {
  constexpr std::string_view kElsewhere[] = {"sudo",   "doas",   "ssh",
                                             "docker", "podman", "systemd-run"};
  const std::string_view name = inspect::file_name(program[0]);
  return name == "env" ? empties(program) : std::ranges::count(kElsewhere, name) > 0;
}

std::string words_of(int error, const std::string& file) {
  const std::string starter = error == ENOENT ? inspect::starter_of(file) : "";
  return starter.empty() ? std::strerror(error)
                         : "its interpreter or loader is missing: " + starter;
}

}  // namespace

std::optional<LlvmRuntime> find_llvm_runtime(const std::string& asked, std::string& fault) {
  LlvmRuntime runtime{find_file(asked), {}};
  if (runtime.file.empty()) {
    fault =
        "there is no libomp.so.5 on this machine (Debian: libomp5); name one by "
        "--runtime=llvm:FILE";
    return std::nullopt;
  }
  const inspect::ElfFile file =
      inspect::read_elf(runtime.file, inspect::SymbolTables::kDynamic, inspect::is_openmp_symbol);
  fault = inspect::fault_of_llvm(runtime.file, file);
  if (!fault.empty()) {
    return std::nullopt;
  }
  // Each runtime file has its own folder, whose name is made of the file's path.
  std::string name = "llvm" + runtime.file;
  std::replace(name.begin(), name.end(), '/', '!');
  const auto folder = own_folder(name, fault);
  if (!folder || !make_link(*folder, inspect::kGnuFile, runtime.file, fault)) {
    return std::nullopt;
  }
  if (!file.soname.empty() && file.soname.find('/') == std::string::npos &&
      !make_link(*folder, file.soname, runtime.file, fault)) {
    return std::nullopt;
  }
  runtime.folder = *folder;
  return runtime;
}

void prefer(const LlvmRuntime& runtime) {
  const std::string before = inspect::variable("LD_LIBRARY_PATH");
  setenv("LD_LIBRARY_PATH", (runtime.folder + (before.empty() ? "" : ":" + before)).c_str(), 1);
}

bool read_runtime(const std::string& text, RuntimeChoice& choice) {
  constexpr std::string_view kLlvmFile = "llvm:";
  choice.is_llvm = text == "llvm" || text.starts_with(kLlvmFile);
  choice.file = text.starts_with(kLlvmFile) ? text.substr(kLlvmFile.size()) : "";
  const bool is_good = text.empty() || text == "native" || (choice.is_llvm && text != kLlvmFile);
  if (!is_good) {
    say("--runtime {}: expected native, llvm or llvm:FILE", text);
  }
  return is_good;
}

bool put_llvm_in_place(const RuntimeChoice& choice) { return prefer_llvm(choice).has_value(); }

bool put_llvm_in_place(const std::string& name, const std::string& path,
                       const inspect::ElfFile& program, const RuntimeChoice& choice) {
  const auto runtime = prefer_llvm(choice);
  if (!runtime) {
    return false;
  }
  inspect::LlvmVerdict verdict;
  // A script is not checked, because its interpreter may start any program.
  if (program.kind == inspect::ElfFile::Kind::kElf) {
    verdict =
        judge_on_llvm(path, program, list_libraries(path, program, inspect::own_loader_variables()),
                      runtime->folder);
  }
  if (!verdict.obstacle.empty()) {
    say("{} cannot run on LLVM's runtime, {}: {}", name, runtime->file, verdict.obstacle);
    return false;
  }
  if (!verdict.is_checked) {
    warn(
        "{} starts without an OpenMP runtime: libraries and programs that it loads later get "
        "LLVM's runtime, and nestbind does not check them",
        name);
  }
  return true;
}

std::string obstacle(const std::vector<std::string>& program, const inspect::Facts& facts,
                     const RuntimeChoice& runtime) {
  if (loses_environment(program)) {
    return "does not pass nestbind's variables to what it starts (but it can start nestbind run)";
  }
  const std::string why = obstacle_of(facts);
  const bool contains_gomp = uses_gomp(facts.file) == inspect::Uses::kDefines;
  return why.empty() && runtime.is_llvm && contains_gomp ? support::kContainsRuntime : why;
}

bool may_start(const std::vector<std::string>& program, const std::string& path,
               const inspect::Facts& facts, const RuntimeChoice& runtime, bool is_strict,
               bool is_started) {
  const std::string& name = program[0];
  const std::string why = obstacle(program, facts, runtime);
  if (why.empty() && runtime.is_llvm) {
    return put_llvm_in_place(name, path, facts.file, runtime);
  }
  if (why.empty()) {
    if (inspect::has_nothing_to_bind(path, facts.file)) {
      warn("{} {}: nothing is bound", name, support::kNoRuntime);
    }
    return true;
  }
  if (runtime.is_llvm) {
    say("{} cannot run on LLVM's runtime: it {}", name, why);
    return false;
  }
  if (is_strict) {
    say("{} {}: it is not started (--strict)", name, why);
    return false;
  }
  if (!is_started || !is_told_inside(facts)) {
    warn("{} {}: it will run unbound", name, why);
  }
  return true;
}

int execute(const std::vector<std::string>& program) {
  const auto file = inspect::find_program(program[0]);
  const std::string refused = file ? inspect::refusal_of(*file) : "";
  if (!refused.empty()) {
    say("{}: {}", program[0], refused);
    return kCannotExecute;
  }
  const std::vector<char*> arguments = inspect::as_arguments(program);
  execvp(arguments[0], arguments.data());
  const int error = errno;
  const bool is_path = program[0].find('/') != std::string::npos;
  say("{}: {}", program[0],
      error == ENOENT && !is_path && !file
          ? "command not found" + inspect::hint_of_missing(program[0])
      : file ? words_of(error, *file)
             : std::strerror(error));
  return error == ENOENT ? kNotFound : kCannotExecute;
}

void warn_if_not_executable(const std::string& program) {
  const auto file = inspect::find_program(program);
  const std::string why =
      file ? inspect::refusal_of(*file) : "no such program" + inspect::hint_of_missing(program);
  if (!why.empty()) {
    warn("{}: {}", program, why);
  }
}

}  // namespace nestbind::cli
