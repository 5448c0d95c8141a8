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

// A league's threads are root threads, too.
constinit team::Consumer g_dividing{.fork = divided::fork,
                                    .expect = plain::expect,
                                    .open = plain::open,
                                    .begin = plain::begin,
                                    .end = divided::end,
                                    .league = [](const omp::Calls&) {},
                                    .root_ends = plain::root_ends,
                                    .forget = forget_places};

constinit team::Consumer g_ruling{.sized_fork = ruled::fork,
                                  .expect = ruled::expect,
                                  .open = plain::open,
                                  .begin = ruled::begin,
                                  .end = ruled::end,
                                  .league = plain::league,
                                  .root_ends = plain::root_ends,
                                  .forget = forget_places};

}  // namespace

void follow_roots() {
  g_owner.thread.store(0, std::memory_order_release);
  team::replace(g_consumer, g_dividing);
}

void follow() {
  team::g_nowhere.place = &g_unmanaged;
  team::follow(has_region_rules() ? g_ruling : g_consumer);
}

}  // namespace nestbind::placement
