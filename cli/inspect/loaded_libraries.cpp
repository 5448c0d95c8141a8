// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/loaded_libraries.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cli/inspect/openmp_symbols.hpp"
#include "cli/inspect/text.hpp"

namespace nestbind::cli::inspect {

namespace {

// Runs a program and collects what it prints, errors too. Returns its exit status; -1 if it cannot
// be started or is killed.
int output_of(const std::vector<std::string>& command, std::string& output) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return -1;
  }
  const std::vector<char*> arguments = as_arguments(command);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::array<char, 4096> part;
  ssize_t length = 0;
  while (error == 0 && ((length = read(ends[0], part.data(), part.size())) > 0 ||
                        (length < 0 && errno == EINTR))) {
    output.append(part.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  }
  close(ends[0]);
  if (error != 0) {
    output = std::strerror(error);
    return -1;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// A line is "\tNAME => PATH (0x...)", "\tNAME => not found", or "\tPATH (0x...)" for the loader,
// preloaded paths and the kernel's own, which has no file.
bool parse_line(std::string line, LoadedLibrary& library) {
  if (line.empty() || line.front() != '\t') {
    return false;
  }
  line.erase(0, 1);
  const auto address = line.rfind(" (0x");
  if (address != std::string::npos) {
    line.erase(address);
  }
  const auto arrow = line.find(" => ");
  library.name = line.substr(0, arrow);
  library.path = arrow == std::string::npos ? line : line.substr(arrow + 4);
  if (library.path == "not found") {
    library.path.clear();
    return true;
  }
  return library.path.find('/') != std::string::npos;
}

// What stands in a line between two texts; empty if they are not both there.
std::string between(const std::string& line, std::string_view before, std::string_view after) {
  const auto at = line.find(before);
  const auto begin = at == std::string::npos ? at : at + before.size();
  const auto end = begin == std::string::npos ? begin : line.find(after, begin);
  return end == std::string::npos ? "" : line.substr(begin, end - begin);
}

// "undefined symbol: NAME, version NODE\t(FILE)", or without a version; or
// "FILE: LIBRARY: version `NODE' not found (required by FILE)".
bool parse_missing(const std::string& line, Missing& missing) {
  const std::string undefined = between(line, "undefined symbol: ", "\t");
  if (!undefined.empty()) {
    missing.symbol = undefined.substr(0, undefined.find(','));
    missing.version = between(line, ", version ", "\t");
    missing.needed_by = between(line, "\t(", ")");
    return true;
  }
  missing.version = between(line, ": version `", "' not found");
  missing.needed_by = between(line, "(required by ", ")");
  missing.library = between(line, ": ", ": version `");
  return !missing.version.empty();
}

// Not the loader's --list, which gives up at the first library that is missing.
constexpr char kTrace[] = "LD_TRACE_LOADED_OBJECTS";

// The loader's answer about a program, with these variables set for it.
Listing ask(const std::string& program, std::initializer_list<const char*> variables) {
  const ElfFile self = read_elf("/proc/self/exe", SymbolTables::kDynamic, nullptr);
  if (self.interpreter.empty()) {
    return {{}, {}, false, "this command has no dynamic loader to ask"};
  }
  const std::string path = program.find('/') == std::string::npos ? "./" + program : program;
  for (const char* variable : variables) {
    setenv(variable, "1", 1);
  }
  std::string output;
  const int status = output_of({self.interpreter, path}, output);
  for (const char* variable : variables) {
    unsetenv(variable);
  }
  Listing listing = parse_listing(output);
  for (LoadedLibrary& library : listing.libraries) {
    if (!library.path.empty()) {
      library.file = read_elf(library.path, SymbolTables::kDynamic, is_openmp_symbol);
    }
  }
  listing.is_read = status == 0 || !listing.libraries.empty();
  listing.fault = listing.is_read ? "" : output.substr(0, output.find('\n'));
  return listing;
}

}  // namespace

Listing parse_listing(const std::string& output) {
  Listing listing;
  for (const std::string& line : split(output, "\n")) {
    LoadedLibrary library;
    Missing something;
    if (parse_line(line, library)) {
      listing.libraries.push_back(std::move(library));
    } else if (parse_missing(line, something)) {
      listing.missing.push_back(std::move(something));
    }
  }
  return listing;
}

Listing list_libraries(const std::string& program) { return ask(program, {kTrace}); }

// As ldd -r does.
Listing link_libraries(const std::string& program) {
  return ask(program, {kTrace, "LD_WARN", "LD_BIND_NOW"});
}

}  // namespace nestbind::cli::inspect
