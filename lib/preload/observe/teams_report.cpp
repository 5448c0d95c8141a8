// SPDX-License-Identifier: BSD-3-Clause
#include "observe/teams_report.hpp"

#include <nestbind/topology.h>
#include <stdlib.h>

#include "observe/output.hpp"
#include "options/settings.hpp"
#include "process/original_mask.hpp"
#include "process/rank.hpp"
#include "process/undisturbed.hpp"
#include "support/errno_kept.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::observe {

using options::ReportFormat;
using options::settings;
using support::TextBuffer;

namespace {

constinit WaitingTeams g_waiting;
constinit std::atomic<bool> g_heading_is_said{false};

constinit Refused g_refused{};
constinit std::atomic<bool> g_refused_waits{false};

constexpr long kMostMembers = 1 << 16;  // members of waiting teams, in sum; they need about 5 MB

// Only if somebody has asked for the machine's devices before.
void add_devices_beside(const PlacedTeam& first, TextBuffer& text) {
  constexpr int kMost = 16;
  nestbind_device found[kMost];
  const process::Part* const part = process::part();
  const bool is_dry = settings().machine != nullptr;
  const mask::CpuMask cpus = part != nullptr && part->cpus.bits != nullptr ? part->cpus
                             : is_dry ? mask::CpuMask{0, nullptr}
                                      : process::original_mask();
  const char* before = "nestbind: devices beside the processors: ";
  for (const int kind : {NESTBIND_GPU, NESTBIND_NIC}) {
    const int count = first.planner == nullptr
                          ? 0
                          : first.planner->devices(nullptr, kind, cpus, nullptr, -1, found, kMost);
    for (int i = 0; i < count && i < kMost; ++i) {
      if (found[i].level == 0) {
        text.add("%s%s", before, found[i].name);
        before = ", ";
      }
    }
  }
  text.add("%s", before[0] == ',' ? "\n" : "");
}

void add_heading(const PlacedTeam& first, TextBuffer& text) {
  if (g_heading_is_said.exchange(true)) {
    return;
  }
  text.add("nestbind: ");
  add_process(text);
  text.add("; cores, caches, packages and NUMA nodes by the machine's own numbers\n");
  add_part(text);
  add_tree_part(text);
  add_mask_setter(text);
  add_quota(text);
  add_given_devices(text);
  if (settings().given_devices == nullptr) {
    add_devices_beside(first, text);
  }
  if (settings().machine != nullptr) {
    text.add("nestbind: dry run on %s: nothing is bound\n", settings().machine);
  }
  if (is_probed(first)) {
    text.add("nestbind: distances: probed\n");
  }
  if (settings().order != nullptr) {
    text.add("nestbind: NESTBIND_ORDER=%s is set\n", settings().order);
  }
  if (settings().competing != nullptr) {
    text.add("nestbind: %s is set too; %s\n", settings().competing, support::kSpecificationWins);
  }
  if (settings().later_threads != nullptr) {
    text.add(
        "nestbind: OMP_NUM_THREADS=%s was set after the start of nestbind; it wins over the "
        "specification's sizes\n",
        settings().later_threads);
  }
}

void add_node(const PlacedTeam& first, TextBuffer& text) {
  if (g_heading_is_said.exchange(true)) {
    return;
  }
  add_json_node_name(text);
  char* const machine = first.planner == nullptr ? nullptr : first.planner->node(first.plan);
  if (machine != nullptr) {
    text.add("%s%s", text.length() == 0 ? "" : ", ", machine);
  }
  free(machine);
}

void add_refused_text(TextBuffer& text) {
  if (g_refused_waits.exchange(false, std::memory_order_acquire)) {
    text.add("nestbind: a region at level %d asked for %d threads, but has one: ", g_refused.level,
             g_refused.asked);
    const int allowed = g_refused.allowed;
    text.add(support::kNestingIsOff, allowed, allowed == 1 ? "" : "s", allowed + 1, allowed + 1);
    text.add("\n");
  }
}

// Some team of the batch is the region's team, because members are told of their regions first.
void add_refused_json(const PlacedTeam& team, TextBuffer& text) {
  if (team.size == 1 && g_refused_waits.load(std::memory_order_acquire) &&
      team.level == g_refused.level && g_refused_waits.exchange(false)) {
    text.add(", \"refused\": {\"asked\": %d, \"allowed\": %d}", g_refused.asked, g_refused.allowed);
  }
}

void add_lines(const ToldTeam* first, const TextBuffer& node, TextBuffer& text) {
  const bool is_json = settings().report == ReportFormat::kJson;
  for (const ToldTeam* told = first; told != nullptr; told = told->next) {
    if (!is_json) {
      add_team_text(told->team, text);
      continue;
    }
    TextBuffer more;
    if (told == first && node.length() > 0) {
      more.add(", \"node\": {%s}", node.text());
    }
    add_refused_json(told->team, more);
    add_team_json(told->team, more.text(), text);
  }
}

void report_all(const ToldTeam* first) {
  TextBuffer text;
  TextBuffer node;
  settings().report == ReportFormat::kJson ? add_node(first->team, node)
                                           : add_heading(first->team, text);
  bool is_drawn = false;
  if (settings().report == ReportFormat::kPicture || settings().report == ReportFormat::kAuto) {
    name_report();
    const process::Terminal terminal = report_terminal();
    const bool is_wanted = terminal.is_there || settings().report == ReportFormat::kPicture;
    is_drawn = is_wanted && add_picture(first, terminal, text);
  }
  if (!is_drawn) {
    add_lines(first, node, text);
  }
  if (settings().report != ReportFormat::kJson) {
    add_refused_text(text);
  }
  write_report(text);
}

}  // namespace

void report_at_once(const PlacedTeam& team) {
  const process::Uncancelled uncancelled;  // a cancelled thread never gives the turn back
  const Turn turn;
  const ToldTeam told{team};
  report_all(&told);
}

bool report_later(const PlacedTeam& team) {
  const process::Uncancelled uncancelled;
  ToldTeam* const copy = copy_of(team);
  if (copy == nullptr) {
    return false;
  }
  g_waiting.add(*copy);
  if (g_waiting.members() > kMostMembers) {
    report_waiting_teams();
  }
  return true;
}

void report_refused(const Refused& refused) {
  g_refused = refused;
  g_refused_waits.store(true, std::memory_order_release);
}

bool some_teams_wait() { return g_waiting.has_some(); }

bool waiting_teams_are_quiet(long milliseconds) { return g_waiting.are_quiet(milliseconds); }

void forget_waiting_teams() {
  g_waiting.forget();
  g_heading_is_said.store(false, std::memory_order_relaxed);
  g_refused_waits.store(false, std::memory_order_relaxed);
}

void report_waiting_teams() {
  if (!g_waiting.has_some()) {
    return;
  }
  const support::ErrnoKept errno_kept;
  const process::Uncancelled uncancelled;
  const Turn turn;
  ToldTeam* const all = in_tree_order(g_waiting.take());
  if (all != nullptr) {
    report_all(all);
    free_all(all);
  }
}

void report_not_squeezed() {
  const int size = g_not_squeezed.size.load(std::memory_order_relaxed);
  if (size == 0 || settings().report == ReportFormat::kNone ||
      settings().report == ReportFormat::kJson) {
    return;
  }
  const process::Uncancelled uncancelled;
  const Turn turn;
  TextBuffer text;
  const int most = g_not_squeezed.most.load(std::memory_order_relaxed);
  text.add("nestbind: ");
  add_process(text);
  text.add(
      ": a team of %d threads is larger than its part of %d hardware thread%s; it ran unbound\n",
      size, most, most == 1 ? "" : "s");
  write_report(text);
}

}  // namespace nestbind::observe
