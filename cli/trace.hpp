// SPDX-License-Identifier: BSD-3-Clause
// nestbind trace: a trace of the library (NESTBIND_TRACE) in words.
#pragma once

#include <string>

namespace nestbind::cli {

struct TraceOptions {
  std::string file;
};

// Prints an event on each line. Returns the exit status.
int trace_command(const TraceOptions& options);

}  // namespace nestbind::cli
