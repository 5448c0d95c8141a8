// SPDX-License-Identifier: BSD-3-Clause
#include "machine/cache/temporary.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <string_view>

namespace nestbind::machine::cache {
namespace {

constexpr std::string_view kPrefix = "nestbind-";
constexpr int kNumbers = 3;  // process, seconds, nanoseconds

// A name that no other process has, also on another node.
std::string unused_name(const std::string& name) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  char suffix[64];
  std::snprintf(suffix, sizeof suffix, ".%ld.%ld.%ld", static_cast<long>(getpid()),
                static_cast<long>(now.tv_sec), static_cast<long>(now.tv_nsec));
  return name + suffix;
}

bool is_temporary_name(std::string_view name) {
  if (!name.starts_with(kPrefix)) {
    return false;
  }
  for (int i = 0; i < kNumbers; ++i) {
    const std::size_t dot = name.rfind('.');
    const std::string_view number =
        dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
    const auto is_digit = [](char c) { return '0' <= c && c <= '9'; };
    if (number.empty() || !std::ranges::all_of(number, is_digit)) {
      return false;
    }
    name.remove_suffix(number.size() + 1);
  }
  return true;
}

bool lock(int file) { return flock(file, LOCK_EX | LOCK_NB) == 0; }

// Whether a new file is locked, and there. Somebody who removes leftovers may have been faster; a
// file system without locks has nobody who removes.
bool is_held(int file) {
  struct stat status{};
  const bool is_locked = lock(file) || errno != EWOULDBLOCK;
  return is_locked && fstat(file, &status) == 0 && status.st_nlink > 0;
}

void remove_if_left(int folder, const char* name) {
  const int file = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) {
    return;
  }
  struct stat status{};
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && is_of_this_user_alone(status) &&
      lock(file)) {
    unlinkat(folder, name, 0);
  }
  close(file);
}

}  // namespace

Temporary make_temporary(int folder, const std::string& name) {
  constexpr int kTries = 10;
  constexpr int kNew = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  for (int i = 0; i < kTries; ++i) {
    std::string here = unused_name(name);
    const int file = openat(folder, here.c_str(), kNew, S_IRUSR | S_IWUSR);
    if (file < 0) {
      break;
    }
    if (is_held(file)) {
      return {std::move(here), file};
    }
    close(file);
  }
  return {};
}

void remove_leftovers(int folder) {
  const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const entries = copy < 0 ? nullptr : fdopendir(copy);
  if (entries == nullptr) {
    if (copy >= 0) {
      close(copy);
    }
    return;
  }
  while (const dirent* entry = readdir(entries)) {
    if (is_temporary_name(entry->d_name)) {
      remove_if_left(folder, entry->d_name);
    }
  }
  closedir(entries);
}

}  // namespace nestbind::machine::cache
