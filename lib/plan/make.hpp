// SPDX-License-Identifier: BSD-3-Clause
// From a specification and a topology to a plan.
#pragma once

#include "plan/plan.hpp"

namespace nestbind::plan {

// The slots that the rules ask for. smt: slots a core, 0: as many as wanted.
machine::Machine slots_for(const Rules& rules, const machine::Topology& topology, int smt,
                           machine::CoreChoice cores);

Plan make(const spec::Spec& spec, const machine::Topology& topology, int smt,
          machine::CoreChoice cores, Order order = {});

// The plan that is `base` above `level` and `spec` from there on, on the slots of `base`, in its
// order.
Plan make_from(const Plan& base, int level, const spec::Spec& spec,
               const machine::Topology& topology, machine::CoreChoice cores);

}  // namespace nestbind::plan
