// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "cli/inspect/elf.hpp"
#include "cli/inspect/elf_image.hpp"
#include "cli/inspect/text.hpp"
#include "support/files.hpp"
#include "support/kernel_file.hpp"

namespace nestbind::cli::inspect {

namespace {

// The kernel reads this many bytes of a script's first line (BINPRM_BUF_SIZE).
constexpr std::size_t kMaxLine = 256;

constexpr std::string_view kElfMagic = "\177ELF";
constexpr char kShell[] = "/bin/sh";

bool is_executable_file(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::optional<std::string> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    return access(name.c_str(), F_OK) == 0 ? std::optional(name) : std::nullopt;
  }
  const char* path = std::getenv("PATH");
  std::string rest = std::string(path == nullptr ? "/bin:/usr/bin" : path) + ":";
  for (std::size_t end = 0; (end = rest.find(':')) != std::string::npos; rest.erase(0, end + 1)) {
    std::string candidate = (end == 0 ? "." : rest.substr(0, end)) + "/" + name;
    if (!name.empty() && is_executable_file(candidate)) {
      return candidate;
    }
  }
  return std::nullopt;
}

std::string hint_of_missing(const std::string& name) {
  const bool is_here =
      !name.empty() && name.find('/') == std::string::npos && is_executable_file("./" + name);
  return is_here ? "; did you mean ./" + name + "?" : "";
}

std::string refusal_of(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) {
    return {};
  }
  if (!S_ISREG(status.st_mode)) {
    return S_ISDIR(status.st_mode) ? "a directory, not a program"
                                   : "a device, pipe or socket, not a program";
  }
  return access(path.c_str(), X_OK) == 0 ? "" : "Permission denied: the file is not executable";
}

// Applies the kernel's rules (bprm_creds_from_file): IDs must differ; root gains no capabilities.
Privileges privileges_of(const std::string& path) {
  Privileges found;
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) {
    return found;
  }
  const bool set_user = (status.st_mode & S_ISUID) != 0;
  // S_ISGID without the group's execute bit means mandatory locking.
  const bool set_group = (status.st_mode & S_ISGID) != 0 && (status.st_mode & S_IXGRP) != 0;
  found.set_id = set_user || set_group;
  found.capabilities = getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
  found.concerns_caller = (set_user && status.st_uid != getuid()) ||
                          (set_group && status.st_gid != getgid()) ||
                          (found.capabilities && getuid() != 0);
  return found;
}

std::string name_of(const Privileges& privileges) {
  if (privileges.set_id) {
    return privileges.capabilities ? "a set-user-ID or set-group-ID program with capabilities"
                                   : "a set-user-ID or set-group-ID program";
  }
  return privileges.capabilities ? "a program with file capabilities" : "";
}

Script read_script(const std::string& path) {
  const MappedFile file(path);
  const std::string_view begin = file.bytes().substr(0, kMaxLine);
  if (!begin.starts_with("#!")) {
    const bool is_program = begin.starts_with(kElfMagic) || !file.fault().empty();
    return is_program ? Script{} : Script{kShell, kShell, false};
  }
  const std::string_view line = begin.substr(2, begin.find('\n') - 2);
  const auto words = split(line, " \t");  // a carriage return is no separator
  if (words.empty()) {
    return {kShell, kShell, false};
  }
  if (file_name(words[0]) != "env") {
    return {words[0], words[0]};
  }
  const auto found = std::find_if(words.begin() + 1, words.end(), [](const std::string& word) {
    return word.front() != '-' && word.find('=') == std::string::npos;
  });
  return {words[0], found == words.end() ? "" : *found};
}

std::string hint_of(const std::string& interpreter) {
  return interpreter.ends_with('\r') ? " (its line ends with a carriage return)" : "";
}

std::string starter_of(const std::string& path) {
  const Script script = read_script(path);
  return script.interpreter.empty() ? read_elf(path, SymbolTables::kDynamic, nullptr).interpreter
                                    : script.interpreter + hint_of(script.interpreter);
}

std::optional<std::string> answer_of(const std::vector<std::string>& words,
                                     const std::vector<std::string>& environment,
                                     const std::string& input, Errors errors, int& status) {
  const support::Descriptor from(memfd_create("nestbind", MFD_CLOEXEC));
  const support::Descriptor to(memfd_create("nestbind", MFD_CLOEXEC));
  const auto name_of = [](const support::Descriptor& file) {
    return "/proc/self/fd/" + std::to_string(file.number());
  };
  if (!from.is_open() || !to.is_open() || !(std::ofstream(name_of(from)) << input).flush()) {
    return std::nullopt;
  }
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, from.number(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, to.number(), STDOUT_FILENO);
  if (errors == Errors::kKept) {
    posix_spawn_file_actions_adddup2(&files, to.number(), STDERR_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  pid_t child = 0;
  const bool has_begun =
      posix_spawn(&child, words[0].c_str(), &files, nullptr, as_arguments(words).data(),
                  as_arguments(environment).data()) == 0;
  posix_spawn_file_actions_destroy(&files);
  while (has_begun && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return has_begun ? support::read_kernel_file(name_of(to)) : std::nullopt;
}

}  // namespace nestbind::cli::inspect
