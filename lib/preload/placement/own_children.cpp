// SPDX-License-Identifier: BSD-3-Clause
#include "placement/own_children.hpp"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options/settings.hpp"
#include "options/table.hpp"
#include "placement/plans.hpp"
#include "process/armed.hpp"
#include "process/family.hpp"
#include "process/message.hpp"
#include "support/errno_kept.hpp"
#include "support/shown.hpp"

namespace nestbind::placement {

using options::settings;

namespace {

constexpr char kOwnProgram[] = "/proc/self/exe";

constinit const spec::Spec* g_spec = nullptr;  // the environment's specification
constinit pid_t g_process = 0;                 // the process that was started with g_spec

// Shells, launchers and other programs whose purpose is to start programs.
constexpr const char* kStarters[] = {"sh",
                                     "bash",
                                     "dash",
                                     "ash",
                                     "busybox",
                                     "ksh",
                                     "mksh",
                                     "lksh",
                                     "zsh",
                                     "csh",
                                     "tcsh",
                                     "fish",
                                     "rc",
                                     "yash",
                                     "env",
                                     "make",
                                     "gmake",
                                     "srun",
                                     "sbatch",
                                     "salloc",
                                     "slurmstepd",
                                     "mpiexec",
                                     "mpirun",
                                     "orterun",
                                     "orted",
                                     "prterun",
                                     "prted",
                                     "hydra_pmi_proxy",
                                     "hydra_bstrap_proxy"};

// A suffix may be a version, as in bash5 and make-4.3. MPI programs may have a name as a suffix, as
// in mpirun.openmpi.
bool is_suffix(const char* starter, const char* text) {
  const bool has_maker = strncmp(starter, "mpi", 3) == 0 && text[0] == '.';
  return has_maker || strspn(text, "0123456789.-") == strlen(text);
}

bool is_starter(const char* name) {
  for (const char* starter : kStarters) {
    const size_t length = strlen(starter);
    if (strncmp(name, starter, length) == 0 && is_suffix(starter, name + length)) {
      return true;
    }
  }
  return false;
}

bool is_started_by_starter() {
  char file[PATH_MAX];
  const ssize_t length = readlink(kOwnProgram, file, sizeof file - 1);
  if (length <= 0) {
    return true;  // the unknown program may be a starter
  }
  file[length] = '\0';
  const char* slash = strrchr(file, '/');
  return is_starter(slash == nullptr ? file : slash + 1);
}

bool is_same(const char* one, const char* other) {
  return one != nullptr && other != nullptr && strcmp(one, other) == 0;
}

const char* value_in(char* const* environment, const char* name) {
  const size_t length = strlen(name);
  for (; *environment != nullptr; ++environment) {
    const char* entry = *environment;
    if (strncmp(entry, name, length) == 0 && entry[length] == '=') {
      return entry[length + 1] == '\0' ? nullptr : entry + length + 1;
    }
  }
  return nullptr;
}

bool has_our_specification(char* const* environment) {
  const char* text = value_in(environment, options::kSpecification);
  spec::Spec spec;
  spec::Fault fault;
  return text != nullptr && spec::parse({text, strlen(text)}, spec, fault) && spec == *g_spec;
}

bool is_own_program(int folder, const char* name, int flags) {
  struct stat own;
  struct stat other;
  return stat(kOwnProgram, &own) == 0 && fstatat(folder, name, &other, flags) == 0 &&
         own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

bool is_own_program_in_path(const char* name) {
  const char* list = getenv("PATH");
  while (list != nullptr) {
    const char* end = strchrnul(list, ':');
    char file[PATH_MAX];
    const int length = snprintf(file, sizeof file, "%.*s%s%s", static_cast<int>(end - list), list,
                                end == list ? "" : "/", name);
    if (length < static_cast<int>(sizeof file) && access(file, X_OK) == 0) {
      return is_own_program(AT_FDCWD, file, 0);
    }
    list = *end == ':' ? end + 1 : nullptr;
  }
  return false;
}

bool is_own_program(const Executed& executed) {
  const char* name = executed.name == nullptr ? "" : executed.name;
  return executed.is_searched && strchr(name, '/') == nullptr
             ? is_own_program_in_path(name)
             : is_own_program(executed.folder, name, executed.flags & AT_EMPTY_PATH);
}

void warn(const char* threads) {
  if (process::is_first_to_tell()) {
    process::say(process::Severity::kWarning,
                 "%s=%s overrides the specification's sizes in child processes: %s has set it for "
                 "its children",
                 options::kThreads, support::Shown(threads).text,
                 support::Shown(program_invocation_short_name).text);
  }
}

// True if `threads` differs from the OMP_NUM_THREADS that this process started with.
bool is_other(const char* threads) {
  return g_spec != nullptr && threads != nullptr && settings().sizes &&
         !is_same(threads, settings().threads) && strlen(threads) <= options::kMostThreadsText;
}

}  // namespace

void note_first_specification(const spec::Spec& spec) {
  g_spec = &spec;
  g_process = getpid();
  process::begin_family();
}

const char* threads_to_tell(const Executed& executed, char* const* environment) {
  if (!process::armed() || g_spec == nullptr || environment == nullptr) {
    return nullptr;
  }
  const support::ErrnoKept errno_kept;
  const char* threads = value_in(environment, options::kThreads);
  const char* own = settings().own_threads;
  if (threads == nullptr || is_same(threads, value_in(environment, options::kOwnThreads)) ||
      !has_our_specification(environment)) {
    return nullptr;
  }
  if (own != nullptr && is_same(threads, own)) {
    return threads;
  }
  const bool may_win =
      own != nullptr ? strlen(threads) <= options::kMostThreadsText : is_other(threads);
  const bool is_child = executed.is_child || getpid() != g_process;
  if (!may_win || !is_child || is_started_by_starter() || !is_own_program(executed)) {
    return nullptr;
  }
  warn(threads);
  return threads;
}

unsigned entries_of(char* const* environment) {
  unsigned count = 0;
  while (environment[count] != nullptr) {
    ++count;
  }
  return count;
}

void tell_threads(const char* threads, char* const* environment, char (&text)[kMostTold],
                  char** more) {
  const size_t length = sizeof options::kOwnThreads - 1;
  snprintf(text, sizeof text, "%s=%s", options::kOwnThreads, threads);
  for (; *environment != nullptr; ++environment) {
    if (strncmp(*environment, text, length + 1) != 0) {
      *more++ = *environment;
    }
  }
  *more++ = text;
  *more = nullptr;
}

void let_own_threads_win() {
  if (g_spec == nullptr || getpid() == g_process) {
    return;
  }
  const char* threads = options::variable(options::kThreads);
  const PlanInForce* plan = plan_in_force();
  if (is_other(threads) && plan != nullptr && plan->spec == *g_spec) {
    options::let_threads_win(threads);
    warn(threads);
  }
}

}  // namespace nestbind::placement
