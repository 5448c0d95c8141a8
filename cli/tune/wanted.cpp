// SPDX-License-Identifier: BSD-3-Clause
#include "cli/tune/wanted.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/common/output_files.hpp"
#include "cli/common/printable.hpp"
#include "cli/common/say.hpp"
#include "cli/common/specification.hpp"
#include "cli/inspect/text.hpp"
#include "cli/tune/tune_progress.hpp"
#include "show/texts.hpp"

namespace nestbind::cli::tune {

namespace {

constexpr char kTime[] = "time";

bool read_pattern(const char* option, const std::string& text, std::size_t groups,
                  std::optional<LinePattern>& pattern) {
  std::string fault;
  pattern = LinePattern::of(text, groups, fault);
  if (!pattern) {
    say("tune: {} {}: {}", option, text, fault);
  }
  return pattern.has_value();
}

bool read_metric(const TuneOptions& options, Wanted& wanted) {
  if (options.is_lower && options.is_higher) {
    say("tune: --lower and --higher are opposites");
    return false;
  }
  if (options.is_higher) {
    wanted.rules.better = trial::Better::kHigher;
  }
  if (options.metric == kTime) {
    if (options.is_higher) {
      say("tune: --higher needs --metric LINE-REGEX, because a shorter time is always better");
    }
    return !options.is_higher;
  }
  if (!options.is_lower && !options.is_higher) {
    say("tune: --metric {}: say --higher or --lower: which values are better?", options.metric);
    return false;
  }
  return read_pattern("--metric", options.metric, 1, wanted.program.metric);
}

bool read_seconds(const char* option, const std::string& text, double& seconds) {
  const auto read = text.empty() ? std::optional(0.0) : read_duration(text);
  if (!read) {
    say("tune: {} {}: expected a time above 0, such as 90, 90s, 15m or 2h", option, text);
  }
  seconds = read.value_or(0);
  return read.has_value();
}

bool read_counts(const TuneOptions& options, Wanted& wanted) {
  if (!read_seconds("--budget", options.budget, wanted.rules.budget) ||
      !read_seconds("--timeout", options.timeout, wanted.program.patience)) {
    return false;
  }
  if (options.rounds > 0 && wanted.rules.budget > 0) {
    say("tune: --rounds and --budget both set the number of runs; give one");
    return false;
  }
  wanted.has_rounds = options.rounds > 0;
  wanted.rules.seed = options.seed;
  wanted.rules.counts.final_rounds =
      wanted.has_rounds ? options.rounds : wanted.rules.counts.final_rounds;
  return true;
}

bool read_shapes(const std::string& text, Wanted& wanted) {
  for (const std::string& word : inspect::split(text, ",")) {
    const auto shape = read_shape(word);
    if (!shape) {
      say("tune: --shapes {}: expected team sizes of the levels, such as 4x4,2x8", word);
      return false;
    }
    wanted.shapes.push_back(*shape);
  }
  return true;
}

bool read_specs(const std::string& text, Wanted& wanted) {
  for (const std::string& word : inspect::split(text, ";")) {
    spec::Spec spec;
    if (!read_specification(word, spec)) {
      return false;
    }
    wanted.specs.push_back(show::canonical(spec));
  }
  return true;
}

// Each run reads the whole file: from a pipe, the second run would get nothing.
bool read_input(const std::string& name, Wanted& wanted) {
  if (name.empty()) {
    return true;
  }
  wanted.program.input = name;
  struct stat status{};
  const bool is_there = access(name.c_str(), R_OK) == 0 && stat(name.c_str(), &status) == 0;
  const bool is_good = is_there && (S_ISREG(status.st_mode) || S_ISCHR(status.st_mode));
  if (!is_good) {
    say("tune: --input {}: {}", name,
        is_there ? "each run must read it from the start; use a regular file"
                 : std::strerror(errno));
  }
  return is_good;
}

// Checks before the runs: a failure at the end would lose the results of hours.
bool can_be_written(const std::string& name) {
  const int error = name.empty() ? 0 : output_error(name);
  if (error != 0) {
    say("tune: --json {}: {}", name, std::strerror(error));
  }
  return error == 0;
}

std::string options_of_run(const TuneOptions& options) {
  std::string text;
  for (const auto& [name, value] : {std::pair("--runtime=", &options.runtime),
                                    {"--library=", &options.library},
                                    {"--smt=", &options.smt},
                                    {"--cores=", &options.cores}}) {
    text += value->empty() ? "" : name + shell_word(*value) + " ";
  }
  return text;
}

}  // namespace

std::optional<Wanted> read_wanted(const TuneOptions& options) {
  Wanted wanted;
  wanted.program.words = options.program;
  wanted.program.keeps_output = !options.keep.empty();
  wanted.options = options_of_run(options);
  const bool is_good =
      read_metric(options, wanted) && read_counts(options, wanted) &&
      read_shapes(options.shapes, wanted) && read_specs(options.candidates, wanted) &&
      read_input(options.input, wanted) && can_be_written(options.json) &&
      read_runtime(options.runtime, wanted.runtime) &&
      (options.check.empty() || read_pattern("--check", options.check, 0, wanted.program.check));
  return is_good ? std::optional(std::move(wanted)) : std::nullopt;
}

}  // namespace nestbind::cli::tune
