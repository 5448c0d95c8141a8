// SPDX-License-Identifier: BSD-3-Clause
#include "observe/report.hpp"

#include <atomic>

#include "observe/cpu_list.hpp"
#include "observe/output.hpp"
#include "options/settings.hpp"
#include "process/undisturbed.hpp"

namespace nestbind::observe {

using options::settings;
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

void add_value(const Column& column, const PlacedTeam& team, const Member& member, const Form& form,
               TextBuffer& text) {
  // A member that is not on one slot is in no object.
  int number = column.value == Value::kThread ? member.thread_id : -1;
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
    case Value::kObject:
      number = member.planned->pinned ? member.planned->*column.object : -1;
      [[fallthrough]];
    case Value::kThread:
      number < 0 ? text.add("%s", form.none) : text.add("%d", number);
  }
}

// A line of the table: of a member, or of the headings.
void add_line(const PlacedTeam& team, const Member* member, TextBuffer& text) {
  for (const Column& column : kColumns) {
    if (column.heading[0] != '\0') {
      TextBuffer word;
      if (member != nullptr) {
        add_value(column, team, *member, kText, word);
      }
      text.add("%s%*s", column.gap, column.width, member != nullptr ? word.text() : column.heading);
    }
  }
  text.add(member == nullptr || member->is_bound ? "\n" : "  not bound\n");
}

void add_text(const PlacedTeam& team, TextBuffer& text) {
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

// One object on one line for each team.
void add_json(const PlacedTeam& team, TextBuffer& text) {
  char spec[spec::kMaxText];
  spec::print(*team.spec, spec, sizeof spec);
  text.add("{\"spec\": \"%s\", ", spec);
  add_json_process(text);
  text.add(", \"level\": %d, \"threads\": [", team.level);
  for (int i = 0; i < team.size; ++i) {
    const char* before = i == 0 ? "{" : ", {";
    for (const Column& column : kColumns) {
      text.add("%s\"%s\": ", before, column.key);
      add_value(column, team, team.members[i], kJson, text);
      before = ", ";
    }
    text.add("}");
  }
  text.add("]}\n");
}

// Said once, before the first team.
void add_heading(TextBuffer& text) {
  static std::atomic<bool> said{false};
  if (said.exchange(true)) {
    return;
  }
  text.add("nestbind: ");
  add_process(text);
  text.add("; cores, caches, packages and NUMA nodes by the machine's own numbers\n");
  if (settings().machine != nullptr) {
    text.add("nestbind: dry run on %s: nothing is bound\n", settings().machine);
  }
  if (settings().competing != nullptr) {
    text.add("nestbind: %s is set too; the specification wins\n", settings().competing);
  }
  if (settings().own_threads != nullptr) {
    text.add(
        "nestbind: OMP_NUM_THREADS=%s was set by the program for processes of its own; it wins "
        "over the specification's sizes\n",
        settings().own_threads);
  }
}

void team_placed(const PlacedTeam& team) {
  const process::Uncancelled uncancelled;  // nobody waits for a thread that has ended in its turn
  TextBuffer text;
  if (settings().report == options::ReportFormat::kText) {
    add_heading(text);
    add_text(team, text);
  } else {
    add_json(team, text);
  }
  write_report(text);
}

}  // namespace

constinit Observer g_report{.team_placed = team_placed};

}  // namespace nestbind::observe
