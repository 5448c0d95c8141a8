// SPDX-License-Identifier: BSD-3-Clause
// What the kernel tells of processes, in /proc. Nothing here is taken for granted: a process may
// end while it is read.
#pragma once

#include <dirent.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/top/sample.hpp"

namespace nestbind::cli::top {

// By a clock that is not set.
double seconds_now();

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

// Of a line of /proc/PID/stat; none where it is not one.
std::optional<Stat> parse_stat(const std::string& line);

// A process that is there.
std::optional<Stat> read_process(int process);

// Its threads, in the order of their numbers; those that end meanwhile are left out.
std::vector<ThreadSample> read_threads(int process);

// Its words, cut to what fits a line; its name where it has none.
std::string read_command(int process);

// Whose it is; none where it is not there.
std::optional<uid_t> owner_of(int process);

// All processes of this user, or for root all, in ascending order.
std::vector<int> processes_of_user();

// Its pages by NUMA node. The kernel holds the process's map meanwhile: it cannot map or fault in
// memory until all is told. None where it does not tell.
std::optional<Pages> read_pages(int process);
Pages parse_pages(std::string_view text);

// The NUMA node of each processor, by number; -1: it is in none.
std::vector<int> nodes_of_processors();

}  // namespace nestbind::cli::top
