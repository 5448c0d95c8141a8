// SPDX-License-Identifier: BSD-3-Clause
// The command's arguments. What the subcommands do is in plan.cpp, run.cpp and doctor.cpp.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>
#include <vector>

#include "cli/doctor.hpp"
#include "cli/environment.hpp"
#include "cli/message.hpp"
#include "cli/plan.hpp"
#include "cli/run.hpp"
#include "cli/trace.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

namespace {

constexpr char kSpecHelp[] = "Binding specification, such as 4,scatter,2,subcompact";

// The option of a variable that has one.
void add_option(CLI::App& command, int variable, std::string& value) {
  const options::Option& option = options::kTable[variable].option;
  const std::string name = option.name;
  if (option.bare != nullptr) {
    command.add_flag(name + "{" + option.bare + "}", value, option.help);
  } else {
    command.add_option(name, value, option.help)->type_name(option.value);
  }
}

CLI::App& add_plan(CLI::App& app, PlanOptions& options) {
  CLI::App& command = *app.add_subcommand("plan", "Show who would sit where");
  command.add_option("SPEC", options.spec, kSpecHelp)->required()->type_name("");
  command
      .add_option("--topology", options.topology,
                  "hwloc XML file, or synthetic description; by default this machine")
      ->type_name("XML-FILE|SYNTHETIC");
  command
      .add_option("--cpus", options.cpus,
                  "Processors that may be used, such as 0-3,8; by default this process's, or all "
                  "of the topology")
      ->check([](const std::string& list) { return list.empty() ? "no processors" : ""; })
      ->type_name("LIST");
  command.add_option("--format", options.format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  add_option(command, options::kSmt, options.smt);
  add_option(command, options::kCores, options.cores);
  return command;
}

CLI::App& add_run(CLI::App& app, RunOptions& options) {
  CLI::App& command = *app.add_subcommand("run",
                                          "Start a program with its teams bound:\n"
                                          "nestbind run [OPTIONS] SPEC -- program arguments");
  command.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  command.add_option("SPEC", options.spec, kSpecHelp)->required()->type_name("");
  for (int i = 0; i < options::kVariables; ++i) {
    if (options::kTable[i].option.name != nullptr) {
      add_option(command, i, i == options::kRuntime ? options.runtime : options.values[i]);
    }
  }
  command.add_option("--library", options.library, "libnestbind.so to preload")->type_name("PATH");
  command.prefix_command();
  return command;
}

CLI::App& add_doctor(CLI::App& app, DoctorOptions& options) {
  CLI::App& command = *app.add_subcommand("doctor", "Tell whether a program can be bound");
  command.add_option("PROGRAM", options.program, "Program, searched for as a shell does")
      ->required()
      ->type_name("");
  command.add_option("--library", options.library, "libnestbind.so to preload")->type_name("PATH");
  return command;
}

CLI::App& add_trace(CLI::App& app, TraceOptions& options) {
  CLI::App& command = *app.add_subcommand("trace", "Put a trace (NESTBIND_TRACE) into words");
  command.add_option("FILE", options.file, "The trace")->required()->type_name("");
  return command;
}

// Whether an option's value, or without one its variable's, is good; says what is wrong otherwise.
// A variable's value becomes the option's.
bool complete(int variable, std::string& value) {
  const auto& [rule, unset, option] = options::kTable[variable];
  const char* set = std::getenv(rule.name);
  const bool is_set = value.empty() && set != nullptr;
  if (!is_set && value.empty()) {
    return true;
  }
  const std::string given = is_set ? std::string(rule.name) + "=" : std::string(option.name) + " ";
  value = is_set ? set : value;
  const std::string fault = fault_of(rule, value);
  if (!fault.empty()) {
    say("{}{}: {}", given, value, fault);
  }
  return fault.empty();
}

struct Arguments {
  std::vector<std::string> own;
  std::vector<std::string> program;  // what stands behind "--" of run, whatever it looks like
};

// A specification that begins with a negative number is not an option: it has a fault of its own,
// which its parser explains. A blank in front does not matter there.
std::string shield(const std::string& argument) {
  const bool is_number = argument.size() > 1 && argument[0] == '-' &&
                         std::isdigit(static_cast<unsigned char>(argument[1])) != 0;
  return is_number ? " " + argument : argument;
}

Arguments split(int argc, char** argv) {
  Arguments arguments;
  std::vector<std::string>& own = arguments.own;
  own.assign(argv + std::min(argc, 1), argv + argc);
  const bool is_run = !own.empty() && own[0] == "run";
  const auto dashes = is_run ? std::find(own.begin(), own.end(), "--") : own.end();
  if (dashes != own.end()) {
    arguments.program.assign(dashes + 1, own.end());
    own.erase(dashes, own.end());
  }
  // Without "--" the program's own arguments are among them.
  if (!is_run || !arguments.program.empty()) {
    std::transform(own.begin(), own.end(), own.begin(), shield);
  }
  return arguments;
}

// The specification as it was given.
void unshield(std::string& spec) { spec.erase(0, spec.starts_with(" -") ? 1 : 0); }

int plan(PlanOptions& options) {
  unshield(options.spec);
  const bool is_good =
      complete(options::kSmt, options.smt) && complete(options::kCores, options.cores);
  return is_good ? plan_command(options) : kUsage;
}

// All that the library would complain of, before the program starts.
bool complete_run(RunOptions& options) {
  const std::string& machine = options.values[options::kMachine];
  const bool is_dry_run = !machine.empty();
  for (int i = 0; i < options::kVariables; ++i) {
    // --runtime is not its variable's value: run_command reads it.
    if (i != options::kRuntime && !complete(i, options.values[i])) {
      return false;
    }
  }
  if (!is_dry_run && !machine.empty()) {
    warn("NESTBIND_MACHINE={} is set: a dry run, nothing is bound", machine);
  }
  return true;
}

int run(const CLI::App& command, RunOptions& options, std::vector<std::string> behind_dashes) {
  unshield(options.spec);
  if (!complete_run(options)) {
    return kUsage;
  }
  options.program = command.remaining();
  if (!options.program.empty() && options.program[0].starts_with("-")) {
    say("run: there is no option {}; --help lists them", options.program[0]);
    return kUsage;
  }
  if (!options.program.empty() && !behind_dashes.empty()) {
    say("run: {} is between the specification and --", options.program[0]);
    return kUsage;
  }
  if (options.program.empty()) {
    options.program = std::move(behind_dashes);
  }
  if (options.program.empty()) {
    say("run: which program? nestbind run [OPTIONS] SPEC -- program arguments");
    return kUsage;
  }
  return run_command(options);
}

int main_of(int argc, char** argv) {
  CLI::App app("Places the threads of nested OpenMP teams. See nestbind(1).", "nestbind");
  app.set_version_flag("--version", "nestbind " NESTBIND_VERSION);
  app.require_subcommand(1);
  Arguments arguments = split(argc, argv);
  RunOptions run_options;
  PlanOptions plan_options;
  DoctorOptions doctor_options;
  TraceOptions trace_options;
  int status = kSuccess;
  CLI::App& run_app = add_run(app, run_options);
  run_app.callback([&] { status = run(run_app, run_options, std::move(arguments.program)); });
  // Describing the others would be a tenth of what run takes.
  if (arguments.own.empty() || arguments.own[0] != "run") {
    add_plan(app, plan_options).callback([&] { status = plan(plan_options); });
    add_doctor(app, doctor_options).callback([&] { status = doctor_command(doctor_options); });
    add_trace(app, trace_options).callback([&] { status = trace_command(trace_options); });
  }
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return "nestbind: " + printable(error.what()) + "; --help tells more\n";
  });
  std::reverse(arguments.own.begin(), arguments.own.end());  // as CLI11 takes a vector
  try {
    app.parse(arguments.own);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kSuccess : kUsage;
  }
  return status;
}

}  // namespace

}  // namespace nestbind::cli

int main(int argc, char** argv) try {
  return nestbind::cli::main_of(argc, argv);
} catch (const std::exception& error) {
  nestbind::cli::say("{}", error.what());
  return nestbind::cli::kFailure;
}
