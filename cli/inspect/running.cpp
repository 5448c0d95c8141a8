// SPDX-License-Identifier: BSD-3-Clause
// The formats of the files are in proc(5).
#include "cli/inspect/running.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "cli/inspect/text.hpp"
#include "support/kernel_file.hpp"

namespace nestbind::cli::inspect {

Limits limits_of(const std::string& process, const std::string& root) {
  const support::CgroupOf of{process.c_str(), root.c_str()};
  Limits limits;
  limits.quota = support::cpu_quota(of);
  support::Cgroup group;
  for (const auto& [controller, file] :
       {std::pair("", "cpuset.cpus.effective"), std::pair("cpuset", "cpuset.effective_cpus"),
        std::pair("cpuset", "cpuset.cpus")}) {
    for (bool is_there = group.find(controller, of); is_there; is_there = group.leave()) {
      const auto lines = split(group.read(file), "\n");
      if (limits.cpuset.empty() && !lines.empty()) {
        limits.cpuset = lines[0];
        limits.cpuset_group = group.folder();
      }
    }
  }
  return limits;
}

namespace {

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
    const std::string status = "\n" + support::kernel_text(entry->path().string() + "/status");
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

// The path may have blanks.
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
  if (const auto environment = support::read_kernel_file(folder + "/environ")) {
    running.variables = variables_in(*environment);
  }
  if (const auto maps = support::read_kernel_file(folder + "/maps")) {
    running.libraries = libraries_in(*maps);
  }
  return running;
}

}  // namespace nestbind::cli::inspect
