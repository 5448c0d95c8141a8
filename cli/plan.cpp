// SPDX-License-Identifier: BSD-3-Clause
#include "cli/plan.hpp"

#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include "cli/message.hpp"
#include "cli/preload.hpp"
#include "cli/processors.hpp"
#include "cli/specification.hpp"
#include "cli/topology.hpp"
#include "mask/cpu_list.hpp"
#include "options/table.hpp"
#include "show/json.hpp"
#include "show/text.hpp"

namespace nestbind::cli {

namespace {

bool print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) {
    return true;
  }
  say("cannot write: {}", std::strerror(errno));
  return false;
}

}  // namespace

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
    return print(options.format == "json" ? show::json_of(layout) : show::text_of(layout))
               ? kSuccess
               : kFailure;
  } catch (const machine::Unreadable& fault) {
    say("{}", fault.what());
    return kFailure;
  }
}

}  // namespace nestbind::cli
