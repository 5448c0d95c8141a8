// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind trace.
#include <memory>

#include "cli/commands.hpp"
#include "cli/subcommand.hpp"
#include "cli/trace.hpp"

namespace nestbind::cli {

void add_trace(CLI::App& app, Call& call) {
  const auto options = std::make_shared<TraceOptions>();
  const Subcommand command(app, "trace", "Put a trace (NESTBIND_TRACE) into words");
  command.argument("FILE", options->file, "The trace");
  command.require("FILE");
  command.examples({"nestbind trace /tmp/program.trace", "each fork, and who told of it"},
                   {"nestbind trace trace.4711 | grep -c forked", "how many forks there were"});
  command.does([&call, options] { call.status = trace_command(*options); });
}

}  // namespace nestbind::cli
