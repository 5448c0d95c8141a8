// SPDX-License-Identifier: BSD-3-Clause
// What a source tells of a fork.
//
//   encountering thread   parent = fork_begin(runtime, code)
//   each member           member_begin(parent, number, size, runtime)
//                         ... the region, and the explicit tasks that its last barrier runs ...
//                         member_end(parent, number)
//
// The master has to report its end; of the other members those may keep silent that run no program
// code before their next member_begin.
//
// `parent` is handed from the encountering thread to the members by the source (through the
// outlined function's data, or the tool's data word). A fork whose threads are in place costs a few
// loads: no system call, allocation or lock, and no write to memory that threads share.
#pragma once

#include "omp/calls.hpp"

namespace nestbind::placement {

struct Place;  // opaque to sources

// On the encountering thread, before the runtime decides on the team: its place, for its members.
// Null where the team is not planned; the members are told all the same.
//
// code: where the region is, as the source knows it: its outlined function, an address behind the
// call, a description; null: not known. asked: how many threads the runtime is about to decide on,
// as far as that is known; 0: not known.
const Place* fork_begin(const omp::Calls& runtime, const void* code, unsigned asked = 0);

// On a thread that encounters a league of teams: it owns the plan before the league's other threads
// fork, if nobody does.
void league_begin(const omp::Calls& runtime);

// For sources that carry nothing from the fork to its members (OPARI 1): on a member, the place of
// the thread that forked its team, found from the ancestors' numbers. Null where it is not planned.
const Place* parent_by_path(const omp::Calls& runtime);

// Whether the calling thread's latest member_begin was told by another source than the one with
// these calls. For sources that stand back where another acts.
bool told_by_other(const omp::Calls& runtime);

// On each member, the encountering thread too, before the region's code: binds it, if it is not
// alone. number in [0, size), size >= 1: the team that is really forked.
void member_begin(const Place* parent, int number, int size, const omp::Calls& runtime);

// On each member, behind the region's last barrier: threads still run explicit tasks there.
void member_end(const Place* parent, int number);

}  // namespace nestbind::placement
