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

// Returns the entries of a folder whose names are numbers, ascending.
std::vector<int> numbers_in(const char* name);

// Returns the processors that a thread may use; empty if it has ended. Takes one system call,
// because reading /proc/PID/task/TID/status would take ten times longer.
std::vector<int> allowed_of(int thread);

// Parses a line of /proc/PID/stat; not set if the line is wrong.
std::optional<Stat> parse_stat(const std::string& line);

// Reads a process; not set if it has ended.
std::optional<Stat> read_process(int process);

// Returns the process's threads by number. Leaves out threads that end meanwhile.
std::vector<ThreadSample> read_threads(int process);

// Returns the process's command line, cut to one row; if empty, the process's name.
std::string read_command(int process);

// Returns the user of the process; not set if the process has ended.
std::optional<uid_t> owner_of(int process);

// Returns all processes of this user (root: of all users), ascending.
std::vector<int> processes_of_user();

// Returns a process's pages by NUMA node, if known. During the call the process cannot map memory.
std::optional<Pages> read_pages(int process);
Pages parse_pages(std::string_view text);

// Returns each processor's NUMA node, by the processor's number. -1 if it is in none.
std::vector<int> nodes_of_processors();

}  // namespace nestbind::cli::top
