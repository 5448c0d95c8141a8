// SPDX-License-Identifier: BSD-3-Clause
#include "cli/tune/subject.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <utility>

#include "advice/suggestions.hpp"
#include "cli/common/asked_machine.hpp"
#include "cli/common/environment.hpp"
#include "cli/common/output_files.hpp"
#include "cli/common/preload.hpp"
#include "cli/common/printable.hpp"
#include "cli/common/say.hpp"
#include "cli/common/specification.hpp"
#include "cli/inspect/program.hpp"
#include "cli/inspect/text.hpp"
#include "cli/tune/tune_progress.hpp"
#include "show/texts.hpp"
#include "support/verdict_words.hpp"

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

namespace {

std::optional<inspect::Facts> look_at(const std::vector<std::string>& words, const Wanted& wanted,
                                      int& status) {
  const std::string& program = words[0];
  const auto path = inspect::find_program(program);
  const std::string refused = path ? inspect::refusal_of(*path) : "";
  if (!path || !refused.empty()) {
    say("{}: {}", program,
        path ? refused : "command not found" + inspect::hint_of_missing(program));
    status = path ? kCannotExecute : kNotFound;
    return std::nullopt;
  }
  inspect::Facts facts = inspect::facts_of(*path, inspect::Depth::kQuick);
  facts.tools_are_disabled = tools_are_disabled();
  const std::string why = obstacle(words, facts, wanted.runtime);
  status = kFailure;
  if (!why.empty()) {
    say("{} {}: there is nothing to tune; see nestbind doctor {}", program, why, program);
    return std::nullopt;
  }
  if (wanted.runtime.is_llvm) {
    return put_llvm_in_place(program, *path, facts.file, wanted.runtime) ? std::optional(facts)
                                                                         : std::nullopt;
  }
  if (inspect::has_nothing_to_bind(*path, facts.file)) {
    say("{} {}: there is nothing to tune", program, support::kNoRuntime);
    return std::nullopt;
  }
  return facts;
}

bool has_symbolic_size(const std::string& text) {
  spec::Spec spec;
  return parse(text, spec).empty() &&
         std::any_of(spec.level, spec.level + spec.levels,
                     [](const spec::Level& level) { return level.size == 0; });
}

std::optional<std::vector<Shape>> find_shapes(const Wanted& wanted, const MachineOptions& machine,
                                              int& status) {
  std::vector<Shape> shapes;
  shapes.reserve(wanted.shapes.size() + 1);
  for (const std::vector<int>& sizes : wanted.shapes) {
    shapes.push_back({sizes, {}});
  }
  if (shapes.empty()) {
    shapes.push_back({});
  }
  const bool has_named = !wanted.specs.empty();
  if (has_named) {
    shapes.back().specs = wanted.specs;
    if (std::none_of(wanted.specs.begin(), wanted.specs.end(), has_symbolic_size)) {
      return shapes;
    }
  }
  const auto asked = read_asked_machine(machine, status);
  if (!asked || has_named) {
    return asked ? std::optional(shapes) : std::nullopt;
  }
  for (Shape& shape : shapes) {
    for (const auto& one :
         advice::suggest(asked->topology, shape.sizes, asked->smt, asked->cores)) {
      shape.specs.push_back(one.text);
    }
    if (shape.specs.empty()) {
      warn("nothing is worth trying for {} on this machine ({}); --candidates names specifications",
           shape.sizes.empty() ? "any program" : name_of_shape(shape.sizes),
           asked->topology.summary());
    }
  }
  return shapes;
}

std::vector<std::string> own_environment() {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    entries.emplace_back(*entry);
  }
  return entries;
}

class SavedEnvironment {
 public:
  SavedEnvironment() : entries_(own_environment()) {}
  ~SavedEnvironment() {
    clearenv();
    for (const std::string& entry : entries_) {
      const auto equals = entry.find('=');
      if (equals != std::string::npos) {
        setenv(entry.substr(0, equals).c_str(), entry.substr(equals + 1).c_str(), 1);
      }
    }
  }
  SavedEnvironment(const SavedEnvironment&) = delete;
  SavedEnvironment& operator=(const SavedEnvironment&) = delete;

 private:
  std::vector<std::string> entries_;
};

// Removes variables that would change a candidate, for example a specification. Removes nestbind
// from LD_PRELOAD. Returns the names of the changed variables.
std::vector<std::string> set_aside() {
  options::take_back_sizes();
  std::vector<std::string> names = {options::kSpecification, options::kRunName};
  names.insert(names.end(), std::begin(options::kCompeting), std::end(options::kCompeting));
  for (const int row : {options::kReport, options::kMachine, options::kTrace, options::kSchedule,
                        options::kMemory, options::kOrder, options::kRegionRules}) {
    names.emplace_back(options::kTable[row].rule.name);
  }
  std::vector<std::string> found;
  for (const std::string& name : names) {
    if (!inspect::variable(name.c_str()).empty()) {
      found.push_back(name);
    }
    unsetenv(name.c_str());
  }
  const std::string preloads = inspect::variable("LD_PRELOAD");
  const std::string others = preload_without(preloads);
  if (others.size() < preloads.size()) {
    found.emplace_back("LD_PRELOAD");
    others.empty() ? unsetenv("LD_PRELOAD") : setenv("LD_PRELOAD", others.c_str(), 1);
  }
  return found;
}

}  // namespace

std::optional<Subject> find_subject(const TuneOptions& options, const Wanted& wanted, int& status) {
  status = kUsage;
  MachineOptions machine;
  machine.smt = options.smt;
  machine.cores = options.cores;
  if (!options.cpus.empty()) {
    const auto cpus = read_processors(options.cpus);
    if (!cpus || !confine_to(*cpus, "--cpus " + options.cpus)) {
      return std::nullopt;
    }
  }
  const auto names = set_aside();
  if (!names.empty()) {
    remark("unset for all runs: {}", inspect::join(names, ", "));
  }
  if (!complete(options::kSmt, machine.smt) || !complete(options::kCores, machine.cores) ||
      !complete(options::kDistances, machine.distances)) {
    return std::nullopt;
  }
  Subject subject;
  const auto facts = look_at(options.program, wanted, status);
  const auto library = facts ? find_library(options.library) : std::nullopt;
  auto shapes = library ? find_shapes(wanted, machine, status) : std::nullopt;
  if (!shapes) {
    return std::nullopt;
  }
  subject.shapes = *std::move(shapes);
  subject.binding.library = *library;
  subject.binding.sanitizer = needed_sanitizer(facts->file.needed);
  subject.binding.values[options::kSmt] = machine.smt;
  subject.binding.values[options::kCores] = machine.cores;
  subject.binding.values[options::kDistances] = machine.distances;
  return subject;
}

Prepared prepare(const Candidate& candidate, const Binding& binding) {
  const SavedEnvironment saved;
  for (const auto& [name, value] : candidate.variables) {
    setenv(name.c_str(), value.c_str(), 1);
  }
  if (candidate.needs_library()) {
    spec::Spec spec;
    Binding own = binding;
    own.spec = nullptr;
    if (!candidate.spec.empty() && parse(candidate.spec, spec).empty()) {
      own.spec = candidate.rules.empty() ? &spec : nullptr;
      own.levels = spec.levels;
    }
    own.values[options::kRegionRules] = candidate.rules;
    own.values[options::kSchedule] = candidate.schedule;
    set_variables(own);
  }
  return {candidate, own_environment()};
}

}  // namespace nestbind::cli::tune
