// SPDX-License-Identifier: BSD-3-Clause
// What the user of srun, sbatch or salloc asks for by the plugin's options. Pure.
#pragma once

#include <string>

namespace nestbind::slurm {

struct Request {
  std::string specification;  // in canonical form; empty: none
  int levels = 0;             // of it; 0: none, or "off"
  std::string report;         // a value of NESTBIND_REPORT; empty: none
  bool is_strict = false;

  bool has_specification() const { return !specification.empty(); }
  bool binds() const { return levels > 0; }
};

// Each takes the value of an option, of --nestbind and of --nestbind-report, as Slurm hands it over
// (null: without one). Returns an empty text, or what is wrong with the value, and the request is
// as it was. That of a specification has three lines: the fault, the text, and a caret under it.
std::string take_specification(const char* text, Request& request);
std::string take_report(const char* value, Request& request);

}  // namespace nestbind::slurm
