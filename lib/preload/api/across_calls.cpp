// SPDX-License-Identifier: BSD-3-Clause
// The C interface of balancing between ranks: include/nestbind/across.h.
#include <nestbind/across.h>
#include <stdlib.h>

#include <atomic>
#include <new>

#include "balance/across/balancer.hpp"
#include "balance/objects.hpp"
#include "options/settings.hpp"
#include "placement/questions.hpp"
#include "process/message.hpp"
#include "support/allocate.hpp"
#include "support/errno_kept.hpp"
#include "support/floating_point.hpp"
#include "worksharing/computed.hpp"

#define NESTBIND_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

namespace across = nestbind::balance::across;
using nestbind::support::ErrnoKept;
using nestbind::support::UsualFloatingPoint;

double factor_between(int from, int to) {
  const nestbind::placement::Asked asked = nestbind::placement::ask_geometry();
  return asked.error == NESTBIND_OK ? asked.planner->numa_factor(asked.geometry, from, to) : 1;
}

// The NUMA nodes of this rank's slots; none if they are not known.
int numa_of_slots(int*& numa) {
  const nestbind::placement::Asked asked = nestbind::placement::ask_geometry();
  const int slots = asked.error == NESTBIND_OK ? asked.planner->slots(asked.geometry) : 0;
  numa = nestbind::support::allocate<int>(static_cast<std::size_t>(slots) + 1);
  const bool is_known = numa != nullptr && slots > 0 &&
                        nestbind::placement::nodes_of_slots(asked, numa, slots) == NESTBIND_OK;
  return is_known ? slots : 0;
}

constexpr const char* kWhat[] = {
    nullptr,
    "there is no memory",
    "a load, a number of messages or of bytes is not a number from 0 to 1e15",
    "two ranks have the same object",
    "no rank has this object",
    "the ranks have different numbers of remaining steps, or a bad one",
    "a number of hops is not a number from 0 to 1e15",
    "an exchange with other ranks has failed"};

// Only the first fault in a process.
void tell(int rank, const across::RankFault& fault) {
  static std::atomic<bool> has_told{false};
  if (fault.what == across::Wrong::kNothing || has_told.exchange(true)) {
    return;
  }
  const char* const what = kWhat[static_cast<int>(fault.what)];
  using nestbind::process::say;
  constexpr auto kError = nestbind::process::Severity::kError;
  if (fault.what == across::Wrong::kTwice) {
    say(kError, "balancing: rank %d, object %lld: %s (rank %d)", rank, fault.id, what, fault.rank);
  } else if (fault.what == across::Wrong::kSteps) {
    say(kError, "balancing: rank %d, %.16g remaining steps: %s", rank, fault.value, what);
  } else if (fault.what == across::Wrong::kHops) {
    say(kError, "balancing: %.16g hops from rank %lld to rank %d: %s", fault.value, fault.id,
        fault.rank, what);
  } else if (fault.what == across::Wrong::kLoad) {
    say(kError, "balancing: rank %d, object %lld: %.16g: %s", rank, fault.id, fault.value, what);
  } else if (fault.what == across::Wrong::kUnknown) {
    say(kError, "balancing: rank %d, object %lld: %s", rank, fault.id, what);
  } else {
    say(kError, "balancing: rank %d: %s", rank, what);
  }
}

bool is_amount(double number) { return number >= 0 && number <= nestbind::balance::kLargest; }

int error_of(across::Wrong what) {
  return what == across::Wrong::kNothing  ? NESTBIND_OK
         : what == across::Wrong::kMemory ? NESTBIND_NO_MEMORY
                                          : NESTBIND_BAD_ARGUMENT;
}

// Programs know only the name of the type.
across::Balancer& inside(nestbind_across* balancer) {
  return *reinterpret_cast<across::Balancer*>(balancer);
}

}  // namespace

NESTBIND_EXPORT int nestbind_across_create(const struct nestbind_across_setup* setup,
                                           struct nestbind_across** balancer) {
  const ErrnoKept errno_kept;
  if (setup == nullptr || balancer == nullptr) {
    return NESTBIND_BAD_ARGUMENT;
  }
  const bool is_rank = setup->ranks > 0 && setup->rank >= 0 && setup->rank < setup->ranks;
  const bool can_exchange = setup->node != nullptr && setup->now != nullptr &&
                            setup->reduce != nullptr && setup->counts != nullptr &&
                            setup->data != nullptr;
  if (const char* const wrong = !is_rank                             ? "rank"
                                : !can_exchange                      ? "node, or a function"
                                : setup->threads < 0                 ? "threads"
                                : setup->slots < 0                   ? "slots"
                                : setup->every < 0                   ? "every"
                                : !is_amount(setup->message_seconds) ? "message_seconds"
                                : !is_amount(setup->tolerance)       ? "tolerance"
                                                                     : nullptr;
      wrong != nullptr) {
    nestbind::process::say(nestbind::process::Severity::kError,
                           "balancing: the option %s of rank %d is not in its range "
                           "(nestbind-balance(3))",
                           wrong, setup->rank);
    return NESTBIND_BAD_ARGUMENT;
  }
  int* numa = nullptr;
  const int count = numa_of_slots(numa);
  const across::Setup wanted{*setup, numa, count, factor_between};
  across::RankFault fault;
  across::Balancer* const made = across::Balancer::create(wanted, fault);
  free(numa);
  if (made == nullptr) {
    tell(setup->rank, fault);
    return error_of(fault.what);
  }
  const int every = nestbind::options::read_balance();
  made->worth.mode = every < 0   ? across::Mode::kOff
                     : every > 0 ? across::Mode::kEvery
                                 : across::Mode::kAuto;
  made->worth.every = every > 0 ? every : setup->every > 0 ? setup->every : 1;
  made->worth.tolerance = setup->tolerance > 0 ? setup->tolerance : made->worth.tolerance;
  nestbind::worksharing::count_computed();
  *balancer = reinterpret_cast<nestbind_across*>(made);
  return NESTBIND_OK;
}

NESTBIND_EXPORT void nestbind_across_free(struct nestbind_across* balancer) {
  across::Balancer::destroy(reinterpret_cast<across::Balancer*>(balancer));
}

NESTBIND_EXPORT int nestbind_across_load(struct nestbind_across* balancer, long long id,
                                         double seconds, double bytes) {
  const UsualFloatingPoint usual;
  return inside(balancer).load(id, seconds, bytes) ? NESTBIND_OK : NESTBIND_BAD_ARGUMENT;
}

NESTBIND_EXPORT int nestbind_across_load_of_region(struct nestbind_across* balancer, long long id,
                                                   double bytes) {
  constexpr double kSecond = 1e9;
  const nestbind::worksharing::Computed computed = nestbind::worksharing::take_computed();
  inside(balancer).see_threads(computed.threads);
  const int error = nestbind_across_load(
      balancer, id, static_cast<double>(computed.nanoseconds) / kSecond, bytes);
  return error == NESTBIND_OK && computed.nanoseconds == 0 ? NESTBIND_BAD_SCHEDULE : error;
}

NESTBIND_EXPORT int nestbind_across_messages(struct nestbind_across* balancer, long long id,
                                             long long other, double count) {
  const UsualFloatingPoint usual;
  return inside(balancer).messages(id, other, count) ? NESTBIND_OK : NESTBIND_BAD_ARGUMENT;
}

NESTBIND_EXPORT int nestbind_across_balance(struct nestbind_across* balancer,
                                            double remaining_steps,
                                            const struct nestbind_balance_move** moves) {
  const ErrnoKept errno_kept;
  const UsualFloatingPoint usual;
  across::Balancer& inside_of = inside(balancer);
  inside_of.balance(remaining_steps);
  tell(inside_of.rank(), inside_of.take_fault());
  *moves = inside_of.moves().data();
  const int error = error_of(inside_of.error());
  return error == NESTBIND_OK ? inside_of.moves().count() : -error;
}

NESTBIND_EXPORT void nestbind_across_get_report(const struct nestbind_across* balancer,
                                                struct nestbind_across_report* report) {
  *report = reinterpret_cast<const across::Balancer*>(balancer)->report();
}
