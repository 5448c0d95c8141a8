// SPDX-License-Identifier: BSD-3-Clause
#include "placement/placement_start.hpp"

#include <errno.h>
#include <unistd.h>

#include "binding/kernel_mask.hpp"
#include "memory/loading/load_memory.hpp"
#include "observe/observer.hpp"
#include "observe/publish/publish.hpp"
#include "omp/runtime_affinity.hpp"
#include "omp/unseen.hpp"
#include "options/site_file.hpp"
#include "options/table.hpp"
#include "owner/rank_part.hpp"
#include "owner/roots.hpp"
#include "placement/expected_workers.hpp"
#include "placement/placed_forks.hpp"
#include "placement/region_rules.hpp"
#include "placement/seen_places.hpp"
#include "places/plans.hpp"
#include "places/plans_lock.hpp"
#include "process/armed.hpp"
#include "process/message.hpp"
#include "process/original_files.hpp"
#include "process/original_mask.hpp"
#include "process/undisturbed.hpp"
#include "sizes/told_sizes.hpp"
#include "support/glibc.hpp"
#include "support/text_writer.hpp"
#include "workers/pools.hpp"

namespace nestbind::placement {

using options::settings;
using process::refuse;
using process::say;
using process::Severity;

constinit process::Once g_start;

namespace {

void begin_in_child() {
  forget_seen_in_child();
  forget_told_in_child();
  keep_root_in_child();
  workers::forget_pools();
  binding::unbind_self();
  if (mask::CpuMask& own = binding::t_thread.own; own.bits != nullptr) {
    process::change_original_mask(own);  // the mask of the thread that has forked the child
    renew_plan_in_force();
    own = {};
  }
}

constinit process::Once g_arm;
constinit process::Once g_read;
constinit process::Once g_ask_late;
constinit process::Once g_ask;
constinit bool g_settings_are_good = true;
constinit bool g_is_starting = false;
constinit bool g_is_late = false;
constinit bool g_is_contained = false;

void watch_fork() {
  // at_fork holds a lock of the C library. A fork in a signal handler would wait for this lock.
  const process::Undisturbed undisturbed;
  support::at_fork(lock_for_fork, unlock_behind_fork, [] {
    unlock_behind_fork();
    begin_in_child();
  });
}

// A shell that starts the program reports no faults, because the program reports them.
bool reports_faults() { return settings().strict || !g_is_starting || omp::has_runtime_at_start(); }

PlanInForce* environment_plan(const char* text) {
  spec::Spec spec;
  spec::Fault fault;
  if (spec::parse(text, spec, fault)) {
    return plan_of(spec, nullptr, 0);
  }
  if (reports_faults()) {
    char message[1024];
    spec::describe(text, fault, message, sizeof message);
    say(Severity::kError, "%s: %s", options::kSpecification, message);
  }
  return nullptr;
}

void tell(Severity severity, const omp::Unseen& unseen) {
  say(severity, "%s %s: its teams are not bound%s%s", support::Shown(program_invocation_name).text,
      unseen.why, unseen.remedy_for_teams[0] == '\0' ? "" : "; ", unseen.remedy_for_teams);
}

// Ends the process if it has a runtime whose teams cannot be bound.
void refuse_unseen() {
  const omp::Unseen* late = omp::late(omp::Purpose::kTeams);
  const bool is_late = late != nullptr && omp::has_runtime_at_start();
  if (const omp::Unseen* unseen = is_late ? late : omp::unseen_at_start()) {
    tell(Severity::kError, *unseen);
    refuse();
  }
}

void read_settings() {
  g_read.run([] {
    const options::Faults faults = options::read();
    for (int i = 0; i < faults.count; ++i) {
      const auto& [rule, value] = faults.list[i];
      if (reports_faults()) {
        say(Severity::kError, "%s=%s: expected %s; it is ignored", rule->name,
            support::Shown(value).text, options::expected(*rule).text);
      }
      g_settings_are_good = false;
    }
    if (faults.refused != nullptr && reports_faults()) {
      say(Severity::kWarning, "%s has no effect: it is turned off for everybody by %s",
          faults.refused, options::site_file());
      g_settings_are_good = false;
    }
    process::tell_warnings(!settings().quiet);
  });
}

void refuse_if_strict() {
  if (settings().strict) {
    refuse();
  }
}

bool take_rules() {
  if (!options::rules_are_set()) {
    return false;
  }
  read_settings();
  if (!read_region_rules()) {
    refuse_if_strict();
  }
  return has_region_rules() && !is_late();
}

void specify() {
  process::learn_original_mask();
  process::learn_original_files();
  PlanInForce* plan = nullptr;
  spec::Spec spec;
  spec::Fault fault;
  const bool has_schedule = options::schedule_is_set();
  if (!options::specification_is_set()) {
    if (!has_schedule && !options::rules_are_set()) {
      omp::hide_entries();
    }
  } else if (spec::parse(settings().text, spec, fault) && spec.is_off()) {
    put_in_force(plan_of(spec, nullptr, 0));
  } else {
    read_settings();
    plan = settings().text == nullptr ? nullptr : environment_plan(settings().text);
    if (plan == nullptr || !g_settings_are_good) {
      refuse_if_strict();
    }
    if (plan != nullptr && settings().strict) {
      refuse_unseen();
    }
    if (plan != nullptr && is_late()) {
      plan = nullptr;
    }
  }
  const bool has_rules = take_rules();
  if (plan == nullptr && !has_rules) {
    process::g_armed.store(false, std::memory_order_relaxed);
    if (has_schedule) {
      read_settings();
      if (!g_settings_are_good) {
        refuse_if_strict();
      }
      prepare_for_loops();
    }
    return;
  }
  if (plan != nullptr) {
    put_in_force(plan);
    say_in_environment(plan->spec);
  }
  arm();
  if (plan != nullptr && settings().strict && omp::has_runtime_at_start() &&
      plan_to_count_in(plan) == nullptr) {
    refuse();
  }
  if (settings().competing != nullptr && settings().machine == nullptr) {
    // libgomp binds the initial thread if OMP_PROC_BIND or a similar variable is set.
    binding::widen_kernel_mask();
  }
}

__attribute__((constructor)) void start_with_the_library() { start(); }

}  // namespace

void read_environment() {
  if (!support::is_glibc()) {
    process::g_armed.store(false, std::memory_order_relaxed);
    return;
  }
  g_is_starting = true;
  specify();
  if (options::memory_is_set()) {
    read_settings();
    memory::look_at_variable();
  }
  g_is_starting = false;
}

void free_child() {
  give_up_lost_lock();
  begin_in_child();
}

void prepare_for_loops() {
  const process::Uncancelled uncancelled;  // other threads wait until this call returns
  read_settings();
  omp::show_entries();
}

void prepare_for_questions() {
  g_ask.run([] {
    const process::Uncancelled uncancelled;
    read_settings();
    find_planner();
    watch_fork();
  });
}

bool is_off(options::Feature feature) {
  const process::Uncancelled uncancelled;
  read_settings();
  return options::is_off(feature);
}

bool is_late() {
  g_ask_late.run([] {
    const process::Uncancelled uncancelled;
    read_settings();
    omp::show_entries();
    const omp::Unseen* late = omp::late(omp::Purpose::kTeams);
    g_is_late = late != nullptr;
    if (g_is_late) {
      tell(Severity::kWarning, *late);
    }
  });
  return g_is_late;
}

bool arm() {
  g_arm.run([] {
    const process::Uncancelled uncancelled;
    omp::note_display();
    observe::begin_trace();
    prepare_for_questions();
    if (settings().machine != nullptr) {
      binding::record_masks();
    }
    if (settings().report != options::ReportFormat::kNone) {
      observe::add(observe::g_report);
    }
    if (settings().publishes && settings().machine == nullptr) {
      observe::add(publish::g_publish);
    }
    if (const omp::Unseen* unseen = omp::unseen_at_once()) {
      g_is_contained = unseen->is_contained;
      tell(Severity::kWarning, *unseen);
    }
    enter_rank();
    decide_on_workers();
    process::g_armed.store(true, std::memory_order_relaxed);
    place_forks();
    observe::tell_armed();
  });
  return !g_is_contained;
}

}  // namespace nestbind::placement
