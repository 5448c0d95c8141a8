// SPDX-License-Identifier: BSD-3-Clause
// The cgroups (versions 1 and 2) and the CPU quota of a process. The cgroups are those from the
// process's own group up to the mounted group. Formats: cgroups(7), proc_pid_mountinfo(5), the
// kernel's cgroup-v2 and sched-bwc. Nothing is allocated.
#pragma once

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "support/decimal.hpp"
#include "support/files.hpp"

namespace nestbind::support {

// process: a number, or "self". root: for tests, a prefix of /proc and of the mount points.
struct CgroupOf {
  const char* process = "self";
  const char* root = "";
};

class Cgroup {
 public:
  // Finds the process's group in the hierarchy of a controller of version 1; "" means version 2.
  // Returns false if the hierarchy is not mounted, or the process is in no group.
  bool find(const char* controller, const CgroupOf& of = {}) {
    group_[0] = '\0';
    char* const file = folder_;  // free to use until set_folder()
    snprintf(file, sizeof folder_, "%s/proc/%s/cgroup", of.root, of.process);
    each_line(file, [&](char* line) { return take_group(line, controller); });
    snprintf(file, sizeof folder_, "%s/proc/self/mountinfo", of.root);
    mounted_ = 0;
    if (group_[0] != '\0') {
      each_line(file, [&](char* line) { return take_mount(line, controller, of.root); });
    }
    return mounted_ > 0;
  }

  // A container may see the names of groups above its own group, but not their files.
  bool leave() {
    if (strlen(folder_) <= mounted_) {
      return false;
    }
    *strrchr(folder_, '/') = '\0';
    return true;
  }

  const char* folder() const { return folder_ + root_; }

  // The result is valid until the next call. If the file is missing, the result is empty.
  const char* read(const char* name) {
    const std::size_t length = strlen(folder_);
    snprintf(folder_ + length, sizeof folder_ - length, "/%s", name);
    const Descriptor file(open(folder_));
    folder_[length] = '\0';
    const long bytes = file.is_open() ? take(file, 0) : 0;
    text_[bytes < 0 ? 0 : bytes] = '\0';
    return text_;
  }

  // Skips the first `blanks` words. If the next word is not a number ("max"), returns `otherwise`.
  long number(const char* name, long otherwise, int blanks = 0) {
    const char* at = read(name);
    for (; blanks > 0 && at != nullptr; --blanks) {
      at = strchr(at, ' ');
      at = at == nullptr ? nullptr : at + 1;
    }
    const char* end = at;
    const auto number = at == nullptr ? 0 : static_cast<long>(take_decimal(end, nullptr, kMost));
    return end == at ? otherwise : number;
  }

 private:
  static constexpr long kMost = 1L << 40;

  static long open(const char* file) {
    return system_call(SYS_openat, AT_FDCWD, file, O_RDONLY | O_CLOEXEC);
  }

  long take(const Descriptor& file, std::size_t at) {
    return system_call(SYS_read, file.number(), text_ + at, sizeof text_ - 1 - at);
  }

  template <typename Visit>
  void each_line(const char* name, Visit visit) {
    const Descriptor file(open(name));
    std::size_t kept = 0;
    bool is_cut = false;
    for (long got = 0; file.is_open() && (got = take(file, kept)) > 0;) {
      text_[kept + static_cast<std::size_t>(got)] = '\0';
      char* line = text_;
      for (char* end = nullptr; (end = strchr(line, '\n')) != nullptr; line = end + 1) {
        *end = '\0';
        if (!is_cut && visit(line)) {
          return;
        }
        is_cut = false;
      }
      kept = strlen(line);
      memmove(text_, line, kept);
      is_cut = is_cut || kept == sizeof text_ - 1;
      kept = is_cut ? 0 : kept;
    }
  }

  // Whether a list such as "rw,cpu,cpuacct" contains a word.
  static bool has_word(const char* list, const char* word) {
    const std::size_t length = strlen(word);
    for (const char* at = list; (at = strstr(at, word)) != nullptr; at += length) {
      const bool begins = at == list || at[-1] == ',';
      if (begins && (at[length] == ',' || at[length] == '\0')) {
        return true;
      }
    }
    return false;
  }

  // Reads "4:cpu,cpuacct:/job", or "0::/job" of version 2.
  bool take_group(char* line, const char* controller) {
    strsep(&line, ":");
    const char* const list = strsep(&line, ":");
    const bool is_it = list != nullptr && line != nullptr &&
                       (controller[0] == '\0' ? list[0] == '\0' : has_word(list, controller));
    if (is_it) {
      snprintf(group_, sizeof group_, "%s", line);
    }
    return is_it;
  }

  // Reads "32 31 0:29 /part /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu".
  bool take_mount(char* line, const char* controller, const char* root) {
    char* rest = strstr(line, " - cgroup");
    if (rest == nullptr) {
      return false;
    }
    rest += strlen(" - ");
    const char* const type = strsep(&rest, " ");
    strsep(&rest, " ");
    const bool is_it = controller[0] == '\0' ? strcmp(type, "cgroup2") == 0
                                             : strcmp(type, "cgroup") == 0 && rest != nullptr &&
                                                   has_word(rest, controller);
    for (int i = 0; i < 3; ++i) {
      strsep(&line, " ");
    }
    const char* const part = strsep(&line, " ");
    const char* const point = strsep(&line, " ");
    if (!is_it || line == nullptr) {
      return false;
    }
    set_folder(root, point, below(group_, part));
    return true;
  }

  static const char* below(const char* group, const char* part) {
    const std::size_t length = strcmp(part, "/") == 0 ? 0 : strlen(part);
    const bool is_inside =
        strncmp(group, part, length) == 0 && strchr("/", group[length]) != nullptr;
    group += is_inside ? length : 0;
    return strcmp(group, "/") == 0 ? "" : group;
  }

  void set_folder(const char* root, const char* point, const char* group) {
    root_ = strlen(root);
    mounted_ = root_ + strlen(point);
    snprintf(folder_, sizeof folder_, "%s%s%s", root, point, group);
  }

  char group_[PATH_MAX];  // the group's name in /proc; empty if the process is in no group
  char folder_[PATH_MAX];
  char text_[PATH_MAX];
  std::size_t root_ = 0;
  std::size_t mounted_ = 0;  // length of prefix and mount point; 0 if not found
};

struct CpuQuota {
  long time = 0;    // processor time in each period, in microseconds; 0 without a limit
  long period = 1;  // microseconds
  char folder[PATH_MAX] = "";

  double processors() const { return static_cast<double>(time) / static_cast<double>(period); }
  // Returns how many threads can run all the time: the quota in processors, rounded up.
  int threads() const {
    const long most = (time + period - 1) / period;
    return static_cast<int>(most < INT_MAX ? most : INT_MAX);
  }
};

// The controller's files exist in only one of the two versions. `group` and `least` are too large
// for some stacks.
inline void read_cpu_quota(Cgroup& group, CpuQuota& least, const CgroupOf& of = {}) {
  static constexpr struct {
    const char* controller;
    const char* time;
    const char* period;
    int blanks;
  } kVersions[] = {{"cpu", "cpu.cfs_quota_us", "cpu.cfs_period_us", 0},
                   {"", "cpu.max", "cpu.max", 1}};
  least = {};
  bool is_found = false;
  for (const auto& version : kVersions) {
    bool is_there = !is_found && group.find(version.controller, of);
    for (is_found = is_found || is_there; is_there; is_there = group.leave()) {
      const long time = group.number(version.time, 0);
      const long period = time > 0 ? group.number(version.period, 0, version.blanks) : 0;
      if (period > 0 && (least.time == 0 || static_cast<double>(time) <
                                                least.processors() * static_cast<double>(period))) {
        least.time = time;
        least.period = period;
        snprintf(least.folder, sizeof least.folder, "%s", group.folder());
      }
    }
  }
}

inline CpuQuota cpu_quota(const CgroupOf& of = {}) {
  Cgroup group;
  CpuQuota least;
  read_cpu_quota(group, least, of);
  return least;
}

}  // namespace nestbind::support
