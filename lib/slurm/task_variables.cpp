// SPDX-License-Identifier: BSD-3-Clause
#include "slurm/task_variables.hpp"

#include "options/table.hpp"
#include "support/absolute_path.hpp"
#include "support/preload_list.hpp"

namespace nestbind::slurm {

namespace {

constexpr bool kUnlessSet = false;

const char* name_of(options::Variable variable) { return options::kTable[variable].rule.name; }

}  // namespace

std::vector<Variable> variables_for(const Request& request, Whose whose,
                                    const Surroundings& surroundings) {
  if (!request.has_specification()) {
    return {};
  }
  std::vector<Variable> variables = {{options::kSpecification, request.specification}};
  if (!request.binds()) {  // "off", also of a job whose other steps are bound
    return variables;
  }
  // LLVM's and Intel's runtimes keep the threads of inner teams only down to a level that they are
  // told; GCC's does not look.
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
