// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind suggest.
#include <memory>

#include "cli/commands.hpp"
#include "cli/environment.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
#include "cli/subcommand.hpp"
#include "cli/suggest.hpp"

namespace nestbind::cli {

void add_suggest(CLI::App& app, Call& call) {
  const auto options = std::make_shared<SuggestOptions>();
  const Subcommand command(app, "suggest", "Name the specifications that are worth trying");
  command.argument("SHAPE", options->shape,
                   "Team sizes of the program's levels, such as 4x4; by default the machine's own");
  add_machine_options(command, options->machine);
  command.option_of_words("--format", options->format, {"text", "json"}, "FORMAT",
                          "text (the default) or json");
  command.examples({"nestbind suggest", "for this machine, whatever the program is"},
                   {"nestbind suggest 4x4 --machine 'pack:4 core:4 pu:1'",
                    "for four teams of four, on a machine of four packages"});
  command.does([&call, options] {
    warn_of_unknown_variables();
    call.status = complete(options->machine) ? suggest_command(*options) : kUsage;
  });
}

}  // namespace nestbind::cli
