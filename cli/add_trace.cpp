// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind trace.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/trace.hpp"

namespace nestbind::cli {

void add_trace(CLI::App& app, Call& call) {
  const auto options = std::make_shared<TraceOptions>();
  CLI::App& command = *app.add_subcommand("trace", "Put a trace (NESTBIND_TRACE) into words");
  command.add_option("FILE", options->file, "The trace")->required()->type_name("");
  set_examples(command, {"nestbind trace /tmp/program.trace", "each fork, and who told of it"},
               {"nestbind trace trace.4711 | grep -c forked", "how many forks there were"});
  command.callback([&call, options] { call.status = trace_command(*options); });
}

}  // namespace nestbind::cli
