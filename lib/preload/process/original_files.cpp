// SPDX-License-Identifier: BSD-3-Clause
#include "process/original_files.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/errno_kept.hpp"

namespace nestbind::process {

namespace {

struct Identity {
  bool is_known;
  dev_t device;
  ino_t inode;

  bool operator==(const Identity&) const = default;
};

struct Files {
  bool are_learnt;
  Identity output;  // not known if the descriptor was closed
  Identity error_output;
  char folder[PATH_MAX];
};
constinit Files g_files{};

Identity identity_of(int descriptor) {
  struct stat file;
  return fstat(descriptor, &file) == 0 ? Identity{true, file.st_dev, file.st_ino} : Identity{};
}

const Files& files() {
  learn_original_files();
  return g_files;
}

}  // namespace

void learn_original_files() {
  if (g_files.are_learnt) {
    return;
  }
  const support::ErrnoKept errno_kept;
  g_files.output = identity_of(STDOUT_FILENO);
  g_files.error_output = identity_of(STDERR_FILENO);
  if (getcwd(g_files.folder, sizeof g_files.folder) == nullptr || g_files.folder[0] != '/') {
    g_files.folder[0] = '\0';
  }
  g_files.are_learnt = true;
}

bool has_error_output() { return files().error_output.is_known; }

bool has_same_error_output() {
  return has_error_output() && identity_of(STDERR_FILENO) == files().error_output;
}

bool has_output() { return files().output.is_known; }

bool is_output_of_program(const struct stat& file) {
  const Identity identity{true, file.st_dev, file.st_ino};
  return identity == files().error_output || identity == files().output ||
         identity == identity_of(STDOUT_FILENO) || identity == identity_of(STDERR_FILENO);
}

bool make_absolute(const char* name, char* absolute, std::size_t size) {
  const char* folder = name[0] == '/' ? "" : files().folder;
  if (name[0] != '/' && folder[0] == '\0') {
    errno = ENOENT;
    return false;
  }
  const char* slash = name[0] == '/' || folder[1] == '\0' ? "" : "/";
  const int length = snprintf(absolute, size, "%s%s%s", folder, slash, name);
  if (length < 0 || static_cast<std::size_t>(length) >= size) {
    errno = ENAMETOOLONG;
    return false;
  }
  return true;
}

bool find_own_file(const char* file, char* name, std::size_t size) {
  Dl_info self;
  if (dladdr(reinterpret_cast<void*>(&find_own_file), &self) == 0 || self.dli_fname == nullptr) {
    return false;
  }
  // If the loader's search path is relative, the name is relative, too.
  char as_loaded[PATH_MAX];
  char whole[PATH_MAX];
  if (!make_absolute(self.dli_fname, as_loaded, sizeof as_loaded) ||
      realpath(as_loaded, whole) == nullptr) {
    return false;
  }
  const char* slash = strrchr(whole, '/');
  const int folder = slash == nullptr ? 0 : static_cast<int>(slash - whole);
  const int length =
      snprintf(name, size, "%.*s/%s/%s", folder, whole, NESTBIND_PLANNER_SUBDIR, file);
  return length >= 0 && static_cast<std::size_t>(length) < size;
}

}  // namespace nestbind::process
