// SPDX-License-Identifier: BSD-3-Clause
// nestbind job: all ranks of a job, by their reports.
#pragma once

#include <string>
#include <vector>

namespace nestbind::cli {

struct JobOptions {
  std::vector<std::string> files;  // reports, as NESTBIND_REPORT=json writes them
  bool json = false;
  bool all = false;  // what is alike is shown, too
};

// Prints who sits where, and what is wrong with it. Returns the exit status: kFailure where threads
// of two ranks may run on one processor of a node, or a file cannot be read or is damaged.
int job_command(const JobOptions& options);

}  // namespace nestbind::cli
