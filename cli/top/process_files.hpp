// SPDX-License-Identifier: BSD-3-Clause
// Reads /proc. Each read may fail, because a process may end while we read.
#pragma once

#include <dirent.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/top/sample.hpp"

namespace nestbind::cli::top {

// The time of a clock that is never set.
double seconds_now();

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

// The entries of a folder whose names are numbers, ascending.
std::vector<int> numbers_in(const char* name);

// The processors that a thread may use; empty: it has ended. This takes one system call. To read
// /proc/PID/task/TID/status would take ten times longer.
std::vector<int> allowed_of(int thread);

// Parses a line of /proc/PID/stat; not set if the line is wrong.
std::optional<Stat> parse_stat(const std::string& line);

// Reads a process; not set if it has ended.
std::optional<Stat> read_process(int process);

// The process's threads by number. Leaves out threads that end meanwhile.
std::vector<ThreadSample> read_threads(int process);

// The command line of the process, cut to one row. If it is empty, the process's name.
std::string read_command(int process);

// The process's user; not set if the process has ended.
std::optional<uid_t> owner_of(int process);

// All processes of this user, ascending. For root: of all users.
std::vector<int> processes_of_user();

// The process's pages by NUMA node; not set: not known. During this the process cannot map memory.
std::optional<Pages> read_pages(int process);
Pages parse_pages(std::string_view text);

// The NUMA node of each processor, by the processor's number; -1: no node.
std::vector<int> nodes_of_processors();

}  // namespace nestbind::cli::top
