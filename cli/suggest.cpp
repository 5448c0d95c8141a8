// SPDX-License-Identifier: BSD-3-Clause
// nestbind suggest: lists the specifications that are worth trying.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "advice/suggestions.hpp"
#include "cli/common/asked_machine.hpp"
#include "cli/common/environment.hpp"
#include "cli/common/output_files.hpp"
#include "cli/common/say.hpp"
#include "cli/common/specification.hpp"
#include "cli/common/usual_options.hpp"
#include "cli/subcommand.hpp"
#include "show/texts.hpp"
#include "spec/spec.hpp"

namespace nestbind::cli {

namespace {

struct SuggestOptions {
  std::string shape;  // "4x4", the outermost level first; empty if not known
  MachineOptions machine;
  std::string format = "text";
};

// Returns a command that the user can type next. Copies this call's options if `command` accepts
// them.
std::string line_for(const char* command, const SuggestOptions& options, const std::string& spec) {
  const MachineOptions& machine = options.machine;
  const bool is_here = machine.machine.empty() || command == std::string("explain");
  std::string line = std::string("nestbind ") + command + " ";
  line += machine.cpus.empty() || !is_here ? "" : "--cpus " + machine.cpus + " ";
  line += machine.smt.empty() ? "" : "--smt " + machine.smt + " ";
  line += machine.cores.empty() ? "" : "--cores " + machine.cores + " ";
  line += machine.distances.empty() ? "" : "--distances " + machine.distances + " ";
  line +=
      machine.machine.empty() || !is_here ? "" : "--machine " + shell_word(machine.machine) + " ";
  return line + spec;
}

std::string run_line(const SuggestOptions& options, const std::string& spec) {
  return line_for("run", options, spec) + " -- ./program";
}

std::string text_of(const std::vector<advice::Suggestion>& suggestions,
                    const SuggestOptions& options, const std::string& summary) {
  std::string text = printable(summary) + "\n";
  for (const advice::Suggestion& suggestion : suggestions) {
    text += fmt::format("\n{}\n", suggestion.text);
    for (const std::string& line : {"for " + suggestion.serves, suggestion.reason}) {
      text += show::wrapped("    " + line, text_columns(), 4) + "\n";
    }
  }
  const std::string& first = suggestions.front().text;
  text += fmt::format("\nto see it, and to run it{}:\n    {}\n    {}\n",
                      options.machine.machine.empty() ? "" : " there",
                      printable(line_for("explain", options, first)),
                      printable(run_line(options, first)));
  return text;
}

std::string json_of(const std::vector<advice::Suggestion>& suggestions,
                    const SuggestOptions& options, const std::string& summary) {
  nlohmann::ordered_json object;
  object["machine"] = summary;
  object["suggestions"] = nlohmann::ordered_json::array();
  for (const advice::Suggestion& suggestion : suggestions) {
    object["suggestions"].push_back(
        {{"spec", suggestion.text}, {"for", suggestion.serves}, {"reason", suggestion.reason}});
  }
  if (!suggestions.empty()) {
    object["next"] = run_line(options, suggestions.front().text);
  }
  return object.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void say_nothing_fits(const std::vector<int>& shape, const machine::Topology& topology,
                      bool is_here, const char* from) {
  const long threads = advice::threads_of(shape);
  const int processors = topology.count(machine::Kind::kPu);
  if (threads > processors) {
    say("suggest: {} threads{} are more than {} ({}): some would share a processor; take a "
        "smaller shape, {}or see what a specification does: nestbind explain SPEC",
        threads, from, processors == 1 ? "1 processor" : fmt::format("{} processors", processors),
        topology.summary(), is_here ? "another machine by --machine, " : "");
  } else {
    say("suggest: there is no choice here: {}",
        processors == 1 ? "one processor can be used" : "one thread needs no strategy");
  }
}

int suggest_command(const SuggestOptions& options) {
  std::vector<int> shape;
  if (!options.shape.empty()) {
    const auto read = read_shape(options.shape);
    if (!read) {
      say("suggest: {}: expected the team sizes of the levels, such as 4x4 or 16 (each from 1 to "
          "{})",
          options.shape, spec::kMaxThreads);
      return kUsage;
    }
    shape = *read;
  }
  const bool is_set = options.shape.empty() && !(shape = shape_of_variable()).empty();
  const char* const from = is_set ? " (OMP_NUM_THREADS)" : "";
  int status = kSuccess;
  const auto asked = read_asked_machine(options.machine, status);
  if (!asked) {
    return status;
  }
  const auto suggestions = advice::suggest(asked->topology, shape, asked->smt, asked->cores);
  const std::string summary =
      asked->topology.summary() +
      (is_set ? fmt::format("; teams of {}{}", fmt::join(shape, "x"), from) : "");
  const bool is_json = options.format == "json";
  if (suggestions.empty()) {
    say_nothing_fits(shape, asked->topology, options.machine.machine.empty(), from);
  }
  if (is_json || !suggestions.empty()) {
    const std::string text =
        is_json ? json_of(suggestions, options, summary) : text_of(suggestions, options, summary);
    std::fputs(text.c_str(), stdout);
  }
  return suggestions.empty() ? kFailure : kSuccess;
}

}  // namespace

void add_suggest(CLI::App& app, Call& call) {
  const auto options = std::make_shared<SuggestOptions>();
  CLI::App& command = *app.add_subcommand("suggest", "Name specifications that are worth trying");
  add_option(command, "SHAPE", "", options->shape,
             "Team sizes of the program's levels, such as 4x4; by default OMP_NUM_THREADS, or the "
             "machine's own");
  add_machine_options(command, options->machine);
  add_format(command, options->format);
  add_output(command, call);
  add_examples(command, {"nestbind suggest", "for this machine, and any program"},
               {"nestbind suggest 4x4 --machine 'pack:4 [numa] core:4 pu:1'",
                "for four teams of four, on a machine of four packages"});
  command.callback([&call, options] {
    warn_of_unknown_variables();
    call.status = complete(options->machine) ? suggest_command(*options) : kUsage;
  });
}

}  // namespace nestbind::cli
