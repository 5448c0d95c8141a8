// SPDX-License-Identifier: BSD-3-Clause
#include "cli/explain.hpp"

#include <cstdio>
#include <vector>

#include "advice/explain.hpp"
#include "cli/asked_machine.hpp"
#include "cli/message.hpp"
#include "cli/specification.hpp"

namespace nestbind::cli {

int explain_command(const ExplainOptions& options) {
  spec::Spec spec;
  if (!read_specification(options.spec, spec)) {
    return kUsage;
  }
  int status = kSuccess;
  const auto asked = read_asked_machine(options.machine, status);
  if (!asked) {
    return status;
  }
  std::vector<advice::Runtime> runtimes;
  for (const auto& [word, runtime] :
       {std::pair("gnu", advice::Runtime::kGnu), std::pair("llvm", advice::Runtime::kLlvm)}) {
    if (options.runtime.empty() || options.runtime == word) {
      runtimes.push_back(runtime);
    }
  }
  const advice::Explanation explanation =
      advice::explain(spec, asked->topology, asked->smt, asked->cores, runtimes);
  const bool is_json = options.format == "json";
  const std::string text = is_json ? advice::json_of(explanation) : advice::text_of(explanation);
  std::fputs(text.c_str(), stdout);
  return kSuccess;
}

}  // namespace nestbind::cli
