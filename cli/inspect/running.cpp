// SPDX-License-Identifier: BSD-3-Clause
// Formats: proc(5).
#include "cli/inspect/running.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/inspect/mapped_file.hpp"
#include "cli/inspect/text.hpp"

namespace nestbind::cli::inspect {

// Formats: proc_pid_cgroup(5), proc_pid_mountinfo(5), and the kernel's cgroup-v1/cpusets,
// cgroup-v2.

namespace {

// Where a hierarchy is mounted, and the part of it that is there.
struct Mount {
  std::string point;
  std::string part;
};

bool has_word(const std::string& list, const std::string& word) {
  const auto words = split(list, ",");
  return std::ranges::find(words, word) != words.end();
}

// The hierarchy with a controller of cgroup 1; of cgroup 2 where the controller is empty.
Mount mount_of(const std::string& controller, const std::string& root) {
  for (const std::string& line : split(read_small_file(root + "/proc/self/mountinfo"), "\n")) {
    const auto words = split(line, " ");
    const auto dash = std::ranges::find(words, "-");
    if (words.size() < 5 || words.end() - dash < 4) {
      continue;
    }
    const bool is_it = controller.empty() ? dash[1] == "cgroup2"
                                          : dash[1] == "cgroup" && has_word(dash[3], controller);
    if (is_it) {
      return {words[4], words[3]};
    }
  }
  return {};
}

// The process's group in it; empty where it is in none.
std::string group_of(const std::string& controller, const std::string& process,
                     const std::string& root) {
  const std::string file = root + "/proc/" + process + "/cgroup";
  for (const std::string& line : split(read_small_file(file), "\n")) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (controller.empty() ? controllers.empty() : has_word(controllers, controller)) {
      return line.substr(second + 1);
    }
  }
  return {};
}

// The folders of a group and of those that it is in, the innermost first.
std::vector<std::string> folders_of(const std::string& controller, const std::string& process,
                                    const std::string& root) {
  const Mount mount = mount_of(controller, root);
  std::string group = group_of(controller, process, root);
  if (mount.point.empty() || group.empty()) {
    return {};
  }
  if (mount.part != "/" && group.starts_with(mount.part)) {
    group.erase(0, mount.part.size());
  }
  std::vector<std::string> folders;
  for (; group.size() > 1; group.erase(std::max<std::size_t>(group.rfind('/'), 1))) {
    folders.push_back(mount.point + group);
    if (group.rfind('/') == 0) {
      break;
    }
  }
  folders.push_back(mount.point);
  return folders;
}

// "max 100000" or "150000 100000"; 0 without a limit.
double quota_in(const std::string& quota, const std::string& period) {
  const double time = std::strtod(quota.c_str(), nullptr);
  const double each = std::strtod(period.c_str(), nullptr);
  return time > 0 && each > 0 ? time / each : 0;
}

void take_quota(Limits& limits, double quota, const std::string& folder) {
  if (quota > 0 && (limits.quota == 0 || quota < limits.quota)) {
    limits.quota = quota;
    limits.quota_group = folder;
  }
}

// The innermost of the groups in which a file tells of processors.
void take_cpuset(Limits& limits, const std::string& file, const std::vector<std::string>& folders,
                 const std::string& root) {
  for (const std::string& folder : folders) {
    std::string name = root;
    name.append(folder).append(file);
    const auto lines = split(read_small_file(name), "\n");
    if (limits.cpuset.empty() && !lines.empty()) {
      limits.cpuset = lines[0];
      limits.cpuset_group = folder;
    }
  }
}

}  // namespace

Limits limits_of(const std::string& process, const std::string& root) {
  Limits limits;
  const auto of_two = folders_of("", process, root);
  for (const std::string& folder : of_two) {
    const auto words = split(read_small_file(root + folder + "/cpu.max"), " \n");
    take_quota(limits, words.size() == 2 ? quota_in(words[0], words[1]) : 0, folder);
  }
  for (const std::string& folder : folders_of("cpu", process, root)) {
    take_quota(limits,
               quota_in(read_small_file(root + folder + "/cpu.cfs_quota_us"),
                        read_small_file(root + folder + "/cpu.cfs_period_us")),
               folder);
  }
  take_cpuset(limits, "/cpuset.cpus.effective", of_two, root);
  const auto of_one = folders_of("cpuset", process, root);
  take_cpuset(limits, "/cpuset.effective_cpus", of_one, root);
  take_cpuset(limits, "/cpuset.cpus", of_one, root);
  return limits;
}

namespace {

// What stands behind "NAME:" and a tabulator in a status file.
std::string field(const std::string& status, const std::string& name) {
  const auto at = status.find("\n" + name + ":\t");
  const auto begin = at == std::string::npos ? at : at + name.size() + 3;
  return begin == std::string::npos ? "" : status.substr(begin, status.find('\n', begin) - begin);
}

std::vector<RunningThread> threads_of(const std::string& folder) {
  std::vector<RunningThread> threads;
  std::error_code fault;
  for (std::filesystem::directory_iterator entry(folder + "/task", fault), end;
       !fault && entry != end; entry.increment(fault)) {
    RunningThread thread;
    const std::string name = entry->path().filename();
    std::from_chars(name.data(), name.data() + name.size(), thread.number);
    const std::string status = "\n" + read_small_file(entry->path().string() + "/status");
    thread.name = field(status, "Name");
    thread.cpus = field(status, "Cpus_allowed_list");
    const std::string state = field(status, "State");
    const bool has_ended = state.starts_with('Z') || state.starts_with('X');
    if (!thread.cpus.empty() && !has_ended) {
      threads.push_back(std::move(thread));
    }
  }
  std::ranges::sort(threads, {}, &RunningThread::number);
  return threads;
}

std::vector<std::pair<std::string, std::string>> variables_in(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> variables;
  for (const std::string& entry : split(text, std::string_view("\0", 1))) {
    const auto equals = entry.find('=');
    if (equals != std::string::npos && equals > 0) {
      variables.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
    }
  }
  return variables;
}

// "address perms offset dev inode   path"; the path may have blanks.
std::vector<std::string> libraries_in(const std::string& maps) {
  std::vector<std::string> files;
  for (const std::string& line : split(maps, "\n")) {
    const auto words = split(line, " ");
    const auto path = line.find('/');
    const bool is_code = words.size() > 5 && words[1].find('x') != std::string::npos;
    const std::string file = path == std::string::npos ? "" : line.substr(path);
    if (is_code && !file.empty() && std::ranges::find(files, file) == files.end()) {
      files.push_back(file);
    }
  }
  return files;
}

}  // namespace

Running look_at(int process, const std::string& root) {
  const std::string folder = root + "/proc/" + std::to_string(process);
  Running running;
  running.threads = threads_of(folder);
  std::error_code fault;
  running.program = std::filesystem::read_symlink(folder + "/exe", fault).string();
  if (const auto environment = read_file(folder + "/environ")) {
    running.variables = variables_in(*environment);
  }
  if (const auto maps = read_file(folder + "/maps")) {
    running.libraries = libraries_in(*maps);
  }
  return running;
}

}  // namespace nestbind::cli::inspect
