// SPDX-License-Identifier: BSD-3-Clause
#include "observe/observer.hpp"

namespace nestbind::observe {

namespace {

constinit std::atomic<Observer*> g_observers{nullptr};
constinit bool g_armed_is_told = false;

template <typename... Arguments>
void tell(void (*Observer::*function)(Arguments...), Arguments... arguments) {
  for (Observer* observer = g_observers.load(std::memory_order_acquire); observer != nullptr;
       observer = observer->next) {
    if (observer->*function != nullptr) {
      (observer->*function)(arguments...);
    }
  }
}

}  // namespace

constinit bool g_listening = false;
constinit NotSqueezed g_not_squeezed;

void add(Observer& observer) {
  Observer* const first = g_observers.load(std::memory_order_relaxed);
  for (const Observer* known = first; known != nullptr; known = known->next) {
    if (known == &observer) {
      return;
    }
  }
  observer.next = first;
  g_observers.store(&observer, std::memory_order_release);
  if (observer.forked != nullptr || observer.team_placed != nullptr ||
      observer.member_left != nullptr) {
    g_listening = true;
  }
  if (g_armed_is_told && observer.armed != nullptr) {
    observer.armed();
  }
}

void tell_armed() {
  g_armed_is_told = true;
  tell(&Observer::armed);
}

void tell_forked(const Fork& fork) { tell<const Fork&>(&Observer::forked, fork); }

void tell_team_placed(const PlacedTeam& team) {
  tell<const PlacedTeam&>(&Observer::team_placed, team);
}

void tell_member_left(const Member& member) { tell<const Member&>(&Observer::member_left, member); }

void tell_in_child() { tell(&Observer::in_child); }

void tell_slot_taken(const SlotTaken& slot_taken) {
  tell<const SlotTaken&>(&Observer::slot_taken, slot_taken);
}

void tell_not_squeezed(int size, int most) {
  if (size > g_not_squeezed.size.load(std::memory_order_relaxed)) {
    g_not_squeezed.size.store(size, std::memory_order_relaxed);
    g_not_squeezed.most.store(most, std::memory_order_relaxed);
  }
}
void tell_refused(const Refused& refused) { tell<const Refused&>(&Observer::refused, refused); }

}  // namespace nestbind::observe
