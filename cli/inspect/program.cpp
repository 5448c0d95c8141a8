// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/program.hpp"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "cli/inspect/mapped_file.hpp"
#include "cli/inspect/text.hpp"

namespace nestbind::cli::inspect {

namespace {

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
  std::string_view rest = path == nullptr ? "/bin:/usr/bin" : path;
  while (!name.empty()) {
    const auto end = rest.find(':');
    const std::string directory(rest.substr(0, end));
    std::string candidate = directory.empty() ? "." : directory;
    candidate.append("/").append(name);
    if (is_executable_file(candidate)) {
      return candidate;
    }
    if (end == std::string_view::npos) {
      break;
    }
    rest.remove_prefix(end + 1);
  }
  return std::nullopt;
}

// As the kernel decides on AT_SECURE (bprm_creds_from_file): what the file gives must differ from
// what the caller has, and root gains nothing by capabilities.
Privileges privileges_of(const std::string& path) {
  Privileges found;
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) {
    return found;
  }
  const bool set_user = (status.st_mode & S_ISUID) != 0;
  // Without the group's execute bit, S_ISGID means mandatory locking.
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

std::string Script::program() const {
  if (file_name(interpreter) != "env") {
    return interpreter;
  }
  // The first word that is no option or assignment.
  const std::vector<std::string> words = split(argument, " \t");
  const auto found = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return word.front() != '-' && word.find('=') == std::string::npos;
  });
  return found == words.end() ? "" : *found;
}

Script read_script(const std::string& path) {
  const MappedFile file(path);
  std::string_view line = file.bytes();
  if (!line.starts_with("#!")) {
    return {};
  }
  line = line.substr(2, line.find('\n') - 2);
  const auto trim = [](std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    return first == std::string_view::npos
               ? std::string_view{}
               : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
  };
  line = trim(line);
  const auto end = std::min(line.find_first_of(" \t"), line.size());
  return {std::string(line.substr(0, end)), std::string(trim(line.substr(end)))};
}

}  // namespace nestbind::cli::inspect
