// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind explain.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/environment.hpp"
#include "cli/explain.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
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
  CLI::App& command = *app.add_subcommand(
      "explain", "Say in words what a specification does, and what would do the same");
  command
      .add_option("SPEC", options->spec,
                  std::string(kSpecHelp) + "; by default OMP_NESTING_TEAM_SIZE")
      ->type_name("");
  add_machine_options(command, options->machine);
  add_words(command, "--runtime", options->runtime, {"gnu", "llvm"},
            "gnu or llvm: in the variables of this runtime only", "RUNTIME");
  add_words(command, "--format", options->format, {"text", "json"}, "text or json", "FORMAT");
  set_examples(
      command, {"nestbind explain 4,scatter,2,subcompact", "where its teams go on this machine"},
      {"nestbind explain 2,scatter,4,subscatter --runtime gnu --machine 'pack:2 core:4 pu:1'",
       "on a machine of two packages, and what to set for GCC's runtime without nestbind"});
  command.callback([&call, options] { call.status = explain(*options); });
}

}  // namespace nestbind::cli
