// SPDX-License-Identifier: BSD-3-Clause
// Reads /proc. Each function may find nothing, because a process may end meanwhile.
#pragma once

#include <dirent.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/top/sample.hpp"

namespace nestbind::cli::top {

// Returns the time of a clock that is never set.
double seconds_now();

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

std::vector<int> numbers_in(const char* name);

// Returns the processors that a thread may use; empty if it has ended. Takes one system call. To
// read /proc/PID/task/TID/status takes ten times longer.
std::vector<int> allowed_of(int thread);

std::optional<Stat> parse_stat(const std::string& line);

std::optional<Stat> read_process(int process);

std::vector<ThreadSample> read_threads(int process);

std::string read_command(int process);

std::optional<uid_t> owner_of(int process);

std::vector<int> processes_of_user();

// During the call the process cannot map memory.
std::optional<Pages> read_pages(int process);
Pages parse_pages(std::string_view text);

}  // namespace nestbind::cli::top
