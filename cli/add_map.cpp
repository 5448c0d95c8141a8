// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind map.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/environment.hpp"
#include "cli/map.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

namespace {

int map(MapOptions& options) {
  unshield(options.spec);
  options.spec = options.spec.empty() ? variable(options::kSpecification) : options.spec;
  if (options.spec.empty()) {
    say("map: which specification? nestbind map --communication FILE [OPTIONS] SPEC, or "
        "OMP_NESTING_TEAM_SIZE");
    return kUsage;
  }
  if (options.communication.empty()) {
    say("map: who talks to whom? nestbind map --communication FILE [OPTIONS] SPEC, with lines such "
        "as 0.1 2.3 64 in the file");
    return kUsage;
  }
  warn_of_unknown_variables();
  return complete(options.machine) ? map_command(options) : kUsage;
}

}  // namespace

void add_map(CLI::App& app, Call& call) {
  const auto options = std::make_shared<MapOptions>();
  CLI::App& command = *app.add_subcommand(
      "map", "Find the order in which threads that talk to each other sit close together");
  command
      .add_option("SPEC", options->spec,
                  std::string(kSpecHelp) + "; by default OMP_NESTING_TEAM_SIZE")
      ->type_name("");
  command
      .add_option("--communication", options->communication,
                  "Who talks to whom: lines of two threads and a weight, such as 0.1 2.3 64, or a "
                  "Matrix Market file")
      ->type_name("FILE");
  command
      .add_option("--output", options->output,
                  "Write the order there, for nestbind run --order=FILE")
      ->type_name("FILE");
  add_words(command, "--method", options->method, {"scotch", "greedy"},
            "greedy: without SCOTCH; scotch: not without it; by default with it where it is there",
            "METHOD");
  add_machine_options(command, options->machine);
  add_words(command, "--format", options->format, {"text", "json"}, "text or json", "FORMAT");
  set_examples(
      command,
      {"nestbind map --communication pairs.txt --output order.txt 4,scatter,4,subscatter",
       "four teams of four; then nestbind run --order=order.txt 4,scatter,4,subscatter -- ..."},
      {"nestbind map --communication matrix.mtx --machine 'pack:4 l3:4 core:4 pu:1' 64,compact",
       "on another machine, from a matrix"});
  command.callback([&call, options] { call.status = map(*options); });
}

}  // namespace nestbind::cli
