// SPDX-License-Identifier: BSD-3-Clause
// The user's request (the plugin's options of srun, sbatch or salloc), and the environment that a
// task gets for this request. No I/O.
#pragma once

#include <string>
#include <vector>

namespace nestbind::slurm {

struct Request {
  std::string specification;  // in canonical form; empty if there is none
  int levels = 0;             // number of levels; 0 without a specification, or for "off"
  std::string report;         // a value of NESTBIND_REPORT; may be empty
  bool is_strict = false;

  bool has_specification() const { return !specification.empty(); }
  bool binds() const { return levels > 0; }
};

// These functions store an option's value (--nestbind, --nestbind-report; may be null) in the
// request, and return an empty text. If the value is wrong, they return an error text, and do not
// change the request. An empty specification counts as no specification. The error text of a
// specification has three lines: the error, the specification, and a caret under the fault.
std::string take_specification(const char* text, Request& request);
std::string take_report(const char* value, Request& request);

// Whether a task is the user's program or a shell (of sbatch's script, or salloc's on a node). A
// shell only passes the specification on. The shell and its commands are not bound. Programs that
// the shell starts with srun, mpirun or nestbind are bound.
enum class Whose { kProgram, kShell };

struct Variable {
  std::string name;
  std::string value;
  bool replaces = true;  // whether the variable replaces a value that the user has set
  bool operator==(const Variable&) const = default;
};

// The files and variables that the task finds on its node. A text is empty if it is not known or
// not set.
struct Surroundings {
  std::string library;         // nestbind's library; if empty, nothing is preloaded
  std::string preload;         // the user's LD_PRELOAD
  std::string working_folder;  // the task's working folder
  std::string cache;           // the job's folder, in which its processes save the machine
};

// Returns the task's variables, in the order in which to set them. The list is empty if there is no
// specification.
std::vector<Variable> variables_for(const Request& request, Whose whose,
                                    const Surroundings& surroundings);

}  // namespace nestbind::slurm
