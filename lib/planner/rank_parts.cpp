// SPDX-License-Identifier: BSD-3-Clause
#include "planner/rank_parts.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "plan/parts.hpp"
#include "plan/team_plan.hpp"
#include "planner/handles.hpp"
#include "planner/planner_found.hpp"

namespace nestbind::planner {

namespace {

std::string lacking(const PlannerOptions& options, const spec::Spec& spec,
                    const machine::Hardware& hardware, const std::vector<int>& cpus) {
  const auto cores = static_cast<machine::CoreChoice>(options.cores);
  const auto part = machine::Topology::of(hardware, source_of(options), cpus);
  const plan::Rules rules = plan::make_rules(spec, part, cores);
  const auto slots =
      static_cast<long>(plan::slots_for(rules, part, options.smt, cores).slots.size());
  return plan::product(rules) > slots ? plan::crowd(plan::product(rules), slots) : "";
}

}  // namespace

int divide(const PlannerOptions& options, const spec::Spec& spec, const PlannerDivision& division,
           mask::MaskBuffer& part, PlannerMessage& message) {
  int error = NESTBIND_OK;
  const Found* const there = found_or_why(error, message);
  if (there == nullptr) {
    return error;
  }
  return guarded(message, [&] {
    const auto parts =
        plan::make_parts(topology_of(options, there->hardware), division.parts, division.slots,
                         division.needs_all, static_cast<machine::CoreChoice>(options.cores));
    part = {};
    for (const int cpu : parts[division.index]) {
      if (cpu < mask::kMaxCpus) {
        mask::add(part.bits, cpu);
      }
    }
    if (division.index == 0) {
      const auto& smallest = *std::ranges::min_element(
          parts, {}, [](const std::vector<int>& cpus) { return cpus.size(); });
      const std::string shared = plan::sharing(parts);
      tell(message, shared.empty() ? lacking(options, spec, there->hardware, smallest) : shared);
    }
    return NESTBIND_OK;
  });
}

}  // namespace nestbind::planner
