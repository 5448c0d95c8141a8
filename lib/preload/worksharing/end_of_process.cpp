// SPDX-License-Identifier: BSD-3-Clause
// Prints the last messages of a process, for example the report on loops.
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <utility>

#include "interpose/code_place.hpp"
#include "observe/loops_report.hpp"
#include "observe/teams_report.hpp"
#include "omp/runtimes.hpp"
#include "omp/unseen.hpp"
#include "options/settings.hpp"
#include "process/armed.hpp"
#include "process/message.hpp"
#include "process/original_files.hpp"
#include "process/original_mask.hpp"
#include "process/rank.hpp"
#include "support/allocate.hpp"
#include "support/decimal.hpp"
#include "support/text_writer.hpp"
#include "team/consumer.hpp"
#include "worksharing/loop_clock.hpp"
#include "worksharing/schedule_in_force.hpp"
#include "worksharing/shared_team.hpp"
#include "worksharing/unseen_loops.hpp"

namespace nestbind::worksharing {

namespace {

using support::Shown;

struct Row {
  observe::LoopSeen seen;
  std::uintptr_t address = 0;
  std::uint64_t most = 0;  // largest number of executions of a team
};

// If there is no memory, some rows are left out.
struct Rows {
  Row* row = nullptr;
  interpose::CodePlace* place = nullptr;
  std::size_t count = 0;
  std::size_t room = 0;
};

Row* row_of(Rows& rows, const loops::Site& site) {
  for (std::size_t i = 0; i < rows.count && rows.row != nullptr; ++i) {
    if (rows.row[i].address == site.address() && rows.row[i].seen.threads == site.threads()) {
      return &rows.row[i];
    }
  }
  if (rows.row == nullptr || rows.count == rows.room) {
    return nullptr;
  }
  Row& row = rows.row[rows.count++];
  row.address = site.address();
  row.seen.threads = site.threads();
  return &row;
}

std::uint64_t in_hundredths(std::uint64_t part, std::uint64_t one) {
  return (part * 100 + one / 2) / one;
}

// If the user sets 0.5, the loop uses 32 of 63 parts. The report then shows 0.5, not 0.508.
std::uint64_t fraction_of(const loops::Site::Summary& summary, const loops::Schedule& schedule) {
  if (schedule.has_fraction() && schedule.static_parts() == summary.static_parts) {
    return static_cast<std::uint64_t>(schedule.fraction);
  }
  return 100 * in_hundredths(static_cast<std::uint64_t>(summary.static_parts), loops::kParts);
}

void add(Rows& rows, const loops::Site& site, const loops::Schedule& schedule) {
  const loops::Site::Summary summary = site.summary();
  Row* row = summary.executions == 0 ? nullptr : row_of(rows, site);
  if (row == nullptr) {
    return;
  }
  observe::LoopSeen& seen = row->seen;
  const loops::Tally& tally = summary.tally;
  using loops::Distance;
  const auto stolen = [&](Distance distance) { return tally.stolen[static_cast<int>(distance)]; };
  ++seen.teams;
  seen.executions += summary.executions;
  seen.iterations += summary.iterations;
  seen.of_block += tally.of_block;
  seen.of_own_queue += tally.of_own_queue;
  seen.stolen_in_cache += stolen(Distance::kL2) + stolen(Distance::kL3);
  seen.stolen_in_node += stolen(Distance::kNode);
  seen.stolen_elsewhere += stolen(Distance::kPackage) + stolen(Distance::kFar);
  seen.has_shared_queue = seen.has_shared_queue || summary.has_shared_queue;
  seen.measured += summary.measured;
  seen.time += nanoseconds_in(summary.time);
  seen.lost += nanoseconds_in(summary.wait);
  seen.looks += summary.owners.looks;
  seen.migrations += summary.owners.migrations;
  seen.block_runs += summary.owners.runs;
  seen.remote_runs += summary.owners.remote;
  if (summary.executions > row->most) {
    seen.blocks = static_cast<std::uint64_t>(summary.owners.blocks);
    seen.imbalance_before = summary.owners.before;
    seen.imbalance_after = summary.owners.after;
    row->most = summary.executions;
    seen.had_owners = summary.had_owners;
    seen.fraction = fraction_of(summary, schedule);
    seen.chunk = summary.chunk;
    seen.imbalance = in_hundredths(summary.imbalance, loops::Estimate::kOne);
  }
}

void find_places(Rows& rows) {
  rows.place = support::allocate<interpose::CodePlace>(rows.count);
  for (std::size_t i = 0; i < rows.count && rows.place != nullptr; ++i) {
    interpose::CodePlace& place = rows.place[i];
    observe::LoopSeen& seen = rows.row[i].seen;
    interpose::find_code(rows.row[i].address, place);
    seen.function = place.function[0] == '\0' ? nullptr : place.function;
    seen.in_function = place.in_function;
    seen.module = place.module[0] == '\0' ? nullptr : place.module;
    seen.in_module = place.in_module;
    seen.build_id = place.build_id[0] == '\0' ? nullptr : place.build_id;
  }
}

void sort(Rows& rows) {
  for (std::size_t i = 1; i < rows.count; ++i) {
    for (std::size_t k = i; k > 0 && rows.row[k - 1].seen.lost < rows.row[k].seen.lost; --k) {
      std::swap(rows.row[k - 1], rows.row[k]);
    }
  }
}

Rows all_rows(const loops::Schedule& schedule) {
  Rows rows;
  sites().each([&](const loops::Site&) { ++rows.room; });
  rows.row = support::allocate<Row>(rows.room);
  rows.room = rows.row == nullptr ? 0 : rows.room;
  // Sites that were added after this count are left out, because there is no room for them.
  sites().each([&](const loops::Site& site) { add(rows, site, schedule); });
  sort(rows);
  find_places(rows);
  return rows;
}

// A rank with a part of the processors runs there, even if it never forks a team of two.
bool is_divided() {
  const process::Part* const part = process::part();
  return part != nullptr && strcmp(part->kind, "divided") == 0;
}

// Prints one line if the environment's specification or schedule had no effect. Only the process
// that the command started prints the line. Of several ranks, only rank 0 prints the line.
void say_what_was_in_vain(const InForce* schedule) {
  const options::Settings& settings = options::settings();
  const char* rank = process::told_rank();
  const char* started = settings.started;
  if (started == nullptr ||
      support::take_decimal(started, nullptr, INT_MAX) != static_cast<std::uint64_t>(getpid()) ||
      process::has_child() || !process::has_same_error_output() ||
      (rank != nullptr && strcmp(rank, "0") != 0) || why_unseen() != nullptr ||
      omp::unseen_at_once() != nullptr ||
      (omp::started(0) == nullptr && !omp::has_runtime_at_start())) {
    return;
  }
  const bool is_taken = schedule == nullptr || !sites().is_empty() ||
                        !takes(schedule->settings.schedule, LoopKind::kRuntime);
  const bool has_spec = process::armed() && settings.text != nullptr && !is_divided();
  const bool has_teams = team::had_teams();
  if (!has_teams && (has_spec || !is_taken)) {
    process::say(process::Severity::kWarning,
                 "%s: no team of two or more threads was seen, so %s bound nothing%s%s",
                 Shown(program_invocation_short_name).text,
                 has_spec ? Shown(settings.text).text : "the schedule",
                 has_spec && process::quota() == 1 ? "; the CPU quota lets 1 thread run" : "",
                 has_spec && settings.later_threads != nullptr
                     ? "; OMP_NUM_THREADS was set after nestbind run, and it wins"
                     : "");
  } else if (!is_taken && settings.report == options::ReportFormat::kNone) {
    const bool takes_dynamic = takes(schedule->settings.schedule, LoopKind::kDynamic);
    process::say(
        process::Severity::kWarning, "%s: the schedule took no loop: %s; nestbind-loops(7)",
        Shown(program_invocation_short_name).text,
        was_runtime_chosen() ? "the program has called omp_set_schedule, which wins"
        : takes_dynamic
            ? "no team of two or more threads had a loop with schedule(runtime), dynamic or guided"
            : "no team of two or more threads had a loop with schedule(runtime); loops=dynamic "
              "also takes dynamic and guided loops");
  }
}

// Reports the measurements of all loops, as NESTBIND_REPORT asks.
void report_measured_loops(const InForce& schedule) {
  Rows rows = all_rows(schedule.settings.schedule);
  auto* seen = support::allocate<observe::LoopSeen>(rows.count);
  for (std::size_t i = 0; i < rows.count && seen != nullptr; ++i) {
    seen[i] = rows.row[i].seen;
  }
  char text[loops::kMaxText];
  loops::print(schedule.settings.schedule, text, sizeof text);
  observe::report_loops({.schedule = text,
                         .has_places = has_places(),
                         .takes_dynamic = takes(schedule.settings.schedule, LoopKind::kDynamic),
                         .runtime_was_chosen = was_runtime_chosen(),
                         .unseen = why_unseen(),
                         .some_left_out = sites().was_full(),
                         .loops = seen,
                         .count = seen == nullptr ? 0 : rows.count});
  free(seen);
  free(rows.place);
  free(rows.row);
}

// Runs after the program's exit handlers. A forked child does not report its parent's loops.
__attribute__((destructor)) void end_process() {
  observe::report_waiting_teams();
  observe::report_not_squeezed();
  const InForce* schedule = last_asked_for();
  say_what_was_in_vain(schedule);
  if (options::settings().report != options::ReportFormat::kNone && schedule != nullptr &&
      (has_forked() || why_unseen() != nullptr) && getpid() == process_of_schedule()) {
    report_measured_loops(*schedule);
  }
}

}  // namespace

}  // namespace nestbind::worksharing
