// SPDX-License-Identifier: BSD-3-Clause
#include "cli/tune/subject.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "advice/suggestions.hpp"
#include "cli/common/asked_machine.hpp"
#include "cli/common/environment.hpp"
#include "cli/common/preload.hpp"
#include "cli/common/say.hpp"
#include "cli/common/specification.hpp"
#include "cli/inspect/program.hpp"
#include "cli/inspect/text.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::cli::tune {

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

}  // namespace

std::optional<Subject> find_subject(const TuneOptions& options, const Wanted& wanted, int& status) {
  status = kUsage;
  MachineOptions machine;
  machine.smt = options.smt;
  machine.cores = options.cores;
  if (!options.cpus.empty()) {
    const auto cpus = read_processors(options.cpus);
    if (!cpus || !confine_to(*cpus, options.cpus)) {
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
