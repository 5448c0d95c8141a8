// SPDX-License-Identifier: BSD-3-Clause
#include <stdlib.h>
#include <string.h>

#include <cstddef>
#include <initializer_list>

#include "observe/output.hpp"
#include "observe/teams_report.hpp"
#include "support/allocate.hpp"

namespace nestbind::observe {

using support::TextBuffer;

namespace {

enum class Value { kPath, kThread, kProcessors, kBound, kPinned, kObject };

// The texts are arrays, so that the loader has no pointers to relocate. A negative width aligns the
// column to the left. If the heading is empty, only JSON has the column.
struct Column {
  char gap[3];  // blanks before the column, in text
  int width;
  char heading[12];
  char key[8];  // in JSON
  Value value;
  int PlannedPlace::* object = nullptr;
};

constexpr Column kColumns[] = {
    {"  ", -12, "path", "path", Value::kPath},
    {" ", 8, "thread", "thread", Value::kThread},
    {"  ", -16, "processors", "cpus", Value::kProcessors},
    {"", 0, "", "bound", Value::kBound},
    {"", 0, "", "pinned", Value::kPinned},
    {"", 6, "core", "core", Value::kObject, &PlannedPlace::core},
    {"", 6, "L3", "l3", Value::kObject, &PlannedPlace::l3},
    {"", 9, "package", "package", Value::kObject, &PlannedPlace::package},
    {"", 6, "NUMA", "numa", Value::kObject, &PlannedPlace::numa},
};

struct Form {
  const char* begin;
  const char* between;
  const char* end;
  const char* none;
};
constexpr Form kText = {"", ".", "", "-"};
constexpr Form kJson = {"[", ", ", "]", "null"};

void add_primary(const PlacedTeam& team, const Form& form, TextBuffer& text) {
  for (int i = 0; i < team.level - 1; ++i) {
    text.add("%s%d", i == 0 ? "" : form.between, team.primary[i]);
  }
}

// Objects have no number if the member has no slot of its own.
void add_number(const Column& column, const Member& member, const Form& form, int width,
                TextBuffer& text) {
  const int number = column.value == Value::kThread ? member.thread_id
                     : member.planned->pinned       ? member.planned->*column.object
                                                    : -1;
  number < 0 ? text.add("%*s", width, form.none) : text.add("%*d", width, number);
}

void add_value(const Column& column, const PlacedTeam& team, const Member& member, const Form& form,
               int width, TextBuffer& text) {
  switch (column.value) {
    case Value::kPath:
      text.add("%s", form.begin);
      add_primary(team, form, text);
      text.add("%s%d%s", team.level > 1 ? form.between : "", member.number, form.end);
      return;
    case Value::kProcessors:
      text.add("%s", form.begin);
      add_cpus(member.mask, &form == &kText, text);
      text.add("%s", form.end);
      return;
    case Value::kBound:
      text.add("%s", member.is_bound ? "true" : "false");
      return;
    case Value::kPinned:
      text.add("%s", member.planned->pinned ? "true" : "false");
      return;
    case Value::kThread:
    case Value::kObject:
      add_number(column, member, form, width, text);
  }
}

void add_line(const PlacedTeam& team, const Member* member, TextBuffer& text) {
  for (const Column& column : kColumns) {
    if (column.heading[0] == '\0') {
      continue;
    }
    text.add("%s", column.gap);
    if (member == nullptr) {
      text.add("%*s", column.width, column.heading);
      continue;
    }
    const std::size_t before = text.length();
    add_value(column, team, *member, kText, column.width, text);
    const int missing = -column.width - static_cast<int>(text.length() - before);
    text.add("%*s", missing > 0 ? missing : 0, "");
  }
  text.add(member == nullptr || member->is_bound ? "\n" : "  not bound\n");
}

struct Counts {
  int teams = 0;
  std::size_t members = 0;
  std::size_t numbers = 0;
  int unknown = 0;
  bool has_roots = false;
};

Counts count(const ToldTeam* first) {
  Counts counts;
  for (const ToldTeam* told = first; told != nullptr; told = told->next) {
    const PlacedTeam& team = told->team;
    ++counts.teams;
    counts.members += static_cast<std::size_t>(team.size);
    counts.numbers +=
        static_cast<std::size_t>(team.size) * static_cast<std::size_t>(team.level + 1);
    counts.has_roots = counts.has_roots || team.root >= 0;
    for (int i = 0; i < team.size; ++i) {
      counts.unknown += team.members[i].mask == nullptr ? 1 : 0;
    }
  }
  return counts;
}

// Fills in the members whose masks are known, and returns their number.
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
      if (team.root >= 0) {
        *numbers++ = team.root;
      }
      for (int above = 0; above < team.level - 1; ++above) {
        *numbers++ = team.primary[above];
      }
      *numbers++ = member.number;
      occupants[filled++] = {path, static_cast<int>(numbers - path), member.mask->view(),
                             member.is_bound ? nullptr : "not bound"};
    }
  }
  return filled;
}

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

bool is_on(const char* variable) {
  const char* value = getenv(variable);
  return value != nullptr && value[0] != '\0';
}

bool wants_colour(bool is_terminal) {
  const char* kind = getenv("TERM");
  const bool is_forced = is_on("CLICOLOR_FORCE") && strcmp(getenv("CLICOLOR_FORCE"), "0") != 0;
  const bool is_able = is_terminal && kind != nullptr && strcmp(kind, "dumb") != 0;
  return !is_on("NO_COLOR") && (is_able || is_forced);
}

PlannerCanvas canvas_of(const process::Terminal& terminal) {
  constexpr int kUsualColumns = 80;
  constexpr int kRows = 40;
  return {terminal.columns > 0 ? terminal.columns : kUsualColumns,
          terminal.rows > kRows ? terminal.rows : kRows, wants_colour(terminal.is_there),
          is_utf8()};
}

// The title shows the specification if it is the same for all teams.
void add_title(const ToldTeam* first, const Counts& counts, TextBuffer& text) {
  bool is_one = true;
  for (const ToldTeam* told = first; told != nullptr; told = told->next) {
    is_one = is_one && *told->team.spec == *first->team.spec;
  }
  char spec[spec::kMaxText];
  spec::print(*first->team.spec, spec, sizeof spec);
  text.add("nestbind: %s%s%d %s", is_one ? spec : "", is_one ? ": " : "", counts.teams,
           counts.teams == 1 ? "team" : "teams");
  if (counts.has_roots) {
    text.add("; the first number is the root thread's");
  }
  if (counts.unknown > 0) {
    text.add("; the processors of %d threads are not known", counts.unknown);
  }
  text.add("\n");
}

}  // namespace

void add_team_text(const PlacedTeam& team, TextBuffer& text) {
  text.add("nestbind: ");
  if (team.root >= 0) {
    text.add("root %d, ", team.root);
  }
  text.add("level %d, team of %d", team.level, team.size);
  if (team.level > 1) {
    text.add(" of thread ");
    add_primary(team, kText, text);
  }
  text.add("\n");
  add_line(team, nullptr, text);
  for (int i = 0; i < team.size; ++i) {
    add_line(team, &team.members[i], text);
  }
}

bool is_probed(const PlacedTeam& team) {
  return team.planner != nullptr && team.plan != nullptr && team.planner->is_probed(team.plan);
}

void add_team_json(const PlacedTeam& team, const char* more, TextBuffer& text) {
  char spec[spec::kMaxText];
  spec::print(*team.spec, spec, sizeof spec);
  text.add("{\"spec\": \"%s\", %s", spec, is_probed(team) ? "\"distances\": \"probed\", " : "");
  add_json_process(text);
  text.add("%s", more);
  if (team.root >= 0) {
    text.add(", \"root\": %d", team.root);
  }
  text.add(", \"level\": %d, \"threads\": [", team.level);
  for (int i = 0; i < team.size; ++i) {
    const char* before = i == 0 ? "{" : ", {";
    for (const Column& column : kColumns) {
      text.add("%s\"%s\": ", before, column.key);
      add_value(column, team, team.members[i], kJson, 0, text);
      before = ", ";
    }
    text.add("}");
  }
  text.add("]}\n");
}

using support::TextBuffer;

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
