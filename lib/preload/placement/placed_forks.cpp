// SPDX-License-Identifier: BSD-3-Clause
#include "placement/placed_forks.hpp"

#include "placement/divided_forks.hpp"
#include "placement/owner_word.hpp"
#include "placement/plain_forks.hpp"
#include "placement/region_rules.hpp"
#include "placement/ruled_forks.hpp"
#include "placement/team_places.hpp"
#include "team/consumer.hpp"

namespace nestbind::placement {

namespace {

constinit team::Consumer g_consumer{.fork = plain::fork,
                                    .expect = plain::expect,
                                    .open = plain::open,
                                    .begin = plain::begin,
                                    .end = plain::end,
                                    .league = plain::league,
                                    .root_ends = plain::root_ends,
                                    .forget = forget_places};

// Where root threads divide the plan. A league's threads are roots of their own.
constinit team::Consumer g_dividing{.fork = divided::fork,
                                    .expect = plain::expect,
                                    .open = plain::open,
                                    .begin = plain::begin,
                                    .end = divided::end,
                                    .league = [](const omp::Calls&) {},
                                    .root_ends = plain::root_ends,
                                    .forget = forget_places};

}  // namespace

void follow_roots() {
  g_owner.thread.store(0, std::memory_order_release);
  team::replace(g_consumer, g_dividing);
}

void follow() {
  team::g_nowhere.place = &g_unmanaged;
  if (has_region_rules()) {
    g_consumer.fork = nullptr;
    g_consumer.sized_fork = ruled::fork;
    g_consumer.expect = ruled::expect;
    g_consumer.begin = ruled::begin;
    g_consumer.end = ruled::end;
  }
  team::follow(g_consumer);
}

}  // namespace nestbind::placement
