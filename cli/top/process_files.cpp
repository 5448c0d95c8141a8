// SPDX-License-Identifier: BSD-3-Clause
#include "cli/top/process_files.hpp"

#include <fmt/core.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <ctime>
#include <memory>

#include "mask/cpu_list.hpp"
#include "support/decimal.hpp"
#include "support/kernel_file.hpp"
#include "support/stat_line.hpp"

namespace nestbind::cli::top {

namespace {

constexpr std::size_t kOneRead = 2048;

std::optional<int> as_number(std::string_view text) {
  int number = 0;
  const bool is_good = support::read_decimal(text.data(), text.size(), INT_MAX, number);
  return is_good ? std::optional(number) : std::nullopt;
}

std::string in_one_line(std::string text) {
  while (!text.empty() && text.back() == '\0') {
    text.pop_back();
  }
  std::ranges::replace(text, '\0', ' ');
  return text;
}

}  // namespace

std::vector<int> numbers_in(const char* name) {
  std::vector<int> numbers;
  const std::unique_ptr<DIR, CloseFolder> folder(opendir(name));
  while (const dirent* entry = folder ? readdir(folder.get()) : nullptr) {
    if (const auto number = as_number(static_cast<const char*>(entry->d_name))) {
      numbers.push_back(*number);
    }
  }
  std::ranges::sort(numbers);
  return numbers;
}

std::vector<int> allowed_of(int thread) {
  mask::MaskBuffer buffer{};
  const auto* set = reinterpret_cast<cpu_set_t*>(buffer.bits);
  return sched_getaffinity(thread, sizeof buffer, const_cast<cpu_set_t*>(set)) == 0
             ? mask::cpus_in(buffer.view())
             : std::vector<int>{};
}

double seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::optional<Stat> parse_stat(const std::string& line) {
  using namespace support;
  const std::size_t open = line.find('(');
  const std::size_t close = line.rfind(')');
  const char* state = stat_field(line.c_str(), kState);
  if (open == std::string::npos || close == std::string::npos || close < open || state == nullptr ||
      stat_field(line.c_str(), kProcessor) == nullptr) {
    return std::nullopt;
  }
  const auto number = [&](StatField field) { return stat_number(line.c_str(), field); };
  Stat stat;
  stat.name = line.substr(open + 1, close - open - 1);
  stat.state = *state;
  stat.ticks = number(kUserTicks) + number(kSystemTicks);
  stat.start = number(kStartTicks);
  stat.image = image_of(line.c_str());
  stat.threads = static_cast<int>(number(kThreads));
  stat.processor = static_cast<int>(number(kProcessor));
  return stat;
}

std::optional<Stat> read_process(int process) {
  const auto line = support::read_kernel_file(fmt::format("/proc/{}/stat", process), kOneRead);
  auto stat = line ? parse_stat(*line) : std::nullopt;
  // A zombie has ended, unless other threads still run (pthread_exit in the first thread).
  const bool has_ended = stat && (stat->state == 'Z' || stat->state == 'X') && stat->threads < 2;
  return has_ended ? std::nullopt : stat;
}

std::vector<ThreadSample> read_threads(int process) {
  std::vector<ThreadSample> threads;
  const std::string folder = fmt::format("/proc/{}/task", process);
  for (const int thread : numbers_in(folder.c_str())) {
    const auto line =
        support::read_kernel_file(fmt::format("{}/{}/stat", folder, thread), kOneRead);
    if (auto stat = line ? parse_stat(*line) : std::nullopt) {
      threads.push_back({thread, std::move(*stat), allowed_of(thread)});
    }
  }
  return threads;
}

std::string read_command(int process) {
  constexpr std::size_t kMostWords = 1024;
  const auto words =
      support::read_kernel_file(fmt::format("/proc/{}/cmdline", process), kMostWords);
  std::string line = words ? in_one_line(*words) : "";
  if (line.empty()) {
    const auto stat = read_process(process);
    line = stat ? "[" + stat->name + "]" : "?";
  }
  return line.substr(0, kMostWords);
}

std::optional<uid_t> owner_of(int process) {
  struct stat status{};
  return stat(fmt::format("/proc/{}", process).c_str(), &status) == 0 ? std::optional(status.st_uid)
                                                                      : std::nullopt;
}

std::vector<int> processes_of_user() {
  std::vector<int> processes = numbers_in("/proc");
  if (geteuid() != 0) {
    std::erase_if(processes, [](int process) { return owner_of(process) != geteuid(); });
  }
  return processes;
}

Pages parse_pages(std::string_view text) {
  Pages pages;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    std::map<int, std::uint64_t> counts;
    std::uint64_t size = 4;  // KiB of a page; older kernels do not print it
    for (std::string_view rest = line; !rest.empty();) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
      const std::size_t equals = word.find('=');
      if (equals == std::string_view::npos) {
        continue;
      }
      const auto value = as_number(word.substr(equals + 1));
      const std::string_view name = word.substr(0, equals);
      if (value && name == "kernelpagesize_kB") {
        size = static_cast<std::uint64_t>(*value);
      } else if (const auto node = name.starts_with('N') ? as_number(name.substr(1)) : std::nullopt;
                 value && node) {
        counts[*node] += static_cast<std::uint64_t>(*value);
      }
    }
    for (const auto& [node, count] : counts) {
      pages[node] += count * size;
    }
  }
  return pages;
}

std::optional<Pages> read_pages(int process) {
  const auto text = support::read_kernel_file(fmt::format("/proc/{}/numa_maps", process));
  return text && !text->empty() ? std::optional(parse_pages(*text)) : std::nullopt;
}

}  // namespace nestbind::cli::top
