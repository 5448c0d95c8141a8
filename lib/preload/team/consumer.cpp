// SPDX-License-Identifier: BSD-3-Clause
#include "team/consumer.hpp"

#include "team/fork.hpp"

namespace nestbind::team {

constinit std::atomic<Member*> g_path_root{nullptr};
constinit std::atomic<bool> g_followed{true};

namespace {

constinit std::atomic<bool> g_had_teams{false};
constinit std::atomic<bool> g_has_consumers{false};

template <auto kEvent, typename Result, typename... Arguments>
constexpr auto both(Result (*)(Arguments...)) {
  return +[](Arguments... arguments) {
    Column<kEvent>::first.load(std::memory_order_relaxed)(arguments...);
    return Column<kEvent>::second.load(std::memory_order_relaxed)(arguments...);
  };
}

template <auto kEvent>
void add(const Consumer& consumer) {
  using To = Column<kEvent>;
  const typename To::Function function = consumer.*kEvent;
  typename To::Function present = nullptr;
  if (function == nullptr) {
    return;
  }
  if (To::first.compare_exchange_strong(present, function)) {
    present = nullptr;
    To::called.compare_exchange_strong(present, function);  // unless a second consumer was added
  } else if (present != function) {
    To::second.store(function);
    To::called.store(both<kEvent>(function));
  }
}

template <auto... kEvents>
void add_all(const Consumer& consumer) {
  (add<kEvents>(consumer), ...);
}

}  // namespace

void note_team() { g_had_teams.store(true, std::memory_order_relaxed); }
bool had_teams() { return g_had_teams.load(std::memory_order_relaxed); }

void follow(const Consumer& consumer) {
  add_all<&Consumer::forget, &Consumer::root_ends, &Consumer::league, &Consumer::end,
          &Consumer::begin, &Consumer::open, &Consumer::expect, &Consumer::fork>(consumer);
  g_has_consumers.store(true);
  g_followed.store(true);
}

// If a consumer is added between the two steps, the second step sees it.
void all_have_looked() {
  g_followed.store(false);
  if (g_has_consumers.load()) {
    g_followed.store(true);
  }
}

}  // namespace nestbind::team
