// SPDX-License-Identifier: BSD-3-Clause
#include "cli/tune.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cli/message.hpp"
#include "cli/tune/environments.hpp"
#include "cli/tune/folder.hpp"
#include "cli/tune/json.hpp"
#include "cli/tune/ranking.hpp"
#include "cli/tune/subject.hpp"
#include "cli/tune/text.hpp"
#include "cli/tune/wanted.hpp"

namespace nestbind::cli {

namespace {

using tune::Candidate;
using tune::Prepared;
using tune::Runner;
using tune::Study;
using tune::Wanted;

constexpr int kSignalled = 128;  // as shells count: and the signal

// Programs that end sooner say more of how they are started than of how they run.
constexpr double kShort = 0.010;  // seconds

constexpr int kMostOthers = std::numeric_limits<int>::max();

// What is found goes here.
struct Report {
  nlohmann::ordered_json json;
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

// How often these run; says why that cannot be, and returns none.
std::optional<trial::Rules> rules_for(const Wanted& wanted, int others, double seconds_a_run) {
  trial::Rules rules = wanted.rules;
  if (rules.budget > 0) {
    const auto counts = trial::counts_within(rules.budget, seconds_a_run, others);
    if (!counts) {
      const trial::Counts fewest = {1, 1, trial::fewest_final_rounds(1)};
      say("tune: a run takes {}; the fewest runs that can tell anything take some {}, and there "
          "are "
          "{}",
          tune::duration(seconds_a_run), tune::duration(seconds_a_run * runs(others, fewest)),
          tune::duration(rules.budget));
      return std::nullopt;
    }
    rules.counts = *counts;
  }
  return rules;
}

// Of those that the user has given, which a budget replaces.
bool are_enough_rounds(const trial::Rules& rules, int others) {
  const int fewest = trial::fewest_final_rounds(std::min(others, rules.counts.finalists));
  const bool is_enough = rules.budget > 0 || rules.counts.final_rounds >= fewest;
  if (!is_enough) {
    say("tune: --rounds {}: it takes {} at least to tell a difference from chance",
        rules.counts.final_rounds, fewest);
  }
  return is_enough;
}

void say_what_comes(const trial::Trial& trial, const Candidate& reference, double seconds_a_run) {
  remark("{} takes {}; {} candidates, at most {} runs, some {}", reference.name,
         tune::duration(seconds_a_run), trial.records().size(), trial.runs_left(),
         tune::duration(seconds_a_run * trial.runs_left()));
}

// The reference's first run, by which all others are judged, and how long it took; says what is
// wrong with it, and returns none.
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
    say("tune: --check: no line that {} has written matches: nothing would be checked",
        wanted.program.words[0]);
    status = kFailure;
    return std::nullopt;
  }
  if (runner.expected().status != 0) {
    warn("{} ends with status {} unbound: the others are to do so, too", wanted.program.words[0],
         runner.expected().status);
  }
  if (!wanted.program.metric && *outcome.value < kShort) {
    warn(
        "{} takes {:.1f} ms: how it is started counts more than how its threads are placed; take "
        "a longer run, or --metric",
        wanted.program.words[0], *outcome.value * 1000);
  }
  return outcome.ended.seconds;
}

// Runs a study, and prints what it has found. The verdict; none where it has come to no end.
std::optional<int> complete(const char* what, Study& study, Runner& runner, const Binding& binding,
                            const tune::Words& words, Report& report) {
  runner.complete(study, prepared(study.candidates, binding));
  const trial::Verdict verdict = trial::verdict_of(study.trial);
  const std::string text =
      ranking_text(study, verdict, words) + "\n" + verdict_text(study, verdict, words);
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
  report.json[what] = json_of(study, verdict, words);
  if (study.signal != 0) {
    report.status = kSignalled + study.signal;
  } else if (verdict.finding == trial::Finding::kNone) {
    const tune::Fault& fault = study.faults[0];
    say("tune: {}: {} {}{}", what, study.candidates[0].name,
        fault.text.empty() ? "is all that is left" : fault.text,
        fault.is_of_lines ? ": --check is for lines that are the same in each run" : "");
    report.status = kFailure;
  }
  return verdict.finding == trial::Finding::kNone ? std::nullopt
                                                  : std::optional(tune::recommended(verdict));
}

void write_json(const std::string& file, Report& report) {
  std::FILE* out = std::fopen(file.c_str(), "we");
  const std::string text =
      report.json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  const bool is_written =
      out != nullptr && std::fwrite(text.data(), 1, text.size(), out) == text.size();
  if ((out != nullptr && std::fclose(out) != 0) || !is_written) {
    say("tune: --json {}: {}", file, std::strerror(errno));
    report.status = report.status == kSuccess ? kFailure : report.status;
  }
}

// The layouts, and then, if wanted, the schedules of loops in the best of them.
void tune_in(const TuneOptions& options, const Wanted& wanted, const tune::Subject& subject,
             Runner& runner, Report& report) {
  const std::vector<Candidate> layouts = tune::layouts(subject.shapes);
  const int others = static_cast<int>(layouts.size()) - 1;
  // There are more schedules than finalists.
  if (!are_enough_rounds(wanted.rules, options.schedules ? kMostOthers : others)) {
    report.status = kUsage;
    return;
  }
  const auto took = first_run(runner, prepare(layouts[0], subject.binding), wanted, report.status);
  Wanted each = wanted;
  each.rules.budget /= options.schedules ? 2 : 1;
  const tune::Words words = {wanted.program.metric ? options.metric : "seconds", wanted.options,
                             options.cpus};
  const auto rules = took ? rules_for(each, others, *took) : std::nullopt;
  if (!rules) {
    report.status = report.status == kSuccess ? kUsage : report.status;
    return;
  }
  Study study(layouts, *rules);
  say_what_comes(study.trial, layouts[0], *took);
  const auto best = complete("layouts", study, runner, subject.binding, words, report);
  if (!best || !options.schedules) {
    return;
  }
  const std::vector<Candidate> schedules =
      tune::schedules(layouts[static_cast<std::size_t>(*best)]);
  const auto rules_of_loops = rules_for(each, static_cast<int>(schedules.size()) - 1, *took);
  if (!rules_of_loops) {
    report.status = kUsage;
    return;
  }
  std::printf("\nschedules of loops, with %s:\n\n",
              layouts[static_cast<std::size_t>(*best)].name.c_str());
  Study loops(schedules, *rules_of_loops);
  say_what_comes(loops.trial, schedules[0], *took);
  complete("schedules", loops, runner, subject.binding, words, report);
}

}  // namespace

int tune_command(const TuneOptions& options) {
  const auto wanted = tune::read_wanted(options);
  if (!wanted) {
    return kUsage;
  }
  int status = kSuccess;
  const auto subject = tune::find_subject(options, *wanted, status);
  if (!subject) {
    return status;
  }
  const tune::Folder folder(options.keep);
  if (folder.path().empty()) {
    say("tune: {}", folder.fault());
    return kFailure;
  }
  Report report;
  {
    tune::Children children;
    tune::Progress progress(stderr);
    tune::Program program = wanted->program;
    program.folder = folder.path();
    Runner runner(program, children, progress);
    report.json["program"] = options.program;
    tune_in(options, *wanted, *subject, runner, report);
  }
  if (!options.json.empty() && report.json.size() > 1) {
    write_json(options.json, report);
  }
  return report.status;
}

}  // namespace nestbind::cli
