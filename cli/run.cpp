// SPDX-License-Identifier: BSD-3-Clause
// nestbind run: starts a program with the library preloaded, or prints the variables for a shell.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/common/asked_machine.hpp"
#include "cli/common/environment.hpp"
#include "cli/common/mpi_library.hpp"
#include "cli/common/own_folder.hpp"
#include "cli/common/preload.hpp"
#include "cli/common/printable.hpp"
#include "cli/common/say.hpp"
#include "cli/common/specification.hpp"
#include "cli/common/starting.hpp"
#include "cli/common/usual_options.hpp"
#include "cli/devices/given_devices.hpp"
#include "cli/inspect/program.hpp"
#include "cli/inspect/verdict.hpp"
#include "cli/memory/memory_policy.hpp"
#include "cli/memory/watched_run.hpp"
#include "cli/rules/rules_file.hpp"
#include "cli/subcommand.hpp"
#include "machine/loading/load_machine.hpp"
#include "mask/cpu_list.hpp"
#include "options/said_sizes.hpp"
#include "options/table.hpp"
#include "plan/parts.hpp"
#include "plan/team_plan.hpp"
#include "ranks/launcher.hpp"
#include "spec/spec.hpp"
#include "support/cgroup.hpp"

namespace nestbind::cli {

namespace {

// Stores the machine for the program. Returns the folder; if empty, the program reads the machine.
std::string hand_over(const machine::Hardware& hardware, const Binding& binding,
                      const std::string& name = "machines") {
  std::string unused;
  const auto folder = own_folder(name, unused);
  const std::string source = name_from_root(binding.values[options::kMachine]);
  const bool is_there = folder && machine::loading::hand_over(
                                      hardware, topology_module(binding.library), source, *folder);
  return is_there ? *folder : std::string();
}
struct RunOptions {
  std::string spec;
  std::vector<std::string> program;
  // The values of variables for the program, in the table's order. An empty value changes nothing.
  std::array<std::string, options::kVariables> values;
  std::string runtime;  // native|llvm[:FILE]; if empty, native
  std::string library;
  std::string cpus;            // list; if empty, this process's processors
  std::string places;          // list of slots; if empty, those of the machine
  std::string memory_policy;   // may be empty
  bool names_machine = false;  // false if only NESTBIND_MACHINE is set
  std::string shell;           // --print-env: sh, csh or fish; if empty, the program is started
  bool prints() const { return !shell.empty(); }
  // The machine of --places, or of a dry run with --follow.
  std::optional<machine::Hardware> flat;
  std::string follow;  // "gpu", or empty
};

// Reading the machine takes longer than everything else, so most runs avoid it. Returns false after
// a message.
bool read_machine_for(const spec::Spec& spec, Binding& binding) {
  const std::string& source = binding.values[options::kMachine];
  if (source.empty() && std::none_of(spec.level, spec.level + spec.levels, spec::is_symbolic)) {
    return true;
  }
  try {
    const machine::Hardware hardware =
        read_machine(binding.library, source, !binding.values[options::kDevices].empty());
    machine::Topology::of(hardware, source, source.empty() ? own_processors() : std::nullopt);
    if (!source.empty()) {
      binding.values[options::kRecords] = hand_over(hardware, binding);
    }
    return true;
  } catch (const machine::Unreadable& fault) {
    say("{}", fault.what());
    return false;
  }
}

void say_dry_run(const std::string& machine, const RunOptions& options) {
  if (machine.empty()) {
    return;
  }
  const char* hint = "; --report shows where its threads would be, and nestbind plan all of them";
  const bool reports = !options.values[options::kReport].empty();
  if (!options.names_machine) {
    warn("NESTBIND_MACHINE={} is set: a dry run, nothing is bound{}", machine, reports ? "" : hint);
  } else if (!reports) {
    remark("dry run on {}: nothing is bound{}", machine, hint);
  }
}

std::string exports(const std::vector<std::string>& names, const std::string& shell) {
  std::string lines;
  for (const std::string& name : names) {
    if (const char* value = std::getenv(name.c_str())) {
      const std::string quoted = shell_quoted(value, shell);
      lines += shell == "csh"    ? fmt::format("setenv {} {};\n", name, quoted)
               : shell == "fish" ? fmt::format("set -gx {} {}\n", name, quoted)
                                 : fmt::format("export {}={}\n", name, quoted);
    }
  }
  return lines;
}

int print_variables(bool is_on_llvm, const std::string& shell) {
  std::vector<std::string> names = {"LD_PRELOAD", options::kSpecification,
                                    "KMP_HOT_TEAMS_MAX_LEVEL"};
  if (is_on_llvm) {
    names.emplace_back("LD_LIBRARY_PATH");
  }
  for (const options::Row& row : options::kTable) {
    names.emplace_back(row.rule.name);
  }
  names.insert(names.end(), std::begin(kMonitoring), std::end(kMonitoring));
  names.insert(names.end(), {options::kThreads, "OMP_MAX_ACTIVE_LEVELS"});
  std::fputs(exports(names, shell).c_str(), stdout);
  options::UsersValue room;
  if (options::users_value("OMP_NESTED", room) != nullptr && std::getenv("OMP_NESTED") == nullptr) {
    // the runtimes warn if both are set
    std::fputs(shell == "csh"    ? "unsetenv OMP_NESTED;\n"
               : shell == "fish" ? "set -e OMP_NESTED\n"
                                 : "unset OMP_NESTED\n",
               stdout);
  }
  return kSuccess;
}

// Restricts this process, and so the program, to --cpus.
bool take_processors(const RunOptions& options) {
  if (options.cpus.empty()) {
    return true;
  }
  if (options.prints()) {
    say("--print-env cannot set --cpus; start the program by taskset --cpu-list {}", options.cpus);
    return false;
  }
  const auto cpus = read_processors(options.cpus);
  return cpus && confine_to(*cpus, "--cpus " + options.cpus);
}

// Reads a list in its own order. Returns nothing after a message.
std::vector<int> read_places(const std::string& list) {
  std::vector<int> places;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const auto some = mask::parse_list(list.substr(begin, end - begin));
    if (!some) {
      say("--places {}: expected a list of processors such as 0,2,4,6", list);
      return {};
    }
    for (const int cpu : *some) {
      if (std::ranges::find(places, cpu) != places.end()) {
        say("--places {}: processor {} comes twice", list, cpu);
        return {};
      }
      places.push_back(cpu);
    }
    begin = end + 1;
  }
  return places;
}

// Restricts this process to --places, and makes a machine without packages, caches and nodes, whose
// cores are these processors in the order of the list.
bool take_places(RunOptions& options) {
  if (options.places.empty()) {
    return true;
  }
  const std::vector<int> cpus = read_places(options.places);
  if (cpus.empty() || !confine_to(cpus, "--places " + options.places)) {
    return false;
  }
  const int count = static_cast<int>(cpus.size());
  machine::Hardware flat;
  flat.cpus = cpus;
  flat.is_allowed.assign(cpus.size(), true);
  flat.has_cores = true;
  flat.objects.push_back({machine::Type::kMachine, false, 0, 0, count});
  for (int i = 0; i < count; ++i) {
    flat.objects[0].children.push_back(i + 1);
    flat.objects.push_back({machine::Type::kCore, false, 1, i, i + 1});
  }
  options.flat = flat;
  return true;
}

// The program finds the machine of --places as its cached machine. Returns false after a message.
bool hand_over_places(const RunOptions& options, Binding& binding) {
  if (!options.flat) {
    return true;
  }
  std::string fault = "environment variables of hwloc are set, or the kernel hides the machine";
  const auto folder =
      own_folder("places-" + std::to_string(std::hash<std::string>()(options.places)), fault);
  if (!folder || !machine::loading::hand_over_own(
                     *options.flat, beside(binding.library, "libnestbind-planner.so"), *folder)) {
    say("--places {}: {}", options.places, fault);
    return false;
  }
  binding.values[options::kCache] = *folder;
  return true;
}

bool take_rules(const std::string& program, Binding& binding) {
  std::string& name = binding.values[options::kRegionRules];
  RulesFile file;
  if (name.empty()) {
    return true;
  }
  if (const std::string fault = fault_of_rules(name, file); !fault.empty()) {
    say_printable(fault);
    return false;
  }
  for (const NumberedRule& one : file.rules) {
    binding.levels = std::max(binding.levels, one.rule.spec.levels);
  }
  const auto handed_over = hand_over_rules(file, name, program);
  name = handed_over.value_or("");
  return handed_over.has_value();
}

MachineOptions machine_of(const RunOptions& options) {
  MachineOptions own;
  own.smt = options.values[options::kSmt];
  own.cores = options.values[options::kCores];
  own.distances = options.values[options::kDistances];
  own.machine = options.values[options::kMachine];
  return own;
}

// Devices are read only if the user asks for them, and from the cache if it has them.
bool arrange_devices(RunOptions& options, Binding& binding) {
  const std::string& wish = options.values[options::kDevices];
  binding.values[options::kGivenDevices].clear();
  unsetenv(options::kTable[options::kGivenDevices].rule.name);
  if ((wish.empty() && options.follow.empty()) || is_turned_off(options::kEverythingOff)) {
    return true;
  }
  const MachineOptions own = machine_of(options);
  try {
    machine::Hardware hardware = find_machine_with_devices(binding.library, own.machine);
    if (options.follow.empty()) {
      binding.values[options::kGivenDevices] = give_devices(wish, binding.spec, hardware, own);
    } else if (const auto part = follow_gpus(binding.spec, hardware, own); !part.empty()) {
      machine::allow_only(hardware, part);
      binding.values[options::kRecords] =
          hand_over(hardware, binding,
                    "followed-" + std::to_string(std::hash<std::string>()(mask::list(part))));
      binding.values[options::kRanks] = "shared";  // they are divided already
      options.flat = hardware;
    }
    return true;
  } catch (const machine::Unreadable& fault) {
    say("{}", fault.what());
    return false;
  }
}

bool is_one_of_several_ranks() {
  const ranks::Told told = ranks::told_in(options::variable);
  return told.of != 1 && told.by != nullptr;
}

std::optional<AskedMachine> asked_by(const RunOptions& options) {
  int status = kSuccess;
  auto asked = read_asked_machine(machine_of(options), status);
  if (asked && options.flat) {
    asked->hardware = *options.flat;
    asked->topology = machine::Topology::of(asked->hardware, "", asked->allowed);
  }
  return asked;
}

// Returns the size of the outermost team if the specification has a word for it, or the default for
// `*` in parts or with a CPU quota. Returns 0 if the process itself finds the size: ranks divide
// the processors first, and a script may start programs with other masks.
int first_size_of(const spec::Spec& spec, const RunOptions& options) {
  const spec::Level& level = spec.level[0];
  const int parts = std::max(1, std::atoi(options.values[options::kRoots].c_str()));
  options::UsersValue room;
  const bool is_open = level.is_star && options::users_value(options::kThreads, room) == nullptr &&
                       (parts > 1 || (spec.is_auto && support::cpu_quota().threads() > 0));
  if (options.prints() || is_one_of_several_ranks() || !(spec::is_symbolic(level) || is_open)) {
    return 0;
  }
  const auto asked = asked_by(options);
  if (!asked) {
    return 0;
  }
  const auto size_in = [&](const machine::Topology& topology) {
    plan::Plan plan =
        plan::make(spec, topology, asked->smt, asked->cores, plan::Order(), asked->quota);
    return level.is_star ? static_cast<int>(plan.machine().slots.size()) : plan.next_size({});
  };
  const int whole = size_in(asked->topology);
  if (level.is_star) {
    const int each = whole / parts;
    const int limit = asked->quota > 0 ? asked->quota / parts : each;
    return parts == 1 && limit >= whole ? 0 : std::max(1, std::min(each, limit));
  }
  const spec::Need need = spec::need_of(spec);
  int size = whole;
  for (const auto& cpus : parts == 1 ? std::vector<std::vector<int>>()
                                     : plan::make_parts(asked->topology, parts, need.threads,
                                                        need.is_open, asked->cores)) {
    size = std::min(size, size_in(machine::Topology::of(asked->hardware,
                                                        options.values[options::kMachine], cpus)));
  }
  return size;
}

// Returns the processors of each member of the initial thread's team; empty if they are not known.
std::vector<std::vector<int>> outermost_team(const spec::Spec& spec, const RunOptions& options) {
  plan::Order order;
  const auto asked = asked_by(options);
  if (!asked || !read_order(options.values[options::kOrder], order)) {
    return {};
  }
  plan::Plan plan =
      plan::make(spec, asked->topology, asked->smt, asked->cores, order, asked->quota);
  std::vector<std::vector<int>> members;
  for (const plan::PlannedSlot& planned : plan.team({}, std::max(plan.next_size({}), 1))) {
    members.push_back(plan.machine().slots[static_cast<std::size_t>(planned.slot)].cpus);
  }
  return members.size() > 1 ? members : std::vector<std::vector<int>>();
}

int run_with_memory(const std::string& wish, const spec::Spec* spec, const RunOptions& options) {
  WatchedRun run = watched_run_of(wish);
  if (spec != nullptr && options.values[options::kMachine].empty()) {
    run.team = outermost_team(*spec, options);
  }
  return run_watched(run, options.program[0], [&] {
    setenv(options::kTable[options::kStarted].rule.name, std::to_string(getpid()).c_str(), 1);
    return execute(options.program);
  });
}

// Returns false after a message.
bool prepare_mpi(const std::string& path, const inspect::ElfFile& file, const Binding& binding) {
  const auto& values = binding.values;
  MpiWish wish{values[options::kReorder] == "on",
               inspect::variable(options::kTable[options::kTraffic].rule.name)};
  wish.reorders = wish.reorders && !is_turned_off(options::kReorderOff);
  if (!wish.reorders && wish.traffic.empty()) {
    return true;
  }
  return prepare_mpi(wish, choose_mpi(path, file, values[options::kMpi]), binding.library);
}

// Becomes the program.
int run_command(RunOptions& options, bool has_spec) {
  spec::Spec spec;
  RuntimeChoice runtime;
  if ((has_spec && !read_specification(options.spec, spec)) ||
      !read_runtime(options.runtime, runtime) || !take_processors(options) ||
      !take_places(options)) {
    return kUsage;
  }
  if (!options.memory_policy.empty()) {
    if (const int status = set_memory_policy(options.memory_policy); status != kSuccess) {
      return status;
    }
  }
  const std::string& machine = options.values[options::kMachine];
  const auto library = find_library(options.library);
  if (!library) {
    return kFailure;
  }
  Binding binding{has_spec ? &spec : nullptr, 0, options.values, *library, "", 0};
  if (!read_machine_for(spec, binding) || !hand_over_places(options, binding)) {
    return kFailure;
  }
  say_dry_run(machine, options);
  const bool has_program = !options.program.empty();
  if (!has_program && runtime.is_llvm && !put_llvm_in_place(runtime)) {
    return kFailure;
  }
  const auto path = has_program ? inspect::find_program(options.program[0]) : std::nullopt;
  if (has_program && options.prints()) {
    warn_if_not_executable(options.program[0]);
  }
  inspect::Facts facts;
  if (path) {
    facts = inspect::facts_of(*path, inspect::Depth::kQuick);
    facts.tools_are_disabled = tools_are_disabled();
    const bool is_strict = options.values[options::kStrict] == "1";
    if (!may_start(options.program, *path, facts, runtime, is_strict, !options.prints())) {
      return runtime.is_llvm ? kFailure : kStrict;
    }
    binding.sanitizer = needed_sanitizer(facts.file.needed);
  }
  if (!take_rules(path.value_or(""), binding)) {
    return kUsage;
  }
  const std::string wish = std::exchange(binding.values[options::kMemory], "");
  if (!wish.empty() && is_turned_off(options::kMemoryOff)) {
    return kFailure;
  }
  if (!arrange_devices(options, binding)) {
    return kFailure;
  }
  binding.values[options::kStarted] =
      options.prints() || !wish.empty() ? "" : std::to_string(getpid());
  binding.first_size = has_spec ? first_size_of(spec, options) : 0;
  set_variables(binding);
  if (!prepare_mpi(path.value_or(""), facts.file, binding)) {
    return kFailure;
  }
  if (!wish.empty()) {
    return run_with_memory(wish, binding.spec, options);
  }
  return options.prints() ? print_variables(runtime.is_llvm, options.shell)
                          : execute(options.program);
}

bool does_go_with_places(const RunOptions& options) {
  const std::string& machine = options.values[options::kMachine];
  for (const auto& [name, is_given] :
       {std::pair("--cpus", !options.cpus.empty()), std::pair("--machine", !machine.empty()),
        std::pair("--smt", !options.values[options::kSmt].empty()),
        std::pair("--cores", !options.values[options::kCores].empty()),
        std::pair("--order", !options.values[options::kOrder].empty()),
        std::pair("--print-env", options.prints())}) {
    if (is_given) {
      say("run: --places does not go with {}", name);
      return false;
    }
  }
  return true;
}

bool complete_run(RunOptions& options) {
  const std::string& machine = options.values[options::kMachine];
  options.names_machine = !machine.empty();
  std::string runtime;  // empty, because run_command reads --runtime itself
  for (int i = 0; i < options::kVariables; ++i) {
    if (!complete(i, i == options::kRuntime ? runtime : options.values[i])) {
      return false;
    }
  }
  if (!machine.empty() && !options.cpus.empty()) {
    say("--cpus is for this machine, but the dry run is for all of {}; nestbind plan --cpus plans "
        "for a part of it",
        machine);
    return false;
  }
  return options.places.empty() || does_go_with_places(options);
}

// If the command line has no SPEC, uses the specification of the environment. If the environment
// has none, uses "auto". If the user wants a schedule, memory, rules, or something of MPI, "auto"
// is not used.
void complete_specification(bool has_word, RunOptions& options) {
  if (has_word) {
    return;
  }
  complete_spec(options.spec);
  const bool wants_more =
      std::ranges::any_of(std::array{options::kSchedule, options::kMemory, options::kRegionRules,
                                     options::kReorder, options::kTraffic},
                          [&](options::Variable one) {
                            const std::string& value = options.values[one];
                            return !value.empty() && (one != options::kReorder || value == "on");
                          }) &&
      options.values[options::kRoots].empty() &&
      !options.values[options::kMemory].starts_with("apply");  // "apply" sets policies at forks
  if (options.spec.empty() && !wants_more) {
    options.spec = "auto";
  }
}

// If the first word is a program's name, prints a message and returns true.
bool is_program_in_place_of_specification(const RunOptions& options) {
  spec::Spec unused;
  if (options.spec.empty() || parse(options.spec, unused).empty() ||
      !inspect::find_program(options.spec)) {
    return false;
  }
  say("run: {} is not a specification; if it is the program, write -- before it: nestbind run -- "
      "{}",
      options.spec, options.spec);
  return true;
}

int check_and_do(const CLI::App& command, RunOptions& options, Call& call) {
  unshield(options.spec);
  const bool has_word = command.count("SPEC") > 0;
  if (!take_program(command, {}, options.program) ||
      (call.behind_dashes.empty() && is_program_in_place_of_specification(options)) ||
      !complete_run(options)) {
    return kUsage;
  }
  if (!options.memory_policy.empty() &&
      (options.prints() || !options.values[options::kMemory].empty())) {
    say("run: --memory-policy does not go with {}",
        options.prints() ? "--print-env; start the program by numactl" : "--memory");
    return kUsage;
  }
  if (options.prints() && !options.values[options::kMemory].empty()) {
    say("run: --print-env cannot set --memory, because the command itself watches the program; "
        "write a launcher before it: mpirun nestbind run --memory=... -- program");
    return kUsage;
  }
  const bool has_devices = command.count("--devices") > 0;
  if (options.prints() && (has_devices || !options.follow.empty())) {
    say("run: --print-env does not go with --devices and --follow, because each rank has other "
        "devices; write a launcher before nestbind run");
    return kUsage;
  }
  if (has_devices && !options.follow.empty()) {
    say("run: --follow=gpu takes the GPUs that a rank has, and --devices chooses them; give one of "
        "the two");
    return kUsage;
  }
  if (options.prints() || !options.follow.empty()) {
    options.values[options::kDevices].clear();  // the variable, perhaps of the site
  }
  complete_specification(has_word, options);
  const std::string whole = specification_of_words(options.spec, options.program);
  if (!whole.empty()) {
    say("run: write the specification with commas and in quotes: nestbind run '{}' -- program "
        "arguments",
        whole);
    return kUsage;
  }
  warn_of_unknown_variables();
  if (!options.program.empty() && !call.behind_dashes.empty()) {
    say("run: {} comes before --; if -- belongs to the program, write nestbind run SPEC -- {} ...",
        options.program[0], options.program[0]);
    return kUsage;
  }
  if (options.program.empty()) {
    options.program = std::move(call.behind_dashes);
  }
  if (options.program.empty() && !options.prints()) {
    say("run: no program is given; expected nestbind run [OPTIONS] [SPEC] -- program arguments");
    return kUsage;
  }
  return run_command(options, has_word || !options.spec.empty());
}

}  // namespace

void add_run(CLI::App& app, Call& call) {
  const auto shared = std::make_shared<RunOptions>();
  RunOptions& options = *shared;
  CLI::App& command = *app.add_subcommand("run", "Start a program with its teams bound");
  command.formatter(
      help_format({"[OPTIONS] -- PROGRAM [ARGUMENT...]",
                   "[OPTIONS] SPEC [--] PROGRAM [ARGUMENT...]", "--print-env [OPTIONS] [SPEC]"}));
  command.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  add_spec(command, options.spec, kSpecOrAutoHelp);
  for (int i = 0; i < options::kVariables; ++i) {
    if (options::kTable[i].option.name != nullptr) {
      add_variable_option(command, i, i == options::kRuntime ? options.runtime : options.values[i]);
    }
  }
  add_cpus(command, options.cpus,
           "Processors that the program may use, such as 0-3,8; by default those of the shell");
  add_library(command, options.library);
  add_option(command, "--places", "LIST", options.places,
             "Each processor of this list is a slot, in this order, on a machine without packages "
             "and nodes")
      ->check(not_empty("no processors"));
  add_option(command, "--memory-policy", "POLICY", options.memory_policy,
             "local, interleave[:NODES], bind:NODES or prefer:NODE, as numactl sets it")
      ->check(not_empty());
  command
      .add_flag("--print-env{sh}", options.shell,
                "Print the variables for eval in a job script, and start nothing; "
                "--print-env=csh or =fish for these shells")
      ->check(one_of({"sh", "csh", "fish"}));
  add_option(command, "--follow", "gpu", options.follow,
             "Run on the processors beside the GPUs that the launcher has given this rank")
      ->check(one_of({"gpu"}));
  command.prefix_command();
  add_examples(command,
               {"nestbind run --report -- ./program",
                "bind each team close together, and show where the threads are"},
               {"nestbind run 4,scatter,2,subcompact -- ./program", "four teams of two"});
  command.callback(
      [&command, &call, shared] { call.status = check_and_do(command, *shared, call); });
}

}  // namespace nestbind::cli
