// SPDX-License-Identifier: BSD-3-Clause
// The user's request (the plugin's options of srun, sbatch or salloc), and the environment that a
// task gets for this request.
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
// change the request. An empty specification counts as no specification.
std::string take_specification(const char* text, Request& request);
std::string take_report(const char* value, Request& request);

// What runs in a task. kShell is sbatch's script, or the shell of salloc on a node. The shell and
// its commands are not bound. Programs that the shell starts with srun, mpirun or nestbind are
// bound.
enum class Whose { kProgram, kShell };

struct Variable {
  std::string name;
  std::string value;
  bool replaces = true;  // whether the variable replaces a value that the user has set
  bool operator==(const Variable&) const = default;
};

// A text is empty if it is not known or not set.
struct Surroundings {
  std::string library;  // nestbind's library; if empty, nothing is preloaded
  std::string preload;
  std::string working_folder;
  std::string cache;  // the job's folder, in which its processes save the machine
};

// Returns the task's variables, in the order in which to set them.
std::vector<Variable> variables_for(const Request& request, Whose whose,
                                    const Surroundings& surroundings);

}  // namespace nestbind::slurm
