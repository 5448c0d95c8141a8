// SPDX-License-Identifier: BSD-3-Clause
// nestbind explain: shows a specification in words, and as variables of other runtimes and tools.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "advice/explanation.hpp"
#include "cli/command_line.hpp"
#include "cli/common/asked_machine.hpp"
#include "cli/common/environment.hpp"
#include "cli/common/output_files.hpp"
#include "cli/common/say.hpp"
#include "cli/common/specification.hpp"
#include "cli/common/usual_options.hpp"
#include "cli/subcommand.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

namespace {

struct ExplainOptions {
  std::string spec;
  MachineOptions machine;
  std::string shape;    // empty means the specification's sizes
  std::string runtime;  // "gnu", "llvm", or "" for both
  std::string format = "text";
};

int explain_command(ExplainOptions& options) {
  complete_spec(options.spec);
  if (options.spec.empty()) {
    say("explain: no specification is given; expected nestbind explain [OPTIONS] SPEC, or "
        "OMP_NESTING_TEAM_SIZE");
    return kUsage;
  }
  warn_of_unknown_variables();
  if (!complete(options.machine)) {
    return kUsage;
  }
  spec::Spec spec;
  std::vector<int> shape;
  if (!read_specification(options.spec, spec) || !read_shape_of(options.shape, {spec}, shape)) {
    return kUsage;
  }
  int status = kSuccess;
  const auto asked = read_asked_machine(options.machine, status);
  if (!asked) {
    return status;
  }
  std::vector<advice::Runtime> runtimes;
  for (const auto& [word, runtime] :
       {std::pair("gnu", advice::Runtime::kGnu), std::pair("llvm", advice::Runtime::kLlvm)}) {
    if (options.runtime.empty() || options.runtime == word) {
      runtimes.push_back(runtime);
    }
  }
  const advice::Explanation explanation = advice::explain(
      spec, asked->topology, asked->smt, asked->cores, runtimes, asked->quota, shape);
  const bool is_json = options.format == "json";
  const std::string text =
      is_json ? advice::json_of(explanation) : advice::text_of(explanation, text_columns());
  std::fputs(text.c_str(), stdout);
  return kSuccess;
}

}  // namespace

void add_explain(CLI::App& app, Call& call) {
  const auto options = std::make_shared<ExplainOptions>();
  CLI::App& command = *app.add_subcommand(
      "explain", "Describe what a specification does, and how other tools do the same");
  add_spec(command, options->spec, kSpecOrVariableHelp);
  add_machine_options(command, options->machine);
  add_shape(command, options->shape);
  add_option(command, "--runtime", "RUNTIME", options->runtime,
             "gnu or llvm: show only this runtime's variables; by default both runtimes' variables")
      ->check(one_of({"gnu", "llvm"}));
  add_format(command, options->format);
  add_output(command, call);
  add_examples(command, {"nestbind explain 4,scatter,2,subcompact", "its teams on this machine"},
               {"nestbind explain 2,scatter,4,subscatter --machine 'pack:2 [numa] core:4 pu:1'",
                "places on a machine of two packages, and settings without nestbind"});
  command.callback([&call, options] { call.status = explain_command(*options); });
}

}  // namespace nestbind::cli
