// SPDX-License-Identifier: BSD-3-Clause
// What a task of a job step gets into its environment. Pure.
#pragma once

#include <string>
#include <vector>

#include "slurm/request.hpp"

namespace nestbind::slurm {

// A shell (of sbatch's script, or salloc's on a node) only hands on: it gets the specification, and
// what it starts with srun, mpirun or nestbind is bound, not itself and not its commands.
enum class Whose { kProgram, kShell };

struct Variable {
  std::string name;
  std::string value;
  bool replaces = true;  // a value that the user has set
  bool operator==(const Variable&) const = default;
};

// What is where the task runs; empty: unknown, or none.
struct Surroundings {
  std::string library;         // nestbind's; without it nothing is preloaded
  std::string preload;         // LD_PRELOAD as the user has set it
  std::string working_folder;  // the task's
  std::string cache;           // the folder of the job where the machine is kept
};

// In the order in which they are to be set; none where no specification was asked for.
std::vector<Variable> variables_for(const Request& request, Whose whose,
                                    const Surroundings& surroundings);

}  // namespace nestbind::slurm
