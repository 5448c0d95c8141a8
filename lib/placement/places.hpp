// SPDX-License-Identifier: BSD-3-Clause
// The places and teams of a plan, made when they are first asked for.
#pragma once

#include "omp/calls.hpp"
#include "placement/place.hpp"

namespace nestbind::placement {

// The team of `size` that a thread at `place` forks; null where it cannot be planned. Without a
// lock for teams that were seen before.
const Team* team_of(const Place* place, int size);

// Such a team has forked: tells what its warning is, once for a specification.
void tell_crowd(const Team& team);

// The place of the calling thread's ancestor at `level`, from a root down, by the numbers and sizes
// that the runtime tells. Null where it cannot be planned.
const Place* place_by_ancestors(const Place* root, const omp::Calls& runtime, int level);

// The place of a thread after the specification changed there to `plan`: it keeps what it is bound
// to. plan null: to "off". Null without memory.
Place* place_under(const Place* place, PlanInForce* plan);

}  // namespace nestbind::placement
