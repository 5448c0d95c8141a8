// SPDX-License-Identifier: BSD-3-Clause
#include "cli/plan.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "cli/machine.hpp"
#include "cli/message.hpp"
#include "cli/preload.hpp"
#include "cli/processors.hpp"
#include "cli/specification.hpp"
#include "options/table.hpp"
#include "show/layout.hpp"

namespace nestbind::cli {

namespace {

// Whether the machine has all processors that were asked for; says which it has not.
bool has_all(const machine::Hardware& hardware, const std::optional<std::vector<int>>& asked,
             const PlanOptions& options) {
  const std::string missing = asked ? missing_processors(*asked, hardware) : "";
  if (!missing.empty()) {
    say("--cpus {}: {} has no {} that may be used", options.cpus,
        options.machine.empty() ? "this machine" : options.machine, missing);
  }
  return missing.empty();
}

}  // namespace

int plan_command(const PlanOptions& options) {
  spec::Spec spec;
  if (!read_specification(options.spec, spec)) {
    return kUsage;
  }
  std::optional<std::vector<int>> asked;
  if (!options.cpus.empty()) {
    asked = read_processors(options.cpus);
    if (!asked) {
      return kUsage;
    }
  }
  const auto library = find_library("");
  if (!library) {
    return kFailure;
  }
  options::Settings settings;
  take(options::kTable[options::kSmt].rule, options.smt.c_str(), settings);
  take(options::kTable[options::kCores].rule, options.cores.c_str(), settings);
  try {
    machine::Hardware hardware = read_machine(*library, options.machine);
    if (!has_all(hardware, asked, options)) {
      return kUsage;
    }
    const auto allowed = asked || !options.machine.empty() ? asked : own_processors();
    const machine::Topology topology =
        machine::Topology::of(std::move(hardware), options.machine, allowed);
    const show::Layout layout = show::make_layout(spec, topology, settings.smt,
                                                  static_cast<machine::CoreChoice>(settings.cores));
    const std::string text =
        options.format == "json" ? show::json_of(layout) : show::text_of(layout);
    std::fputs(text.c_str(), stdout);
    return kSuccess;
  } catch (const machine::Unreadable& fault) {
    say("{}", fault.what());
    return kFailure;
  }
}

}  // namespace nestbind::cli
