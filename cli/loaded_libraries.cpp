// SPDX-License-Identifier: BSD-3-Clause
#include "cli/loaded_libraries.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "cli/openmp_symbols.hpp"

namespace nestbind::cli {

namespace {

// Runs a program and collects what it prints, errors too. Returns its exit status; -1 if it cannot
// be started or is killed.
int output_of(const std::vector<std::string>& command, std::string& output) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return -1;
  }
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
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
  while (error == 0 && ((length = read(ends[0], part.data(), part.size())) > 0 || errno == EINTR)) {
    output.append(part.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
    if (length == 0) {
      break;
    }
    errno = 0;
  }
  close(ends[0]);
  int status = 0;
  if (error != 0) {
    output = std::strerror(error);
    return -1;
  }
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

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

bool list_libraries(const std::string& program, std::vector<LoadedLibrary>& libraries,
                    std::string& fault) {
  const ElfFile self =
      read_elf("/proc/self/exe", SymbolTables::kDynamic, [](std::string_view) { return false; });
  if (self.interpreter.empty()) {
    fault = "this command has no dynamic loader to ask";
    return false;
  }
  const std::string path = program.find('/') == std::string::npos ? "./" + program : program;
  std::string output;
  // Not --list, which gives up at the first library that is missing.
  setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
  const int status = output_of({self.interpreter, path}, output);
  unsetenv("LD_TRACE_LOADED_OBJECTS");
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    LoadedLibrary library;
    if (parse_line(line, library)) {
      if (!library.path.empty()) {
        library.file = read_elf(library.path, SymbolTables::kDynamic, is_openmp_symbol);
      }
      libraries.push_back(std::move(library));
    }
  }
  if (status != 0 && libraries.empty()) {
    fault = first_line(output);
    return false;
  }
  return true;
}

}  // namespace nestbind::cli
