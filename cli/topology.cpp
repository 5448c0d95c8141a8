// SPDX-License-Identifier: BSD-3-Clause
#include "cli/topology.hpp"

#include <cstdio>
#include <optional>

#include "cli/asked_machine.hpp"
#include "cli/message.hpp"
#include "cli/order.hpp"
#include "cli/specification.hpp"
#include "show/layout.hpp"
#include "show/topology.hpp"

namespace nestbind::cli {

int topology_command(const TopologyOptions& options) {
  std::optional<spec::Spec> spec;
  if (!options.spec.empty() && !read_specification(options.spec, spec.emplace())) {
    return kUsage;
  }
  plan::Order order;
  if (!read_order(options.order, order)) {
    return kUsage;
  }
  int status = kSuccess;
  const auto asked = read_asked_machine(options.machine, status);
  if (!asked) {
    return status;
  }
  std::optional<show::Layout> layout;
  if (spec) {
    warn_of_order(options.order, order, *spec, *asked);
    layout = show::make_layout(*spec, asked->topology, asked->smt, asked->cores, order);
  }
  const show::Between between(
      asked->topology,
      layout ? layout->machine : asked->topology.slots({1, asked->smt, asked->cores}),
      layout ? &*layout : nullptr);
  const std::string text = options.format == "json"
                               ? json_of(between)
                               : text_of(between, {options.hops, options.coordinates});
  std::fputs(text.c_str(), stdout);
  return kSuccess;
}

}  // namespace nestbind::cli
