// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind lines.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/lines.hpp"

namespace nestbind::cli {

void add_lines(CLI::App& app, Call& call) {
  const auto options = std::make_shared<LinesOptions>();
  CLI::App& command = *app.add_subcommand("lines", "Show a report with source lines");
  command.add_option("FILE", options->file, "The report; by default the standard input")
      ->type_name("");
  set_examples(command,
               {"nestbind lines report.txt", "the report, its loops by their source lines"},
               {"nestbind lines report.txt | grep solve.c", "the loops of one file"});
  command.callback([&call, options] { call.status = lines_command(*options); });
}

}  // namespace nestbind::cli
