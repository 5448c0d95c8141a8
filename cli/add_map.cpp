// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind map.
#include <memory>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/environment.hpp"
#include "cli/map.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
#include "cli/subcommand.hpp"
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
  const Subcommand command(
      app, "map", "Find the order in which threads that talk to each other sit close together");
  command.argument("SPEC", options->spec,
                   std::string(kSpecHelp) + "; by default OMP_NESTING_TEAM_SIZE");
  command.option("--communication", options->communication, "FILE",
                 "Who talks to whom: lines of two threads and a weight, such as 0.1 2.3 64, or a "
                 "Matrix Market file");
  command.option("--output", options->output, "FILE",
                 "Write the order there, for nestbind run --order=FILE");
  command.option_of_words(
      "--method", options->method, {"scotch", "greedy"}, "METHOD",
      "greedy: without SCOTCH; scotch: not without it; by default with it where it is there");
  add_machine_options(command, options->machine);
  command.option_of_words("--format", options->format, {"text", "json"}, "FORMAT",
                          "text (the default) or json");
  command.examples(
      {"nestbind map --communication pairs.txt --output order.txt 4,scatter,4,subscatter",
       "four teams of four; then nestbind run --order=order.txt 4,scatter,4,subscatter -- ..."},
      {"nestbind map --communication matrix.mtx --machine 'pack:4 l3:4 core:4 pu:1' 64,compact",
       "on another machine, from a matrix"});
  command.does([&call, options] { call.status = map(*options); });
}

}  // namespace nestbind::cli
