// SPDX-License-Identifier: BSD-3-Clause
// nestbind tune: runs a program as several candidates, and reports which one is the best, if any.
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "cli/command_line.hpp"
#include "cli/common/environment.hpp"
#include "cli/common/output_files.hpp"
#include "cli/common/say.hpp"
#include "cli/common/specification.hpp"
#include "cli/common/usual_options.hpp"
#include "cli/inspect/program.hpp"
#include "cli/inspect/text.hpp"
#include "cli/rules/rules_file.hpp"
#include "cli/subcommand.hpp"
#include "cli/tune/run_output.hpp"
#include "cli/tune/study.hpp"
#include "cli/tune/subject.hpp"
#include "cli/tune/tune_progress.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

namespace {

using tune::Candidate;
using tune::Prepared;
using tune::Runner;
using tune::Study;
using tune::Wanted;

constexpr int kSignalled = 128;  // as in a shell: 128 plus the signal

// In a shorter run most of the time is the start of the program.
constexpr double kShort = 0.010;  // seconds

constexpr int kMostOthers = std::numeric_limits<int>::max();

struct Report {
  nlohmann::ordered_json json;
  bool has_text = true;
  int status = kSuccess;
};

std::vector<Prepared> prepared(const std::vector<Candidate>& candidates, const Binding& binding) {
  std::vector<Prepared> result;
  result.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    result.push_back(prepare(candidate, binding));
  }
  return result;
}

// `left` is the rest of the budget in seconds. It may be negative.
trial::Rules rules_for(const Wanted& wanted, double left, int others, double seconds_a_run) {
  constexpr double kNone = 1e-9;
  trial::Rules rules = wanted.rules;
  if (rules.budget > 0) {
    rules.budget = std::max(kNone, left);
    rules.counts = trial::counts_within(rules.budget, seconds_a_run, others);
  }
  return rules;
}

// True if --rounds is large enough. With a budget, --rounds is not used.
bool are_enough_rounds(const trial::Rules& rules, int others) {
  const int fewest = trial::fewest_final_rounds(std::min(others, rules.counts.finalists));
  const bool is_enough = rules.budget > 0 || rules.counts.final_rounds >= fewest;
  if (!is_enough) {
    say("tune: --rounds {}: at least {} are needed to show a difference", rules.counts.final_rounds,
        fewest);
  }
  return is_enough;
}

void say_what_comes(const trial::Trial& trial, const Candidate& reference, double seconds_a_run) {
  const double budget = trial.rules().budget;
  remark("{} takes {}; {} candidates, {} {} runs, about {}", reference.name,
         tune::duration(seconds_a_run), trial.records().size(), budget > 0 ? "about" : "at most",
         trial.runs_left(), tune::duration(seconds_a_run * trial.runs_left()));
  if (budget > 0) {
    remark("it ends after {}, but each candidate runs once, even if that takes longer",
           tune::duration(budget));
  }
}

// The specifications of several levels turn nesting on, but the runs without nestbind have it off,
// unless a variable or the program turns it on.
void say_if_nesting_differs(const std::vector<Candidate>& candidates) {
  const bool has_nested = std::ranges::any_of(candidates, [](const Candidate& candidate) {
    spec::Spec spec;
    return parse(candidate.spec, spec).empty() && spec.active_levels() > 1;
  });
  const bool is_on = !inspect::variable("OMP_MAX_ACTIVE_LEVELS").empty() ||
                     !inspect::variable("OMP_NESTED").empty() ||
                     inspect::variable("OMP_NUM_THREADS").find(',') != std::string::npos;
  if (has_nested && !is_on && candidates[0].variables.empty() &&
      candidates[0].name == tune::kUnbound) {
    remark(
        "without nestbind nesting is off, unless the program turns it on: inner teams then have "
        "one thread. --shapes, or OMP_MAX_ACTIVE_LEVELS, turns it on in all runs");
  }
}

std::optional<double> first_run(Runner& runner, const Prepared& unbound, const Wanted& wanted,
                                int& status) {
  const tune::Outcome outcome = runner.first(unbound);
  if (outcome.ended.how == tune::Ended::How::kInterrupted) {
    status = kSignalled + outcome.ended.number;
    return std::nullopt;
  }
  if (!outcome.value) {
    say("{} {}, unbound: there is nothing to compare with", wanted.program.words[0],
        outcome.fault.text);
    status = kFailure;
    return std::nullopt;
  }
  if (wanted.program.check && runner.expected().lines.empty()) {
    say("tune: --check: it matches no line of {}'s output, so nothing would be checked",
        wanted.program.words[0]);
    status = kFailure;
    return std::nullopt;
  }
  if (runner.expected().status != 0) {
    warn("{} ends with status {} if it is unbound; all other runs must end with the same status",
         wanted.program.words[0], runner.expected().status);
  }
  if (!wanted.program.metric && *outcome.value < kShort) {
    warn(
        "{} takes {:.1f} ms, and its start takes most of that; measure a longer run, or use "
        "--metric",
        wanted.program.words[0], *outcome.value * 1000);
  }
  return outcome.ended.seconds;
}

void say_found(const std::string& text, const Report& report) {
  if (report.has_text) {
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
  }
}

std::optional<int> complete_study(const char* what, Study& study, Runner& runner,
                                  const Binding& binding, const tune::Words& words,
                                  Report& report) {
  runner.complete(study, prepared(study.candidates, binding));
  const trial::Verdict verdict = trial::verdict_of(study.trial);
  const std::string text =
      ranking_text(study, verdict, words) + "\n" + verdict_text(study, verdict, words);
  say_found(text, report);
  report.json[what] = json_of(study, verdict, words);
  if (study.signal != 0) {
    report.status = kSignalled + study.signal;
  } else if (study.trial.is_cut()) {
    return tune::recommended(verdict);
  } else if (verdict.finding == trial::Finding::kNone) {
    const tune::Fault& fault = study.faults[0];
    say("tune: {}: {} {}{}", what, study.candidates[0].name,
        fault.text.empty() ? "is the only candidate without a fault" : fault.text,
        fault.is_of_lines ? ": --check is for lines that are the same in each run" : "");
    report.status = kFailure;
  }
  return verdict.finding == trial::Finding::kNone ? std::nullopt
                                                  : std::optional(tune::recommended(verdict));
}

void write_json(const std::string& file, Report& report) {
  const std::string text =
      report.json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  if (!report.has_text) {
    std::fputs(text.c_str(), stdout);
  }
  if (!file.empty() && !replace_file(file, text)) {
    say("tune: --json {}: {}", file, std::strerror(errno));
    report.status = report.status == kSuccess ? kFailure : report.status;
  }
}

// Makes the user's folder for the output of the runs, which is never removed.
bool make_folder(const std::string& name) {
  const bool is_there = mkdir(name.c_str(), 0777) == 0 || errno == EEXIST;
  const bool is_good = is_there && access(name.c_str(), W_OK | X_OK) == 0;
  if (!is_good) {
    say("tune: {}: {}", name, std::strerror(errno));
  }
  return is_good;
}

tune::Words words_for(const tune::TuneOptions& options, const Wanted& wanted) {
  return {wanted.program.metric ? options.metric : "seconds", wanted.options, options.cpus};
}

// Runs the reference once, and returns how long it took. If there is nothing to compare, says why
// and sets the status.
std::optional<double> begin(const Candidate& reference, int others, const Wanted& wanted,
                            const Binding& binding, Runner& runner, Report& report) {
  if (!are_enough_rounds(wanted.rules, others)) {
    report.status = kUsage;
    return std::nullopt;
  }
  return first_run(runner, prepare(reference, binding), wanted, report.status);
}

// Tunes the layouts, and then, if the user wants, schedules of loops in the best layout.
void tune_in(const tune::TuneOptions& options, const Wanted& wanted, const tune::Subject& subject,
             Runner& runner, Report& report) {
  const std::vector<Candidate> layouts = tune::layouts(subject.shapes);
  const int others = static_cast<int>(layouts.size()) - 1;
  // With schedules there are always more candidates than finalists.
  const auto took = begin(layouts[0], options.schedules ? kMostOthers : others, wanted,
                          subject.binding, runner, report);
  if (!took) {
    return;
  }
  const double left = wanted.rules.budget - *took;
  const tune::Words words = words_for(options, wanted);
  Study study(layouts, rules_for(wanted, options.schedules ? left / 2 : left, others, *took));
  say_what_comes(study.trial, layouts[0], *took);
  say_if_nesting_differs(layouts);
  const auto best = complete_study("layouts", study, runner, subject.binding, words, report);
  if (!best || !options.schedules) {
    return;
  }
  const std::vector<Candidate> schedules =
      tune::schedules(layouts[static_cast<std::size_t>(*best)], options.across);
  say_found(fmt::format("\nschedules of loops, with {}:\n\n",
                        layouts[static_cast<std::size_t>(*best)].name),
            report);
  Study loops(schedules, rules_for(wanted, left - study.seconds,
                                   static_cast<int>(schedules.size()) - 1, *took));
  say_what_comes(loops.trial, schedules[0], *took);
  complete_study("schedules", loops, runner, subject.binding, words, report);
}

std::optional<tune::SlowestRegion> find_slowest(const tune::Program& program,
                                                const tune::Subject& subject,
                                                tune::Children& children, int& status) {
  status = kFailure;
  RulesFile all{"* auto\n", {}};
  parse_rules("", all);
  const auto rules = hand_over_rules(all, "", "");
  if (!rules) {
    return std::nullopt;
  }
  const std::string trace = program.folder + "/trace";
  const Candidate traced = {
      "", "", "", {{options::kTable[options::kTrace].rule.name, trace}}, *rules};
  const tune::Start start = {program.words, prepare(traced, subject.binding).environment,
                             program.input, program.folder + "/traced.out",
                             program.folder + "/traced.err"};
  tune::Ended ended;
  do {
    unlink(trace.c_str());  // the library adds to a trace that is there
    ended = children.run(start, program.patience, [] {});
  } while (ended.how == tune::Ended::How::kDisturbed);
  if (ended.how == tune::Ended::How::kInterrupted) {
    status = kSignalled + ended.number;
    return std::nullopt;
  }
  if (const std::string ending = tune::ending_of(ended); !ending.empty()) {
    say("tune: --rules: {} {}, so its slowest region is not known", program.words[0], ending);
    return std::nullopt;
  }
  std::ifstream file(trace);
  const auto slowest = tune::slowest_region(file);
  if (!slowest) {
    say("tune: --rules: {} has no parallel region that ended", program.words[0]);
  }
  return slowest;
}

std::string where_of_slowest(const tune::SlowestRegion& slowest, const std::string& program) {
  bool is_open = false;
  for (const RegionModule& module : region_modules(program, {}, is_open)) {
    const auto& outlined = module.regions.outlined;
    const auto region = std::ranges::find(outlined, slowest.address, &source::Outlined::begin);
    if (module.name == slowest.module && region != outlined.end()) {
      return where_of(module, *region);
    }
  }
  return fmt::format("{}:{:#x}", name_in_rules(slowest.module), slowest.address);
}

void tune_rules(const tune::TuneOptions& options, const Wanted& wanted,
                const tune::Subject& subject, const tune::Program& program,
                tune::Children& children, Runner& runner, Report& report) {
  const auto path = inspect::find_program(program.words[0]);
  const auto slowest =
      path ? find_slowest(program, subject, children, report.status) : std::nullopt;
  if (!slowest) {
    return;
  }
  const std::string where = where_of_slowest(*slowest, *path);
  remark("{} takes {} of {} in parallel regions", where, tune::duration(slowest->seconds),
         tune::duration(slowest->all));
  std::vector<Candidate> candidates = {{tune::kUnbound, "", "", {}}};
  for (const tune::Shape& shape : subject.shapes) {
    for (const std::string& spec : shape.specs) {
      RulesFile file{fmt::format("{} {}", where, spec), {}};
      const std::string fault = parse_rules("", file);
      const auto rules = fault.empty() ? hand_over_rules(file, where, *path) : std::nullopt;
      if (!rules) {
        return;
      }
      candidates.push_back({file.text, spec, "", {}, *rules});
    }
  }
  report.status = kSuccess;
  const int others = static_cast<int>(candidates.size()) - 1;
  const auto took = begin(candidates[0], others, wanted, subject.binding, runner, report);
  if (!took) {
    return;
  }
  Study study(candidates, rules_for(wanted, wanted.rules.budget - *took, others, *took));
  say_what_comes(study.trial, candidates[0], *took);
  complete_study("rules", study, runner, subject.binding, words_for(options, wanted), report);
}

int tune_command(const tune::TuneOptions& options) {
  const auto wanted = tune::read_wanted(options);
  if (!wanted) {
    return kUsage;
  }
  int status = kSuccess;
  const auto subject = tune::find_subject(options, *wanted, status);
  if (!subject) {
    return status;
  }
  std::optional<TemporaryFolder> own;
  if (options.keep.empty() && own.emplace("tune").path().empty()) {
    say("tune: {}", own->fault());
    return kFailure;
  }
  if (!own && !make_folder(options.keep)) {
    return kFailure;
  }
  Report report;
  report.has_text = options.format != "json";
  {
    tune::Children children;
    tune::Progress progress(stderr);
    tune::Program program = wanted->program;
    program.folder = own ? own->path() : options.keep;
    Runner runner(program, children, progress);
    report.json["program"] = options.program;
    if (options.rules) {
      tune_rules(options, *wanted, *subject, program, children, runner, report);
    } else {
      tune_in(options, *wanted, *subject, runner, report);
    }
  }
  if (report.json.size() > 1) {
    write_json(options.json, report);
  }
  return report.status;
}

int check_and_do(const CLI::App& command, tune::TuneOptions& options, Call& call) {
  if (!take_program(command, call.behind_dashes, options.program)) {
    return kUsage;
  }
  if (options.program.empty()) {
    say("tune: no program is given; expected nestbind tune [OPTIONS] -- program arguments");
    return kUsage;
  }
  warn_of_unknown_variables();
  const auto feature = options.schedules ? options::kSchedulesOff : options::kEverythingOff;
  return is_turned_off(feature) ? kFailure : tune_command(options);
}

void add_what(CLI::App& command, tune::TuneOptions& options) {
  add_option(command, "--shapes", "YxZ,...", options.shapes,
             "Team sizes of the program's levels, such as 4x4,2x8: each is tried");
  add_option(command, "--candidates", "SPEC;SPEC...", options.candidates,
             "Specifications to try, in place of the suggested ones");
  command.add_flag("--schedule", options.schedules,
                   "Then try schedules of loops with schedule(runtime), in the best layout");
  command
      .add_flag(
          "--across", options.across,
          "With --schedule: try some schedules with NESTBIND_BALANCE_ACROSS, too, which moves "
          "objects between ranks")
      ->needs("--schedule");
  command.add_flag("--rules", options.rules,
                   "Try specifications only for the region that takes the most time, as rules");
  add_option(command, "--metric", "time|LINE-REGEX", options.metric,
             "time (the default), or a regular expression (grep -E) whose group is the "
             "number; the last line that matches counts");
  command.add_flag("--higher", options.is_higher, "A larger number is better");
  command.add_flag("--lower", options.is_lower, "A smaller number is better");
  add_option(command, "--check", "REGEX", options.check,
             "Drop a candidate if its matching lines differ from those of the unbound run");
}

void add_how(CLI::App& command, tune::TuneOptions& options) {
  constexpr int kMostRounds = 1000;
  add_option(command, "--rounds", "N", options.rounds, "Rounds of the final; by default 15")
      ->check(within(1, kMostRounds));
  add_option(command, "--budget", "TIME", options.budget,
             "As many rounds as fit in this time, such as 90s, 15m or 2h");
  add_option(command, "--timeout", "TIME", options.timeout,
             "End a run after this time; by default ten times the longest run so far");
  add_option(command, "--seed", "N", options.seed, "Seed for the order of the runs; by default 1")
      ->check(not_empty());
  add_option(command, "--input", "FILE", options.input, "The standard input of each run");
  command.add_option("--json", options.json)->group("");
  add_option(command, "--keep", "FOLDER", options.keep,
             "Keep the output of the runs in this folder");
}

}  // namespace

void add_tune(CLI::App& app, Call& call) {
  const auto shared = std::make_shared<tune::TuneOptions>();
  tune::TuneOptions& options = *shared;
  CLI::App& command =
      *app.add_subcommand("tune", "Run a program in several layouts, and report the best, if any");
  command.formatter(help_format({"[OPTIONS] [--] PROGRAM [ARGUMENT...]"}));
  add_what(command, options);
  add_how(command, options);
  for (const auto& [variable, value] : {std::pair(options::kRuntime, &options.runtime),
                                        {options::kSmt, &options.smt},
                                        {options::kCores, &options.cores}}) {
    add_variable_option(command, variable, *value);
  }
  add_cpus(command, options.cpus,
           "Processors that the program may use, such as 0-3,8; by default those of the shell");
  add_library(command, options.library);
  add_option(command, "--format", "FORMAT", options.format,
             "text (the default), or json with all results")
      ->check(one_of({"text", "json"}));
  add_output(command, call);
  command.prefix_command();
  add_examples(command, {"nestbind tune --shapes 4x4 -- ./program", "compare times"},
               {"nestbind tune --metric 'GFLOP/s: ([0-9.]+)' --higher --check sum -- ./program",
                "compare a printed number; lines with sum must not change"});
  command.callback(
      [&command, &call, shared] { call.status = check_and_do(command, *shared, call); });
}

}  // namespace nestbind::cli
