// SPDX-License-Identifier: BSD-3-Clause
// The command's subcommands and their options. What they do is in plan.cpp, run.cpp and so on.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/doctor.hpp"
#include "cli/environment.hpp"
#include "cli/inspect/program.hpp"
#include "cli/lines.hpp"
#include "cli/message.hpp"
#include "cli/plan.hpp"
#include "cli/refused.hpp"
#include "cli/run.hpp"
#include "cli/specification.hpp"
#include "cli/trace.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

namespace {

constexpr char kSpecHelp[] = "Binding specification, such as 4,scatter,2,subcompact";
constexpr char kMachineNames[] = "--machine,--topology";

// A variable of the shell's may have been meant to fill it in.
std::string fault_of_empty(const std::string& value) { return value.empty() ? "no value" : ""; }

std::string fault_of_no_processors(const std::string& list) {
  return list.empty() ? "no processors" : "";
}

// The option of a variable that has one.
void add_option(CLI::App& command, int variable, std::string& value) {
  const options::Option& option = options::kTable[variable].option;
  const std::string name = variable == options::kMachine ? kMachineNames : option.name;
  if (option.bare != nullptr) {
    command.add_flag(name + "{" + option.bare + "}", value, option.help);
  } else {
    command.add_option(name, value, option.help)->check(fault_of_empty)->type_name(option.value);
  }
}

void add_cpus(CLI::App& command, std::string& cpus, const char* help) {
  command.add_option("--cpus", cpus, help)->check(fault_of_no_processors)->type_name("LIST");
}

void add_library(CLI::App& command, std::string& library) {
  command.add_option("--library", library, "libnestbind.so to preload")
      ->check(fault_of_empty)
      ->type_name("PATH");
}

CLI::App& add_plan(CLI::App& app, PlanOptions& options) {
  CLI::App& command = *app.add_subcommand("plan", "Show who would sit where");
  command
      .add_option("SPEC", options.spec,
                  std::string(kSpecHelp) + "; by default OMP_NESTING_TEAM_SIZE")
      ->type_name("");
  command
      .add_option(kMachineNames, options.machine,
                  "hwloc XML file, or synthetic description; by default NESTBIND_MACHINE, or this "
                  "machine")
      ->check(fault_of_empty)
      ->type_name("XML-FILE|SYNTHETIC");
  add_cpus(command, options.cpus,
           "Processors that may be used, such as 0-3,8; by default this process's, or all of "
           "the machine that is named");
  command.add_option("--format", options.format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  add_option(command, options::kSmt, options.smt);
  add_option(command, options::kCores, options.cores);
  return command;
}

// The program's own arguments are no options of ours.
struct UsageOfRun : CLI::Formatter {
  std::string make_usage(const CLI::App*, std::string name) const override {
    const std::string others = "\n       " + name;
    return "Usage: " + name + " [OPTIONS] SPEC [--] PROGRAM [ARGUMENT...]" + others +
           " --schedule SCHEDULE [OPTIONS] -- PROGRAM [ARGUMENT...]" + others +
           " --print-env [OPTIONS] SPEC\n";
  }
};

CLI::App& add_run(CLI::App& app, RunOptions& options) {
  CLI::App& command = *app.add_subcommand("run", "Start a program with its teams bound");
  command.formatter(std::make_shared<UsageOfRun>());
  command.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  command.add_option("SPEC", options.spec, kSpecHelp)->type_name("");
  for (int i = 0; i < options::kVariables; ++i) {
    if (options::kTable[i].option.name != nullptr) {
      add_option(command, i, i == options::kRuntime ? options.runtime : options.values[i]);
    }
  }
  add_cpus(command, options.cpus,
           "Processors that the program may use, such as 0-3,8; by default this process's");
  add_library(command, options.library);
  command.add_flag("--print-env", options.prints,
                   "Start nothing: print the variables, for a job script's eval");
  command.prefix_command();
  return command;
}

CLI::App& add_doctor(CLI::App& app, DoctorOptions& options) {
  CLI::App& command = *app.add_subcommand("doctor", "Tell whether a program can be bound");
  command.add_option("PROGRAM", options.program, "Program, searched for as a shell does")
      ->required()
      ->type_name("");
  add_library(command, options.library);
  return command;
}

CLI::App& add_trace(CLI::App& app, TraceOptions& options) {
  CLI::App& command = *app.add_subcommand("trace", "Put a trace (NESTBIND_TRACE) into words");
  command.add_option("FILE", options.file, "The trace")->required()->type_name("");
  return command;
}

CLI::App& add_lines(CLI::App& app, LinesOptions& options) {
  CLI::App& command = *app.add_subcommand("lines", "Show a report with source lines");
  command.add_option("FILE", options.file, "The report; by default the standard input")
      ->type_name("");
  return command;
}

// An empty variable is as one that is not set.
std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Whether an option's value, or without one its variable's, is good; says what is wrong otherwise.
// A variable's value becomes the option's.
bool complete(int number, std::string& value) {
  const auto& [rule, unset, option] = options::kTable[number];
  const bool is_option = !value.empty();
  value = is_option ? value : variable(rule.name);
  const std::string fault = value.empty() ? "" : fault_of(rule, value);
  if (!fault.empty() && number == options::kSchedule) {  // of several lines
    say_printable((is_option ? std::string(option.name) : rule.name) + ": " + fault);
  } else if (!fault.empty()) {
    say("{}{}: {}", is_option ? std::string(option.name) + " " : std::string(rule.name) + "=",
        value, fault);
  }
  return fault.empty();
}

int plan(const CLI::App& command, PlanOptions& options) {
  unshield(options.spec);
  const bool is_given = command.get_option("SPEC")->count() > 0;
  options.spec = is_given ? options.spec : variable(options::kSpecification);
  if (!is_given && options.spec.empty()) {
    say("plan: which specification? nestbind plan [OPTIONS] SPEC, or OMP_NESTING_TEAM_SIZE");
    return kUsage;
  }
  warn_of_unknown_variables();
  const bool is_good = complete(options::kSmt, options.smt) &&
                       complete(options::kCores, options.cores) &&
                       complete(options::kMachine, options.machine);
  return is_good ? plan_command(options) : kUsage;
}

// All that the library would complain of, before the program starts.
bool complete_run(RunOptions& options) {
  const std::string& machine = options.values[options::kMachine];
  options.names_machine = !machine.empty();
  std::string runtime;  // --runtime is not its variable's value: run_command reads it
  for (int i = 0; i < options::kVariables; ++i) {
    if (!complete(i, i == options::kRuntime ? runtime : options.values[i])) {
      return false;
    }
  }
  if (!machine.empty() && !options.cpus.empty()) {
    say("--cpus is for this machine, and a dry run for all of {}; nestbind plan shows a part of it",
        machine);
    return false;
  }
  return true;
}

// Which of the words is the specification, and which the program: with --schedule there need not be
// one, and then the program is behind "--". Says so where it is not.
bool has_specification(const CLI::App& command, const RunOptions& options, bool has_dashes) {
  const bool has_word = command.get_option("SPEC")->count() > 0;
  const bool may_do_without = !options.values[options::kSchedule].empty();
  if (!has_word && !may_do_without) {
    throw CLI::RequiredError("SPEC");
  }
  spec::Spec unused;
  if (has_word && may_do_without && !has_dashes && !parse(options.spec, unused).empty() &&
      inspect::find_program(options.spec)) {
    say("run: {} is no specification; without one, -- is to be before the program: nestbind run "
        "--schedule={} -- {}",
        options.spec, options.values[options::kSchedule], options.spec);
    return false;
  }
  return true;
}

int run(const CLI::App& command, RunOptions& options, std::vector<std::string> behind_dashes) {
  unshield(options.spec);
  if (!has_specification(command, options, !behind_dashes.empty())) {
    return kUsage;
  }
  if (!complete_run(options)) {
    return kUsage;
  }
  warn_of_unknown_variables();
  options.program = command.remaining();
  if (!options.program.empty() && options.program[0].starts_with("-")) {
    say_no_option(command, options.program[0]);
    return kUsage;
  }
  if (!options.program.empty() && !behind_dashes.empty()) {
    say("run: {} is between the specification and --; where a program has a -- of its own, "
        "another one stands before it: nestbind run SPEC -- {} ...",
        options.program[0], options.program[0]);
    return kUsage;
  }
  if (options.program.empty()) {
    options.program = std::move(behind_dashes);
  }
  if (options.program.empty() && !options.prints) {
    say("run: which program? nestbind run [OPTIONS] SPEC -- program arguments");
    return kUsage;
  }
  return run_command(options);
}

int parse_and_do(Arguments arguments) {
  CLI::App app("Places the threads of nested OpenMP teams. See nestbind(1).", "nestbind");
  app.set_version_flag("--version", "nestbind " NESTBIND_VERSION);
  app.require_subcommand(1);
  if (is_misspelt(arguments.own)) {
    return kUsage;
  }
  RunOptions run_options;
  PlanOptions plan_options;
  DoctorOptions doctor_options;
  TraceOptions trace_options;
  LinesOptions lines_options;
  int status = kSuccess;
  CLI::App& run_app = add_run(app, run_options);
  run_app.callback([&] { status = run(run_app, run_options, std::move(arguments.program)); });
  // Describing the others would be a tenth of what run takes.
  if (arguments.own.empty() || arguments.own[0] != "run") {
    CLI::App& plan_app = add_plan(app, plan_options);
    plan_app.callback([&] { status = plan(plan_app, plan_options); });
    add_doctor(app, doctor_options).callback([&] { status = doctor_command(doctor_options); });
    add_trace(app, trace_options).callback([&] { status = trace_command(trace_options); });
    add_lines(app, lines_options).callback([&] { status = lines_command(lines_options); });
  }
  std::vector<std::string> words(arguments.own.rbegin(),
                                 arguments.own.rend());  // as CLI11 takes it
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      app.exit(error);
      return kSuccess;
    }
    say_refused(app, arguments.own, error);
    return kUsage;
  }
  return status;
}

int main_of(int argc, char** argv) {
  Arguments arguments = split(argc, argv);
  const bool prints = arguments.prints;
  int status = kFailure;
  try {
    status = parse_and_do(std::move(arguments));
  } catch (const std::exception& error) {
    say("{}", error.what());
  }
  if (prints && status != kSuccess) {
    // An eval of nothing succeeds, also under `set -e`: a job script would go on unbound.
    std::fputs("false\n", stdout);
  }
  return written(status);
}

}  // namespace

}  // namespace nestbind::cli

int main(int argc, char** argv) try {
  return nestbind::cli::main_of(argc, argv);
} catch (const std::exception& error) {
  nestbind::cli::say("{}", error.what());
  return nestbind::cli::kFailure;
}
