// SPDX-License-Identifier: BSD-3-Clause
// The files of the cache. Names are relative to the checked folder, and links are never followed:
// in a folder for all users, a link may lead to any file. A file is read, not mapped, because
// another process may truncate the file.
#include <dirent.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>

#include "machine/cache/cache.hpp"
#include "machine/cache/record.hpp"
#include "support/decimal.hpp"
#include "support/errno_kept.hpp"
#include "support/files.hpp"

namespace nestbind::machine::cache {

namespace {

bool is_of_this_user_alone(const struct stat& status) {
  return status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

struct Temporary {
  std::string name;
  int file = -1;  // open for writing, and locked until it is closed; -1 if there is no file
};

constexpr std::string_view kPrefix = "nestbind-";
constexpr int kNumbers = 3;  // in a temporary name: process, seconds, nanoseconds

// Returns a name that no other process uses, on this or any other node.
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
    if (number.empty() || !std::ranges::all_of(number, support::is_digit)) {
      return false;
    }
    name.remove_suffix(number.size() + 1);
  }
  return true;
}

bool lock(int file) { return flock(file, LOCK_EX | LOCK_NB) == 0; }

// Before the lock, another process may have removed the file: see remove_leftovers(). If the file
// system has no locks, leftovers stay.
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

// If a temporary file of this user has no lock, its writer has ended.
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

constexpr std::uint64_t kFormat = 6;
constexpr off_t kLargest = off_t{16} << 20;

class File {
 public:
  explicit File(int file) : file_(file) {}

  bool is_open() const { return file_.is_open(); }

  std::optional<std::string> read() const {
    struct stat status{};
    if (fstat(file_.number(), &status) != 0 || !S_ISREG(status.st_mode) ||
        !is_of_this_user_alone(status) || status.st_size > kLargest) {
      return std::nullopt;
    }
    std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t length = 0;
    while (length < bytes.size()) {
      const ssize_t got = ::read(file_.number(), bytes.data() + length, bytes.size() - length);
      if (got <= 0) {
        return std::nullopt;
      }
      length += static_cast<std::size_t>(got);
    }
    return bytes;
  }

  bool write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t put = ::write(file_.number(), bytes.data(), bytes.size());
      if (put <= 0) {
        return false;
      }
      bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    return true;
  }

 private:
  support::Descriptor file_;
};

// With "/" or "/." at the end of a name, the kernel follows a link. ".." may be the parent of a
// link's target.
std::string of_folder_itself(std::string name) {
  while (name.size() > 1 && (name.ends_with('/') || name.ends_with("/."))) {
    name.pop_back();
  }
  return name.ends_with("/..") ? "" : name;
}

// The first short read is the end of the kernel's file.
std::optional<std::string> contents(const std::string& name) {
  const int file = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return std::nullopt;
  }
  std::string text;
  char part[1024];
  ssize_t got = sizeof part;
  while (got == sizeof part && (got = ::read(file, part, sizeof part)) > 0) {
    text.append(part, static_cast<std::size_t>(got));
  }
  ::close(file);
  return got < 0 ? std::nullopt : std::optional(text);
}

// The files are of cgroups, version 2 and version 1. Without these files the name of the cpuset
// identifies the processors.
std::string allowed_by_cpuset() {
  std::string path = contents("/proc/self/cpuset").value_or("");
  if (!path.empty() && path.back() == '\n') {
    path.pop_back();
  }
  for (const std::string& file : {"/sys/fs/cgroup" + path + "/cpuset.cpus.effective",
                                  "/sys/fs/cgroup/cpuset" + path + "/cpuset.cpus"}) {
    if (const auto cpus = contents(file)) {
      return *cpus;
    }
  }
  return path + "\n";
}

// own_symbols.cpp hides these variables from hwloc, but not in a process with a sanitizer.
bool hwloc_is_told_otherwise() {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    if (std::strncmp(*entry, "HWLOC_", 6) == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string seal(const Hardware& hardware, const Key& key) {
  return enclose(kFormat, key, encode(hardware));
}

std::optional<Hardware> unseal(std::string_view bytes, const Key& key) {
  const auto contents = contents_of(bytes, kFormat, key);
  return contents ? decode(*contents) : std::nullopt;
}

Folder Folder::open(const char* setting) {
  const char* given = setting != nullptr ? setting : secure_getenv("XDG_RUNTIME_DIR");
  const std::string name = of_folder_itself(given == nullptr ? "" : given);
  if (!name.starts_with('/')) {  // "off" or a relative name
    return Folder(-1);
  }
  if (setting != nullptr) {
    mkdir(name.c_str(), S_IRWXU);
  }
  const int folder = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat status{};
  if (folder >= 0 && (fstat(folder, &status) != 0 || !is_of_this_user_alone(status))) {
    ::close(folder);
    return Folder(-1);
  }
  return Folder(folder);
}

std::optional<std::string> Folder::read_bytes(const Key& key) const {
  // O_NONBLOCK: if the file is a pipe, opening it must not wait for a writer.
  const File file(
      openat(folder_.number(), key.file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  return file.is_open() ? file.read() : std::nullopt;
}

std::optional<Hardware> Folder::read(const Key& key) const {
  const auto bytes = read_bytes(key);
  return bytes ? unseal(*bytes, key) : std::nullopt;
}

bool Folder::write_bytes(std::string_view bytes, const Key& key) const {
  if (!support::may_write(bytes.size())) {
    errno = EFBIG;
    return false;
  }
  remove_leftovers(folder_.number());
  const Temporary made = make_temporary(folder_.number(), key.file);
  const File file(made.file);
  const bool is_written =
      file.is_open() && file.write(bytes) &&
      renameat(folder_.number(), made.name.c_str(), folder_.number(), key.file.c_str()) == 0;
  if (file.is_open() && !is_written) {
    const support::ErrnoKept errno_kept;
    unlinkat(folder_.number(), made.name.c_str(), 0);
  }
  return is_written;
}

bool Folder::write(const Hardware& hardware, const Key& key) const {
  return write_bytes(seal(hardware, key), key);
}

// Collects the facts on which hwloc's view of the running system depends.
std::optional<Key> key_of_this_process(std::string_view writer) {
  if (getauxval(AT_SECURE) != 0 || hwloc_is_told_otherwise()) {
    return std::nullopt;
  }
  const auto boot = contents("/proc/sys/kernel/random/boot_id");
  const auto processors = contents("/sys/devices/system/cpu/online");
  utsname system{};
  if (!boot || boot->empty() || !processors || processors->empty() || uname(&system) != 0) {
    return std::nullopt;
  }
  const std::string place = std::string(system.nodename) + "\n" + allowed_by_cpuset();
  Key key;
  key.file = "nestbind-machine-" + hexadecimal(hash(place));
  key.text = place + *boot + *processors +
             contents("/sys/devices/system/node/online").value_or("\n") + std::string(writer);
  return key;
}

Key key_of_given(const std::string& source, std::string_view state) {
  return {"nestbind-given-" + hexadecimal(hash(source)), (source + "\n").append(state)};
}

}  // namespace nestbind::machine::cache
