// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind topology.
#include <memory>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/environment.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
#include "cli/subcommand.hpp"
#include "cli/topology.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

void add_topology(CLI::App& app, Call& call) {
  const auto options = std::make_shared<TopologyOptions>();
  const Subcommand command(app, "topology", "Show what lies between a machine's slots");
  command.argument("SPEC", options->spec,
                   "Show the slots of this specification; by default OMP_NESTING_TEAM_SIZE, or a "
                   "slot for each core");
  add_machine_options(command, options->machine);
  add_variable_option(command, options::kOrder, options->order);
  command.flag("--hops", options->hops, "Only the hops between NUMA nodes");
  command.flag("--coordinates", options->coordinates, "Only where each slot is");
  command.option_of_words("--format", options->format, {"text", "json"}, "FORMAT",
                          "text (the default) or json (all of it)");
  command.examples({"nestbind topology", "what lies between the NUMA nodes of this machine"},
                   {"nestbind topology --coordinates --machine 'pack:4 core:4 pu:1'",
                    "where each core is, on a machine of four packages"});
  command.does([&call, options] {
    unshield(options->spec);
    options->spec = options->spec.empty() ? variable(options::kSpecification) : options->spec;
    warn_of_unknown_variables();
    const bool is_complete =
        complete(options->machine) && complete(options::kOrder, options->order);
    call.status = is_complete ? topology_command(*options) : kUsage;
  });
}

}  // namespace nestbind::cli
