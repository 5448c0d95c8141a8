// SPDX-License-Identifier: BSD-3-Clause
#include "plan/make.hpp"

#include <algorithm>

namespace nestbind::plan {

machine::Machine slots_for(const Rules& rules, const machine::Topology& topology, int smt,
                           machine::CoreChoice cores) {
  return topology.slots({product(rules), smt, cores});
}

Plan make(const spec::Spec& spec, const machine::Topology& topology, int smt,
          machine::CoreChoice cores, Order order) {
  Rules rules = make_rules(spec, topology, cores);
  machine::Machine machine = slots_for(rules, topology, smt, cores);
  return {std::move(machine), std::move(rules), std::move(order)};
}

Plan make_from(const Plan& base, int level, const spec::Spec& spec,
               const machine::Topology& topology, machine::CoreChoice cores) {
  const Rules deeper = make_rules(spec, topology, cores);
  const int kept = std::min(level, static_cast<int>(base.rules().size()));
  Rules rules(base.rules().begin(), base.rules().begin() + kept);
  if (kept < static_cast<int>(deeper.size())) {
    rules.insert(rules.end(), deeper.begin() + kept, deeper.end());
  }
  return {base.machine(), std::move(rules), base.order()};
}

}  // namespace nestbind::plan
