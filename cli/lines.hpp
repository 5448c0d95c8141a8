// SPDX-License-Identifier: BSD-3-Clause
// nestbind lines: a report with source lines in place of addresses.
#pragma once

#include <string>

namespace nestbind::cli {

struct LinesOptions {
  std::string file;  // empty or "-": the standard input
};

// Prints the report. Returns the exit status.
int lines_command(const LinesOptions& options);

}  // namespace nestbind::cli
