// SPDX-License-Identifier: BSD-3-Clause
#include "cli/plan.hpp"

#include <cstdio>

#include "cli/asked_machine.hpp"
#include "cli/message.hpp"
#include "cli/specification.hpp"
#include "show/layout.hpp"

namespace nestbind::cli {

int plan_command(const PlanOptions& options) {
  spec::Spec spec;
  if (!read_specification(options.spec, spec)) {
    return kUsage;
  }
  int status = kSuccess;
  const auto asked = read_asked_machine(options.machine, status);
  if (!asked) {
    return status;
  }
  const show::Layout layout = show::make_layout(spec, asked->topology, asked->smt, asked->cores);
  const std::string text = options.format == "json" ? show::json_of(layout) : show::text_of(layout);
  std::fputs(text.c_str(), stdout);
  return kSuccess;
}

}  // namespace nestbind::cli
