// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind lines.
#include <memory>

#include "cli/commands.hpp"
#include "cli/lines.hpp"
#include "cli/subcommand.hpp"

namespace nestbind::cli {

void add_lines(CLI::App& app, Call& call) {
  const auto options = std::make_shared<LinesOptions>();
  const Subcommand command(app, "lines", "Show a report with source lines");
  command.argument("FILE", options->file, "The report; by default the standard input");
  command.examples({"nestbind lines report.txt", "the report, its loops by their source lines"},
                   {"nestbind lines report.txt | grep solve.c", "the loops of one file"});
  command.does([&call, options] { call.status = lines_command(*options); });
}

}  // namespace nestbind::cli
