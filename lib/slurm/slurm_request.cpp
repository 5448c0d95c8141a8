// SPDX-License-Identifier: BSD-3-Clause
#include "slurm/slurm_request.hpp"

#include <string_view>

#include "options/table.hpp"
#include "spec/spec.hpp"
#include "support/preload_list.hpp"

namespace nestbind::slurm {

namespace {

constexpr std::size_t kMessage = 1024;

std::string canonical(const spec::Spec& spec) {
  std::string text(spec::kMaxText, '\0');
  text.resize(spec::print(spec, text.data(), text.size()));
  return text;
}

constexpr bool kUnlessSet = false;

const char* name_of(options::Variable variable) { return options::kTable[variable].rule.name; }

}  // namespace

std::string take_specification(const char* text, Request& request) {
  const std::string_view given = text == nullptr ? "" : text;
  if (given.empty()) {
    request.specification.clear();
    request.levels = 0;
    return {};
  }
  spec::Spec spec;
  spec::Fault fault;
  if (!spec::parse(given, spec, fault)) {
    char message[kMessage];
    const std::size_t length = spec::describe(given, fault, message, sizeof message);
    return "bad specification, " + std::string(message, length);
  }
  request.specification = canonical(spec);
  request.levels = spec.levels;
  return {};
}

std::string take_report(const char* value, Request& request) {
  const options::Rule& rule = options::kTable[options::kReport].rule;
  options::Settings unused;
  if (value == nullptr || !options::take(rule, value, unused)) {
    return std::string("bad report, expected ") + options::expected(rule).text;
  }
  request.report = value;
  return {};
}

std::vector<Variable> variables_for(const Request& request, Whose whose,
                                    const Surroundings& surroundings) {
  if (!request.has_specification()) {
    return {};
  }
  std::vector<Variable> variables = {{options::kSpecification, request.specification}};
  if (!request.binds()) {  // "off" needs no other variable
    return variables;
  }
  // LLVM's and Intel's runtimes keep the threads of inner teams alive down to this level.
  variables.push_back({"KMP_HOT_TEAMS_MAX_LEVEL", std::to_string(request.levels), kUnlessSet});
  if (!request.report.empty()) {
    variables.push_back({name_of(options::kReport),
                         support::with_absolute_file(surroundings.working_folder, request.report)});
  }
  if (request.is_strict) {
    variables.push_back({name_of(options::kStrict), "1"});
  }
  if (!surroundings.cache.empty()) {
    variables.push_back({name_of(options::kCache), surroundings.cache, kUnlessSet});
  }
  if (whose == Whose::kProgram && !surroundings.library.empty()) {
    variables.push_back(
        {"LD_PRELOAD", support::preload_with(surroundings.preload, surroundings.library, "")});
  }
  return variables;
}

}  // namespace nestbind::slurm
