// SPDX-License-Identifier: BSD-3-Clause
// The user's request (the plugin's options of srun, sbatch or salloc), and the environment that a
// task gets for this request. Pure.
#pragma once

#include <string>
#include <vector>

namespace nestbind::slurm {

struct Request {
  std::string specification;  // in canonical form; empty: none
  int levels = 0;             // number of levels; 0: no specification, or "off"
  std::string report;         // a value of NESTBIND_REPORT; empty: none
  bool is_strict = false;

  bool has_specification() const { return !specification.empty(); }
  bool binds() const { return levels > 0; }
};

// Each takes an option's value (--nestbind, --nestbind-report) or null, and returns an empty text.
// If the value is wrong, returns the fault, and does not change the request. An empty specification
// counts as no specification. The fault of a specification has three lines: fault, text, caret.
std::string take_specification(const char* text, Request& request);
std::string take_report(const char* value, Request& request);

// A shell (of sbatch's script, or salloc's on a node) only passes the specification on. The shell
// and its commands are not bound. Programs that it starts with srun, mpirun or nestbind are bound.
enum class Whose { kProgram, kShell };

struct Variable {
  std::string name;
  std::string value;
  bool replaces = true;  // also replaces a value that the user has set
  bool operator==(const Variable&) const = default;
};

// The files and variables that the task finds on its node; empty: not known, or none.
struct Surroundings {
  std::string library;         // nestbind's library; empty: nothing is preloaded
  std::string preload;         // the user's LD_PRELOAD
  std::string working_folder;  // of the task
  std::string cache;           // the job's folder with the machine
};

// The variables, in the order in which to set them. Empty if there is no specification.
std::vector<Variable> variables_for(const Request& request, Whose whose,
                                    const Surroundings& surroundings);

}  // namespace nestbind::slurm
