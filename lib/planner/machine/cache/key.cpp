// SPDX-License-Identifier: BSD-3-Clause
// Collects the facts on which hwloc's view of the running system depends.
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstring>

#include "machine/cache/cache.hpp"
#include "machine/cache/record.hpp"

namespace nestbind::machine::cache {
namespace {

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
