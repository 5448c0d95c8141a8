// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind plan.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/environment.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
#include "cli/plan.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

namespace {

int plan(const CLI::App& command, PlanOptions& options) {
  unshield(options.spec);
  const bool is_given = command.get_option("SPEC")->count() > 0;
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
  CLI::App& command = *app.add_subcommand("plan", "Show who would sit where");
  command
      .add_option("SPEC", options->spec,
                  std::string(kSpecHelp) + "; by default OMP_NESTING_TEAM_SIZE")
      ->type_name("");
  add_machine_options(command, options->machine);
  add_variable_option(command, options::kOrder, options->order);
  command
      .add_option("--beside", options->beside,
                  "Another specification, to be drawn beside the first one")
      ->type_name("SPEC");
  add_words(command, "--format", options->format, {"picture", "text", "json", "svg"},
            "picture, text (tables), json or svg; by default a picture on a terminal and with "
            "--beside, otherwise text",
            "FORMAT");
  set_examples(command,
               {"nestbind plan numa,scatter,core,subcompact --machine 'pack:4 core:4 pu:1'",
                "a thread for each core, on a machine of four packages"},
               {"nestbind plan 4,scatter,4,subscatter --beside 4,compact,4,subcompact",
                "two specifications beside each other, on this machine"});
  command.callback([&command, &call, options] { call.status = plan(command, *options); });
}

}  // namespace nestbind::cli
