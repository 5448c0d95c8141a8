// SPDX-License-Identifier: BSD-3-Clause
// Prints the last messages of a process, for example the report on loops.
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "observe/teams_report.hpp"
#include "omp/runtimes.hpp"
#include "omp/unseen.hpp"
#include "options/settings.hpp"
#include "process/armed.hpp"
#include "process/message.hpp"
#include "process/original_files.hpp"
#include "process/original_mask.hpp"
#include "process/rank.hpp"
#include "support/decimal.hpp"
#include "support/text_writer.hpp"
#include "team/consumer.hpp"
#include "worksharing/change_schedule.hpp"
#include "worksharing/measured_loops.hpp"
#include "worksharing/shared_team.hpp"
#include "worksharing/unseen_loops.hpp"

namespace nestbind::worksharing {

using support::Shown;

namespace {

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
        : takes_dynamic      ? "no loop has schedule(runtime), dynamic or guided"
                             : "no loop has schedule(runtime); loops=dynamic also takes dynamic "
                               "and guided loops");
  }
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
