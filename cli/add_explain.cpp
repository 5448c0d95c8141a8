// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind explain.
#include <memory>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/environment.hpp"
#include "cli/explain.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
#include "cli/subcommand.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

namespace {

int explain(ExplainOptions& options) {
  unshield(options.spec);
  options.spec = options.spec.empty() ? variable(options::kSpecification) : options.spec;
  if (options.spec.empty()) {
    say("explain: which specification? nestbind explain [OPTIONS] SPEC, or OMP_NESTING_TEAM_SIZE");
    return kUsage;
  }
  warn_of_unknown_variables();
  return complete(options.machine) ? explain_command(options) : kUsage;
}

}  // namespace

void add_explain(CLI::App& app, Call& call) {
  const auto options = std::make_shared<ExplainOptions>();
  const Subcommand command(app, "explain",
                           "Say in words what a specification does, and what would do the same");
  command.argument("SPEC", options->spec,
                   std::string(kSpecHelp) + "; by default OMP_NESTING_TEAM_SIZE");
  add_machine_options(command, options->machine);
  command.option_of_words("--runtime", options->runtime, {"gnu", "llvm"}, "RUNTIME",
                          "gnu or llvm: in the variables of this runtime only; by default of both");
  command.option_of_words("--format", options->format, {"text", "json"}, "FORMAT",
                          "text (the default) or json");
  command.examples(
      {"nestbind explain 4,scatter,2,subcompact", "where its teams go on this machine"},
      {"nestbind explain 2,scatter,4,subscatter --runtime gnu --machine 'pack:2 core:4 pu:1'",
       "on a machine of two packages, and what to set for GCC's runtime without nestbind"});
  command.does([&call, options] { call.status = explain(*options); });
}

}  // namespace nestbind::cli
