// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind plan.
#include <memory>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/environment.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
#include "cli/plan.hpp"
#include "cli/subcommand.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

namespace {

int plan(const Subcommand& command, PlanOptions& options) {
  unshield(options.spec);
  const bool is_given = command.has("SPEC");
  options.spec = is_given ? options.spec : variable(options::kSpecification);
  if (!is_given && options.spec.empty()) {
    say("plan: which specification? nestbind plan [OPTIONS] SPEC, or OMP_NESTING_TEAM_SIZE");
    return kUsage;
  }
  warn_of_unknown_variables();
  const bool is_complete = complete(options.machine) && complete(options::kOrder, options.order);
  return is_complete ? plan_command(options) : kUsage;
}

}  // namespace

void add_plan(CLI::App& app, Call& call) {
  const auto options = std::make_shared<PlanOptions>();
  const Subcommand command(app, "plan", "Show who would sit where");
  command.argument("SPEC", options->spec,
                   std::string(kSpecHelp) + "; by default OMP_NESTING_TEAM_SIZE");
  add_machine_options(command, options->machine);
  add_variable_option(command, options::kOrder, options->order);
  command.option("--beside", options->beside, "SPEC",
                 "Another specification, to be drawn beside the first one");
  command.option("--ranks", options->ranks, {1, kMostRanks}, "N",
                 "Show the places of each of so many ranks of a job that divide the processors of "
                 "a node");
  command.option_of_words(
      "--format", options->format, {"picture", "text", "json", "svg"}, "FORMAT",
      "picture, text (tables), json or svg; by default a picture on a terminal and with "
      "--beside, otherwise text");
  command.examples({"nestbind plan numa,scatter,core,subcompact --machine 'pack:4 core:4 pu:1'",
                    "a thread for each core, on a machine of four packages"},
                   {"nestbind plan 4,scatter,4,subscatter --beside 4,compact,4,subcompact",
                    "two specifications beside each other, on this machine"});
  command.does([command, &call, options] { call.status = plan(command, *options); });
}

}  // namespace nestbind::cli
