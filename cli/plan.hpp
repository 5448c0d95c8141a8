// SPDX-License-Identifier: BSD-3-Clause
// nestbind plan: who would sit where.
#pragma once

#include <string>

namespace nestbind::cli {

struct PlanOptions {
  std::string spec;
  std::string machine;  // XML file or synthetic description; empty: this machine
  std::string cpus;     // list; empty: this process's, or with a machine all of it
  std::string format = "text";
  std::string smt;    // as NESTBIND_SMT; empty: as many as wanted
  std::string cores;  // as NESTBIND_CORES; empty: auto
};

// Returns the exit status.
int plan_command(const PlanOptions& options);

}  // namespace nestbind::cli
