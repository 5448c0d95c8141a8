// SPDX-License-Identifier: BSD-3-Clause
// What /proc says of processes. A process may end while it is read, so every read may fail.
#pragma once

#include <dirent.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/top/sample.hpp"

namespace nestbind::cli::top {

// By a clock that is never set.
double seconds_now();

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

// The names of entries of a folder that are numbers, ascending.
std::vector<int> numbers_in(const char* name);

// The processors that a thread may use; none: it has ended. One system call: reading
// /proc/PID/task/TID/status would take ten times as long.
std::vector<int> allowed_of(int thread);

// Parses a line of /proc/PID/stat; none if it is no such line.
std::optional<Stat> parse_stat(const std::string& line);

// Reads a process; none if it has ended.
std::optional<Stat> read_process(int process);

// The process's threads by number; threads that end during the reading are left out.
std::vector<ThreadSample> read_threads(int process);

// The command line of the process, cut to one row; the process's name if it has none.
std::string read_command(int process);

// The process's user; none if the process has ended.
std::optional<uid_t> owner_of(int process);

// All processes of this user, or for root all, in ascending order.
std::vector<int> processes_of_user();

// The process's pages by NUMA node; none: not known. During the call it cannot map memory.
std::optional<Pages> read_pages(int process);
Pages parse_pages(std::string_view text);

// The NUMA node of each processor, by the processor's number; -1: no node.
std::vector<int> nodes_of_processors();

}  // namespace nestbind::cli::top
