/* SPDX-License-Identifier: BSD-3-Clause */
/* asked WHAT...: functions return a thread's mask. The program compares this mask with
 * the mask in the kernel. Needs the specification "2,scatter" on two processors. For each WHAT
 * prints
 *
 *   WHAT good
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#include "checks.h"
#include "show.h"

static cpu_set_t g_process;

__attribute__((constructor)) static void note_process(void) { g_process = show_mask_of(0); }

static cpu_set_t told_by_sched(pid_t thread) {
  cpu_set_t set;
  if (sched_getaffinity(thread, sizeof set, &set) != 0) abort();
  return set;
}

static cpu_set_t told_by_pthread(pthread_t thread) {
  cpu_set_t set;
  if (pthread_getaffinity_np(thread, sizeof set, &set) != 0) abort();
  return set;
}

static pid_t self(void) { return (pid_t)syscall(SYS_gettid); }

static bool is_told(const cpu_set_t *mask) {
  const cpu_set_t by_zero = told_by_sched(0);
  const cpu_set_t by_number = told_by_sched(self());
  const cpu_set_t by_handle = told_by_pthread(pthread_self());
  return CPU_EQUAL(&by_zero, mask) && CPU_EQUAL(&by_number, mask) && CPU_EQUAL(&by_handle, mask);
}

static bool is_told_truth(void) {
  const cpu_set_t truth = show_mask_of(0);
  return is_told(&truth);
}

static bool has_slot(void) {
  const cpu_set_t truth = show_mask_of(0);
  return CPU_COUNT(&truth) == 1;
}

static void fork_team(void) {
#pragma omp parallel num_threads(2)
  if (!has_slot()) say("a member is not bound");
}

static bool is_told_before(void) { return !has_slot() && is_told(&g_process); }

/* Between regions the thread is bound, but the functions return the process's mask. */
static bool is_told_between(void) {
  fork_team();
  return has_slot() && is_told(&g_process) && has_slot();
}

static bool is_told_inside(void) {
  int good = 0;
#pragma omp parallel num_threads(2) reduction(+ : good)
  good = has_slot() && is_told_truth();
  return good == 2;
}

static bool is_told_inside_of_one(void) {
  int good = 0;
  fork_team();
#pragma omp parallel num_threads(1) reduction(+ : good)
  good = has_slot() && is_told_truth();
#pragma omp parallel num_threads(2) reduction(+ : good)
  {
    int inner = 0;
#pragma omp parallel num_threads(1) reduction(+ : inner)
    inner = has_slot() && is_told_truth();
    good = inner;
  }
  return good == 3 && is_told(&g_process);
}

static bool is_told_by_kernel(void) {
  fork_team();
  char line[256];
  bool is_one = false;
  FILE *status = fopen("/proc/thread-self/status", "r");
  while (status != NULL && fgets(line, sizeof line, status) != NULL) {
    if (strncmp(line, "Cpus_allowed_list:", 18) == 0) is_one = strpbrk(line + 18, ",-") == NULL;
  }
  return status != NULL && fclose(status) == 0 && is_one && has_slot();
}

static pthread_t g_asked_thread;
static pid_t g_asked;

static void *ask_about_other(void *good) {
  const cpu_set_t by_number = told_by_sched(g_asked);
  const cpu_set_t by_handle = told_by_pthread(g_asked_thread);
  *(bool *)good = CPU_COUNT(&by_number) == 1 && CPU_COUNT(&by_handle) == 1 && is_told(&g_process);
  return NULL;
}

static bool is_told_to_others(void) {
  fork_team();
  bool good = false;
  pthread_t other;
  g_asked = self();
  g_asked_thread = pthread_self();
  if (pthread_create(&other, NULL, ask_about_other, &good) != 0) abort();
  if (pthread_join(other, NULL) != 0) abort();
  return good;
}

static bool ends_well(pid_t child) {
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool set_from_outside(const cpu_set_t *mask) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) _exit(syscall(SYS_sched_setaffinity, parent, sizeof *mask, mask) == 0 ? 0 : 1);
  return ends_well(child);
}

static bool is_told_of_another(void) {
  fork_team();
  const cpu_set_t slot = show_mask_of(0);
  cpu_set_t another = g_process;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &slot)) CPU_CLR(cpu, &another);
  }
  const bool good = set_from_outside(&another) && is_told(&another);
  return set_from_outside(&slot) && good && is_told(&g_process);
}

static bool is_told_errors(void) {
  fork_team();
  cpu_set_t set;
  return sched_getaffinity(0, 1, &set) == -1 && errno == EINVAL &&
         pthread_getaffinity_np(pthread_self(), 1, &set) == EINVAL;
}

static bool is_put_back(int (*set)(const cpu_set_t *)) {
  fork_team();
  const cpu_set_t slot = show_mask_of(0);
  const cpu_set_t saved = told_by_sched(0);
  if (set(&saved) != 0) return false;
  const cpu_set_t now = show_mask_of(0);
  return CPU_EQUAL(&slot, &now) && is_told(&g_process);
}

static int set_by_sched(const cpu_set_t *mask) { return sched_setaffinity(0, sizeof *mask, mask); }

static int set_by_pthread(const cpu_set_t *mask) {
  return pthread_setaffinity_np(pthread_self(), sizeof *mask, mask);
}

static bool is_put_back_by_sched(void) { return is_put_back(set_by_sched); }
static bool is_put_back_by_pthread(void) { return is_put_back(set_by_pthread); }

static bool counts_all(void) {
  const int all = CPU_COUNT(&g_process);
  int good = omp_get_num_procs() == all;
#pragma omp parallel num_threads(2) reduction(+ : good)
  good += omp_get_num_procs() == all;
  return good == 3 && omp_get_num_procs() == all;
}

static const struct check kChecks[] = {
    {"before", is_told_before},      {"between", is_told_between},
    {"inside", is_told_inside},      {"one", is_told_inside_of_one},
    {"kernel", is_told_by_kernel},   {"others", is_told_to_others},
    {"another", is_told_of_another}, {"errors", is_told_errors},
    {"sched", is_put_back_by_sched}, {"pthread", is_put_back_by_pthread},
    {"procs", counts_all},           {NULL, NULL},
};

int main(int argc, char **argv) { return run_checks(kChecks, argc, argv); }
