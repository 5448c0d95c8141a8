/* SPDX-License-Identifier: BSD-3-Clause */
/* Other settings that the kernel has for a thread, most of them of prctl(2). */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "property.h"

static void read_personality(char text[kText]) {
  snprintf(text, kText, "%lx", unseen(SYS_personality, 0xffffffff));
}
static int set_personality(void) { return failure(personality(ADDR_NO_RANDOMIZE)); }

static void read_death_signal(char text[kText]) {
  int signal = -1;
  unseen(SYS_prctl, PR_GET_PDEATHSIG, &signal, 0, 0, 0);
  snprintf(text, kText, "%d", signal);
}
static int set_death_signal(void) { return failure(prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0)); }

static void read_time_stamps(char text[kText]) {
  int mode = -1;
  unseen(SYS_prctl, PR_GET_TSC, &mode, 0, 0, 0);
  snprintf(text, kText, mode == PR_TSC_ENABLE ? "readable" : "a fault");
}
static int forbid_time_stamps(void) { return failure(prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0)); }

static void read_speculation(char text[kText]) {
  snprintf(text, kText, "%ld",
           unseen(SYS_prctl, PR_GET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, 0, 0, 0));
}
static int forbid_speculation(void) {
  return failure(prctl(PR_SET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, PR_SPEC_DISABLE, 0, 0));
}

static void read_reaper(char text[kText]) {
  int is_one = -1;
  unseen(SYS_prctl, PR_GET_CHILD_SUBREAPER, &is_one, 0, 0, 0);
  snprintf(text, kText, "%d", is_one);
}
static int become_reaper(void) { return failure(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)); }

static void read_huge_pages(char text[kText]) {
  snprintf(text, kText, "%ld", unseen(SYS_prctl, PR_GET_THP_DISABLE, 0, 0, 0, 0));
}
static int disable_huge_pages(void) { return failure(prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0)); }

static void read_machine_checks(char text[kText]) {
  snprintf(text, kText, "%ld", unseen(SYS_prctl, PR_MCE_KILL_GET, 0, 0, 0, 0));
}
static int kill_early(void) {
  return failure(prctl(PR_MCE_KILL, PR_MCE_KILL_SET, PR_MCE_KILL_EARLY, 0, 0));
}

/* linux/prctl.h of 5.14 */
enum { kSchedCore = 62, kCoreGet = 0, kCoreCreate = 1 };

static void read_core_cookie(char text[kText]) {
  uint64_t cookie = 0;
  unseen(SYS_prctl, kSchedCore, kCoreGet, 0, 0, &cookie);
  snprintf(text, kText, cookie == 0 ? "none" : "one");
}
static int make_core_cookie(void) {
  int result = failure(prctl(kSchedCore, kCoreCreate, 0, 0, 0));
  return result == EINVAL ? ENOSYS : result; /* a kernel without it */
}

static struct rseq *rseq_here(void) {
  return (struct rseq *)(void *)((char *)__builtin_thread_pointer() + __rseq_offset);
}
static void read_rseq(char text[kText]) {
  snprintf(text, kText, (int)rseq_here()->cpu_id >= 0 ? "registered" : "not registered");
}
static int unregister_rseq(void) {
  if (__rseq_size == 0) return ENOSYS;
  return failure(syscall(SYS_rseq, rseq_here(), 32, RSEQ_FLAG_UNREGISTER, RSEQ_SIG));
}

static struct robust_list_head g_robust = {{&g_robust.list}, 0, NULL};

static void read_robust_list(char text[kText]) {
  void *head = NULL;
  size_t size = 0;
  unseen(SYS_get_robust_list, 0, &head, &size);
  snprintf(text, kText, head == &g_robust ? "the program's" : "the C library's");
}
static int set_robust_list(void) {
  return failure(syscall(SYS_set_robust_list, &g_robust, sizeof g_robust));
}

static int g_cleared;

static void read_cleared(char text[kText]) {
  void *address = NULL;
  unseen(SYS_prctl, PR_GET_TID_ADDRESS, &address, 0, 0, 0);
  snprintf(text, kText, address == &g_cleared ? "the program's" : "the C library's");
}
static int can_read_cleared(void) {
  void *address = NULL;
  return unseen(SYS_prctl, PR_GET_TID_ADDRESS, &address, 0, 0, 0) == 0 ? 0 : ENOSYS;
}
static int set_cleared(void) {
  syscall(SYS_set_tid_address, &g_cleared);
  return 0;
}

const struct property kKernelRows[] = {
    {"personality", set_personality, read_personality, NULL, NULL, 0},
    {"PR_SET_PDEATHSIG", set_death_signal, read_death_signal, NULL, NULL, 0},
    {"PR_SET_TSC", forbid_time_stamps, read_time_stamps, NULL, NULL, 0},
    {"PR_SET_SPECULATION_CTRL", forbid_speculation, read_speculation, NULL, NULL, 0},
    {"PR_SET_CHILD_SUBREAPER", become_reaper, read_reaper, NULL, NULL, 0},
    {"PR_SET_THP_DISABLE", disable_huge_pages, read_huge_pages, NULL, NULL, 0},
    {"PR_MCE_KILL", kill_early, read_machine_checks, NULL, NULL, 0},
    {"PR_SCHED_CORE", make_core_cookie, read_core_cookie, NULL, NULL, 0},
    {"restartable sequences", unregister_rseq, read_rseq, NULL, NULL, 0},
    {"robust futex list", set_robust_list, read_robust_list, NULL, NULL, 0},
    {"set_tid_address", set_cleared, read_cleared, can_read_cleared, NULL, 0},
    {.name = NULL},
};
