// SPDX-License-Identifier: BSD-3-Clause
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cstddef>
#include <new>

#include "observe/teams_report.hpp"
#include "support/clock.hpp"

namespace nestbind::observe {

namespace {

int size_at(const PlacedTeam& team, int depth) {
  return depth == team.level - 1 ? team.size : team.sizes == nullptr ? 0 : team.sizes[depth];
}

int order_of_specs(const spec::Spec& a, const spec::Spec& b) {
  char text_of_a[spec::kMaxText];
  char text_of_b[spec::kMaxText];
  spec::print(a, text_of_a, sizeof text_of_a);
  spec::print(b, text_of_b, sizeof text_of_b);
  return strcmp(text_of_a, text_of_b);
}

// Returns less than 0 if a comes before b, more than 0 if b comes before a, otherwise 0.
int order_of(const PlacedTeam& a, const PlacedTeam& b) {
  if (a.root != b.root) {
    return a.root - b.root;
  }
  for (int depth = 0; depth < a.level && depth < b.level; ++depth) {
    if (const int order = size_at(a, depth) - size_at(b, depth); order != 0) {
      return order;
    }
    if (depth == a.level - 1 || depth == b.level - 1) {
      break;
    }
    if (const int order = a.primary[depth] - b.primary[depth]; order != 0) {
      return order;
    }
  }
  const int deeper = a.level - b.level;
  return deeper != 0 || a.spec == b.spec ? deeper : order_of_specs(*a.spec, *b.spec);
}

ToldTeam* merged(ToldTeam* a, ToldTeam* b) {
  ToldTeam* first = nullptr;
  for (ToldTeam** end = &first;; end = &(*end)->next) {
    if (a == nullptr || b == nullptr) {
      *end = a == nullptr ? b : a;
      return first;
    }
    ToldTeam*& next = order_of(b->team, a->team) < 0 ? b : a;
    *end = next;
    next = next->next;
  }
}

ToldTeam* reversed(ToldTeam* team) {
  ToldTeam* first = nullptr;
  while (team != nullptr) {
    ToldTeam* const next = team->next;
    team->next = first;
    first = team;
    team = next;
  }
  return first;
}

template <typename T>
const T* put(char*& memory, const T* objects, int count) {
  const std::size_t bytes = sizeof(T) * static_cast<std::size_t>(count);
  void* const copy = memory;
  if (objects == nullptr || count == 0) {
    return nullptr;
  }
  memcpy(copy, objects, bytes);
  memory += bytes;
  return static_cast<const T*>(copy);
}

}  // namespace

ToldTeam* copy_of(const PlacedTeam& team) {
  const int above = team.level - 1;
  const std::size_t bytes = sizeof(ToldTeam) +
                            sizeof(Member) * static_cast<std::size_t>(team.size) +
                            2 * sizeof(int) * static_cast<std::size_t>(above);
  auto* const copy = static_cast<ToldTeam*>(malloc(bytes));
  if (copy == nullptr) {
    return nullptr;
  }
  new (copy) ToldTeam{team};
  char* behind = reinterpret_cast<char*>(copy + 1);
  copy->team.members = put(behind, team.members, team.size);
  copy->team.primary = put(behind, team.primary, above);
  copy->team.sizes = put(behind, team.sizes, above);
  return copy;
}

void free_all(ToldTeam* first) {
  while (first != nullptr) {
    ToldTeam* const next = first->next;
    free(first);
    first = next;
  }
}

// Merge sort. Each run[i] is null or a sorted list of 2^i teams.
ToldTeam* in_tree_order(ToldTeam* first) {
  constexpr int kRuns = 32;
  ToldTeam* run[kRuns] = {};
  while (first != nullptr) {
    ToldTeam* carried = first;
    first = first->next;
    carried->next = nullptr;
    int i = 0;
    for (; i < kRuns - 1 && run[i] != nullptr; ++i) {
      carried = merged(run[i], carried);
      run[i] = nullptr;
    }
    run[i] = merged(run[i], carried);
  }
  ToldTeam* all = nullptr;
  for (ToldTeam* later : run) {
    all = merged(later, all);
  }
  return all;
}

bool WaitingTeams::are_quiet(long milliseconds) const {
  return has_some() &&
         support::milliseconds_now() - changed_.load(std::memory_order_relaxed) >= milliseconds;
}

void WaitingTeams::add(ToldTeam& team) {
  changed_.store(support::milliseconds_now(), std::memory_order_relaxed);
  process_.store(getpid(), std::memory_order_relaxed);
  members_.fetch_add(team.team.size, std::memory_order_relaxed);
  team.next = latest_.load(std::memory_order_relaxed);
  while (!latest_.compare_exchange_weak(team.next, &team, std::memory_order_acq_rel)) {
  }
}

ToldTeam* WaitingTeams::take() {
  if (!has_some() || process_.load(std::memory_order_relaxed) != getpid()) {
    return nullptr;
  }
  ToldTeam* const all = reversed(latest_.exchange(nullptr, std::memory_order_acq_rel));
  for (const ToldTeam* one = all; one != nullptr; one = one->next) {
    members_.fetch_sub(one->team.size, std::memory_order_relaxed);
  }
  return all;
}

void WaitingTeams::forget() {
  latest_.store(nullptr, std::memory_order_relaxed);
  members_.store(0, std::memory_order_relaxed);
}

}  // namespace nestbind::observe
