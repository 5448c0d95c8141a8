/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of threads, scheduling policies and priorities. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "property.h"

#ifndef SCHED_RESET_ON_FORK
#define SCHED_RESET_ON_FORK 0x40000000
#endif

static const char kName[] = "by-property";

/* A copy of the structure in linux/sched/types.h, which conflicts with the C library's sched.h. */
struct attributes {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime;
  uint64_t deadline;
  uint64_t period;
};

static void read_name(char text[kText]) {
  char name[17] = "";
  unseen(SYS_prctl, PR_GET_NAME, name, 0, 0, 0);
  snprintf(text, kText, "%s", name);
}

static int name_by_pthread(void) { return pthread_setname_np(pthread_self(), kName); }
static int name_by_prctl(void) { return failure(prctl(PR_SET_NAME, kName, 0, 0, 0)); }

static int set_name_of(const struct target *target) {
  return pthread_setname_np(target->thread, kName);
}
static int name_by_another(void) { return by_another(set_name_of); }

static void read_scheduling(char text[kText]) {
  struct attributes now = {0};
  unseen(SYS_sched_getattr, 0, &now, sizeof now, 0);
  snprintf(text, kText, "policy %u nice %d priority %u flags %llu", now.policy, now.nice,
           now.priority, (unsigned long long)now.flags);
}

static int nice_by_setpriority(void) { return failure(setpriority(PRIO_PROCESS, 0, 5)); }

static int nice_by_nice(void) {
  errno = 0;
  return nice(4) == -1 ? errno : 0;
}

static int set_nice_of(const struct target *target) {
  return failure(setpriority(PRIO_PROCESS, (id_t)target->id, 6));
}
static int nice_by_another(void) { return by_another(set_nice_of); }

static int batch_by_sched(void) {
  const struct sched_param none = {0};
  return failure(sched_setscheduler(0, SCHED_BATCH, &none));
}

static int batch_by_pthread(void) {
  const struct sched_param none = {0};
  return pthread_setschedparam(pthread_self(), SCHED_BATCH, &none);
}

static int batch_by_setattr(void) {
  struct attributes batch = {.size = sizeof batch, .policy = SCHED_BATCH};
  return failure(syscall(SYS_sched_setattr, 0, &batch, 0));
}

static int set_policy_of(const struct target *target) {
  const struct sched_param none = {0};
  return failure(sched_setscheduler(target->id, SCHED_BATCH, &none));
}
static int batch_by_another(void) { return by_another(set_policy_of); }

static int set_policy_of_thread(const struct target *target) {
  const struct sched_param none = {0};
  return pthread_setschedparam(target->thread, SCHED_BATCH, &none);
}
static int batch_by_another_thread(void) { return by_another(set_policy_of_thread); }

static int begin_real_time(void) {
  const struct sched_param first = {1};
  return (int)-unseen(SYS_sched_setscheduler, 0, SCHED_RR, &first);
}

static int priority_by_sched(void) {
  const struct sched_param second = {2};
  return failure(sched_setparam(0, &second));
}

static int priority_by_pthread(void) { return pthread_setschedprio(pthread_self(), 3); }

static int batch_until_fork(void) {
  const struct sched_param none = {0};
  return failure(sched_setscheduler(0, SCHED_BATCH | SCHED_RESET_ON_FORK, &none));
}

const struct property kSchedulingRows[] = {
    {"name: pthread_setname_np", name_by_pthread, read_name, NULL, NULL, 0},
    {"name: prctl", name_by_prctl, read_name, NULL, NULL, 0},
    {"name: by another", name_by_another, read_name, NULL, NULL, 0},
    {"nice value: setpriority", nice_by_setpriority, read_scheduling, NULL, NULL, 0},
    {"nice value: nice", nice_by_nice, read_scheduling, NULL, NULL, 0},
    {"nice value: by another", nice_by_another, read_scheduling, NULL, NULL, 0},
    {"policy: sched_setscheduler", batch_by_sched, read_scheduling, NULL, NULL, 0},
    {"policy: pthread_setschedparam", batch_by_pthread, read_scheduling, NULL, NULL, 0},
    {"policy: sched_setattr, by syscall", batch_by_setattr, read_scheduling, NULL, NULL, 0},
    {"policy: sched_setscheduler by another", batch_by_another, read_scheduling, NULL, NULL, 0},
    {"policy: pthread_setschedparam by another", batch_by_another_thread, read_scheduling, NULL,
     NULL, 0},
    {"priority: sched_setparam", priority_by_sched, read_scheduling, begin_real_time, NULL,
     kSleeps},
    {"priority: pthread_setschedprio", priority_by_pthread, read_scheduling, begin_real_time, NULL,
     kSleeps},
    {"policy: reset on fork", batch_until_fork, read_scheduling, NULL, NULL, 0},
    {.name = NULL},
};
