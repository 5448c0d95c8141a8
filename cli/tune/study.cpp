// SPDX-License-Identifier: BSD-3-Clause
#include "cli/tune/study.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <utility>

#include "cli/tune/tune_progress.hpp"

namespace nestbind::cli::tune {

namespace {

// The time limit is kPatience times the longest run, but at least kMoment seconds.
constexpr double kPatience = 10;
constexpr double kMoment = 2;

constexpr std::size_t kShownOfALine = 60;

std::string shortened(const std::string& line) {
  return line.size() <= kShownOfALine ? line : line.substr(0, kShownOfALine) + "...";
}

std::string difference(const std::vector<std::string>& lines,
                       const std::vector<std::string>& expected) {
  const auto [own, other] =
      std::mismatch(lines.begin(), lines.end(), expected.begin(), expected.end());
  const auto shown = [](auto line, auto end) {
    return line == end ? std::string("no line") : "\"" + shortened(*line) + "\"";
  };
  return fmt::format("wrote {}, but the first run wrote {}", shown(own, lines.end()),
                     shown(other, expected.end()));
}

}  // namespace

std::string ending_of(const Ended& ended) {
  switch (ended.how) {
    case Ended::How::kNotStarted:
      return fmt::format("cannot be started: {}", std::strerror(ended.number));
    case Ended::How::kSignalled:
      return fmt::format("was ended by signal {} ({})", ended.number, strsignal(ended.number));
    case Ended::How::kTimedOut:
      return fmt::format("had not ended after {}", duration(ended.seconds));
    case Ended::How::kStopped:
      return fmt::format("was stopped: it {} the terminal, which its runs do not have",
                         ended.number == SIGTTIN ? "reads from" : "writes to, or sets up,");
    case Ended::How::kInterrupted:
    case Ended::How::kDisturbed:
      return "was stopped";
    case Ended::How::kExited:
      break;
  }
  return {};
}

Runner::Runner(Program program, Children& children, Progress& progress)
    : program_(std::move(program)), children_(children), progress_(progress) {}

Outcome Runner::first(const Prepared& unbound) {
  while (true) {
    const Outcome outcome = run(unbound, program_.patience, true);
    if (outcome.ended.how != Ended::How::kDisturbed) {
      return outcome;
    }
  }
}

void Runner::complete(Study& study, const std::vector<Prepared>& prepared) {
  while (const auto turn = study.trial.next()) {
    const auto candidate = static_cast<std::size_t>(*turn);
    progress_.show(study.trial);
    const double allowed = study.trial.seconds_allowed();
    const Outcome outcome = run(prepared[candidate], std::min(patience(), allowed), false);
    study.seconds += outcome.ended.seconds;
    if (outcome.ended.how == Ended::How::kInterrupted) {
      study.signal = outcome.ended.number;
      break;
    }
    if (outcome.ended.how == Ended::How::kTimedOut && allowed < patience()) {
      study.trial.cut();
    } else if (outcome.value) {
      study.trial.take(*outcome.value, outcome.ended.seconds);
    } else if (outcome.ended.how != Ended::How::kDisturbed) {  // disturbed runs are repeated
      study.faults[candidate] = outcome.fault;
      study.trial.fail(outcome.ended.seconds);
    }
  }
  progress_.clear();
}

Outcome Runner::run(const Prepared& prepared, double patience, bool is_first) {
  const std::string name = fmt::format("{}/{:05}", program_.folder, runs_++);
  const std::vector<std::string> files = {name + ".out", name + ".err"};
  const Start start = {program_.words, prepared.environment, program_.input, files[0], files[1]};
  Outcome outcome;
  outcome.ended = children_.run(start, patience, [this] { progress_.tick(); });
  outcome.fault = fault_of(outcome.ended, files, is_first);
  if (outcome.fault.text.empty()) {
    outcome.value = program_.metric ? last_number(*program_.metric, files)
                                    : std::optional(outcome.ended.seconds);
    outcome.fault.text = outcome.value ? "" : "wrote no number that --metric finds";
    expected_.longest = std::max(expected_.longest, outcome.ended.seconds);
  }
  if (!program_.keeps_output) {
    for (const std::string& file : files) {
      unlink(file.c_str());
    }
  }
  return outcome;
}

Fault Runner::fault_of(const Ended& ended, const std::vector<std::string>& files, bool is_first) {
  if (std::string ending = ending_of(ended); !ending.empty()) {
    return {std::move(ending)};
  }
  const auto lines =
      program_.check ? matching_lines(*program_.check, files) : std::vector<std::string>();
  if (is_first) {
    expected_.status = ended.number;
    expected_.lines = lines;
  }
  if (ended.number != expected_.status) {
    return {fmt::format("ended with status {} in place of {}", ended.number, expected_.status)};
  }
  return lines == expected_.lines ? Fault{} : Fault{difference(lines, expected_.lines), true};
}

double Runner::patience() const {
  return program_.patience > 0 ? program_.patience
                               : std::max(kMoment, kPatience * expected_.longest);
}

}  // namespace nestbind::cli::tune
