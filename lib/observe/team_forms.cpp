// SPDX-License-Identifier: BSD-3-Clause
#include "observe/team_forms.hpp"

#include <cstddef>

#include "observe/cpu_list.hpp"
#include "observe/output.hpp"

namespace nestbind::observe {

using support::TextBuffer;

namespace {

enum class Value { kPath, kThread, kProcessors, kBound, kPinned, kObject };

// The report's columns, in their order. Arrays, so that the loader has nothing to fill in.
struct Column {
  char gap[3];       // what stands before it in text
  int width;         // there; negative: to the left
  char heading[12];  // there; empty: it is not in text
  char key[8];       // in JSON
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

// How values are written in text and in JSON.
struct Form {
  const char* begin;  // of a list
  const char* between;
  const char* end;
  const char* none;
};
constexpr Form kText = {"", ".", "", "-"};
constexpr Form kJson = {"[", ", ", "]", "null"};

void add_master(const PlacedTeam& team, const Form& form, TextBuffer& text) {
  for (int i = 0; i < team.level - 1; ++i) {
    text.add("%s%d", i == 0 ? "" : form.between, team.master[i]);
  }
}

// To the right of `width` columns. A member that is not on one slot is in no object.
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
      add_master(team, form, text);
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

// A line of the table: of a member, or of the headings.
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

}  // namespace

void add_team_text(const PlacedTeam& team, TextBuffer& text) {
  text.add("nestbind: level %d, team of %d", team.level, team.size);
  if (team.level > 1) {
    text.add(" of thread ");
    add_master(team, kText, text);
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

void add_team_json(const PlacedTeam& team, const char* node, TextBuffer& text) {
  char spec[spec::kMaxText];
  spec::print(*team.spec, spec, sizeof spec);
  text.add("{\"spec\": \"%s\", %s", spec, is_probed(team) ? "\"distances\": \"probed\", " : "");
  add_json_process(text);
  if (node[0] != '\0') {
    text.add(", \"node\": {%s}", node);
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

}  // namespace nestbind::observe
