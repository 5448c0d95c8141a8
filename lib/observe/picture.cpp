// SPDX-License-Identifier: BSD-3-Clause
#include "observe/picture.hpp"

#include <stdlib.h>
#include <string.h>

#include <cstddef>
#include <initializer_list>

#include "support/allocate.hpp"

namespace nestbind::observe {

using support::TextBuffer;

namespace {

struct Counts {
  int teams = 0;
  std::size_t members = 0;
  std::size_t numbers = 0;  // of all their paths together
  int unknown = 0;          // members whose mask is not known
};

Counts count(const ToldTeam* first) {
  Counts counts;
  for (const ToldTeam* told = first; told != nullptr; told = told->next) {
    const PlacedTeam& team = told->team;
    ++counts.teams;
    counts.members += static_cast<std::size_t>(team.size);
    counts.numbers += static_cast<std::size_t>(team.size) * static_cast<std::size_t>(team.level);
    for (int i = 0; i < team.size; ++i) {
      counts.unknown += team.members[i].mask == nullptr ? 1 : 0;
    }
  }
  return counts;
}

// Fills in those whose masks are known. Returns how many.
int fill(const ToldTeam* first, PlannerOccupant* occupants, int* numbers) {
  int filled = 0;
  for (const ToldTeam* told = first; told != nullptr; told = told->next) {
    const PlacedTeam& team = told->team;
    for (int i = 0; i < team.size; ++i) {
      const Member& member = team.members[i];
      if (member.mask == nullptr) {
        continue;
      }
      int* const path = numbers;
      for (int above = 0; above < team.level - 1; ++above) {
        *numbers++ = team.master[above];
      }
      *numbers++ = member.number;
      occupants[filled++] = {path, team.level, member.mask->view(),
                             member.is_bound ? nullptr : "not bound"};
    }
  }
  return filled;
}

// What the user's terminal takes, as far as variables tell.
bool is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = getenv(name);
    if (value != nullptr && value[0] != '\0') {
      for (const char* spelling : {"UTF-8", "utf8", "utf-8", "UTF8"}) {
        if (strstr(value, spelling) != nullptr) {
          return true;
        }
      }
      return false;
    }
  }
  return false;
}

bool wants_colour() {
  const char* no = getenv("NO_COLOR");
  const char* kind = getenv("TERM");
  return (no == nullptr || no[0] == '\0') && kind != nullptr && strcmp(kind, "dumb") != 0;
}

PlannerCanvas canvas_of(const process::Terminal& terminal) {
  constexpr int kColumns = 80;
  constexpr int kRows = 40;
  return {terminal.columns > 0 ? terminal.columns : kColumns,
          terminal.rows > kRows ? terminal.rows : kRows, terminal.is_there && wants_colour(),
          is_utf8()};
}

// What is drawn; the specification, where all have the same.
void add_title(const ToldTeam* first, const Counts& counts, TextBuffer& text) {
  bool is_one = true;
  for (const ToldTeam* told = first; told != nullptr; told = told->next) {
    is_one = is_one && *told->team.spec == *first->team.spec;
  }
  char spec[spec::kMaxText];
  spec::print(*first->team.spec, spec, sizeof spec);
  text.add("nestbind: %s%s%d %s", is_one ? spec : "", is_one ? ": " : "", counts.teams,
           counts.teams == 1 ? "team" : "teams");
  if (counts.unknown > 0) {
    text.add("; where %d of their threads may run is not known", counts.unknown);
  }
  text.add("\n");
}

}  // namespace

bool add_picture(const ToldTeam* first, const process::Terminal& terminal, TextBuffer& text) {
  const PlacedTeam& outermost = first->team;
  const Counts counts = count(first);
  if (counts.members == 0) {
    return false;
  }
  auto* const occupants = support::allocate<PlannerOccupant>(counts.members);
  int* const numbers = support::allocate<int>(counts.numbers);
  char* drawn = nullptr;
  if (occupants != nullptr && numbers != nullptr && outermost.planner != nullptr) {
    const int filled = fill(first, occupants, numbers);
    drawn = outermost.planner->draw(outermost.plan, occupants, filled, canvas_of(terminal));
  }
  if (drawn != nullptr) {
    add_title(first, counts, text);
    text.add("%s", drawn);
  }
  free(drawn);
  free(numbers);
  free(occupants);
  return drawn != nullptr;
}

}  // namespace nestbind::observe
