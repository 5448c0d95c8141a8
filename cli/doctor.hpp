// SPDX-License-Identifier: BSD-3-Clause
// nestbind doctor: whether a program can be bound, or a running one is, and why not.
#pragma once

#include <string>

namespace nestbind::cli {

struct DoctorOptions {
  std::string program;  // empty: this machine alone
  std::string library;  // empty: the one of this command
  int process = 0;      // in place of a program, a running one; 0: none
};

// Returns the exit status. The program is not run.
int doctor_command(const DoctorOptions& options);

// doctor_pid.cpp: of a running process. Nothing is done to it.
int doctor_pid_command(const DoctorOptions& options);

}  // namespace nestbind::cli
