// SPDX-License-Identifier: BSD-3-Clause
// A program of ours that somebody else's process runs without noticing. Inside lib/machine/loading.
#pragma once

namespace nestbind::machine::loading {

struct Program {
  const char* path;
  char* const* arguments;    // as of execve
  char* const* environment;  // all that it gets
  int answer;  // an open file with FD_CLOEXEC, above 2: the program has it as reader::kAnswerFile,
               // and the null device as 0 to 2. reader::kNotStarted is written to it where the
               // program cannot be started
};

// Runs it to its end, while the calling thread stands still. It is no child of this process: no
// SIGCHLD, nothing for wait() and none of its times; ends with the thread; and begins with all
// signals blocked. Returns 0, or an errno where no process can be made. Not a point of
// cancellation.
int run_unseen(const Program& program);

}  // namespace nestbind::machine::loading
