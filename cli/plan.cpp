// SPDX-License-Identifier: BSD-3-Clause
#include "cli/plan.hpp"

#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include "cli/machine.hpp"
#include "cli/message.hpp"
#include "cli/preload.hpp"
#include "cli/specification.hpp"
#include "mask/cpu_list.hpp"
#include "options/table.hpp"
#include "show/layout.hpp"

namespace nestbind::cli {

int plan_command(const PlanOptions& options) {
  spec::Spec spec;
  if (!read_specification(options.spec, spec)) {
    return kUsage;
  }
  std::optional<std::vector<int>> allowed;
  if (!options.cpus.empty()) {
    allowed = mask::parse_list(options.cpus);
    if (!allowed) {
      say("--cpus {}: expected a list of processors such as 0-3,8", options.cpus);
      return kUsage;
    }
  } else if (options.topology.empty()) {
    allowed = own_processors();
  }
  const auto library = find_library("");
  if (!library) {
    return kFailure;
  }
  options::Settings settings;
  take(options::kTable[options::kSmt].rule, options.smt.c_str(), settings);
  take(options::kTable[options::kCores].rule, options.cores.c_str(), settings);
  try {
    const machine::Topology topology = read_topology(*library, options.topology, allowed);
    const show::Layout layout = show::make_layout(spec, topology, settings.smt,
                                                  static_cast<machine::CoreChoice>(settings.cores));
    const std::string text =
        options.format == "json" ? show::json_of(layout) : show::text_of(layout);
    if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
      say("cannot write: {}", std::strerror(errno));
      return kFailure;
    }
    return kSuccess;
  } catch (const machine::Unreadable& fault) {
    say("{}", fault.what());
    return kFailure;
  }
}

}  // namespace nestbind::cli
