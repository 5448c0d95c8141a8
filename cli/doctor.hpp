// SPDX-License-Identifier: BSD-3-Clause
// nestbind doctor: whether a program can be bound, and why not.
#pragma once

#include <string>

namespace nestbind::cli {

struct DoctorOptions {
  std::string program;
  std::string library;  // empty: the one of this command
};

// Returns the exit status. The program is not run.
int doctor_command(const DoctorOptions& options);

}  // namespace nestbind::cli
