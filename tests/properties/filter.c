/* SPDX-License-Identifier: BSD-3-Clause */
/* System calls and files that a thread has forbidden itself. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "property.h"

enum { kRefused = 42 };

/* getpgid(2), which nothing here needs, fails. */
static struct sock_filter g_steps[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpgid, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | kRefused),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};
static struct sock_fprog g_filter = {sizeof g_steps / sizeof g_steps[0], g_steps};

/* What lets users have filters at all. */
static int forbid_new_privileges(void) {
  return (int)-unseen(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static void read_filter(char text[kText]) {
  snprintf(text, kText, unseen(SYS_getpgid, 0) == -kRefused ? "filtered" : "free");
}
static int filter_by_prctl(void) {
  return failure(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &g_filter, 0, 0));
}
static int filter_by_syscall(void) {
  return failure(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &g_filter));
}
static int filter_all_threads(void) {
  return failure(
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &g_filter));
}

/* linux/landlock.h, which older headers lack. */
enum { kCreateRuleset = 444, kRestrictSelf = 446, kReadFolder = 1 << 3 };
struct ruleset {
  uint64_t handled;
};

static void read_landlock(char text[kText]) {
  long folder = unseen(SYS_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (folder >= 0) unseen(SYS_close, folder);
  snprintf(text, kText, folder >= 0 ? "free" : "restricted");
}

static int restrict_myself(void) {
  const struct ruleset rules = {kReadFolder};
  long file = syscall(kCreateRuleset, &rules, sizeof rules, 0);
  if (file < 0) return errno;
  int result = failure(syscall(kRestrictSelf, file, 0));
  close((int)file);
  return result;
}

const struct property kFilterRows[] = {
    {"seccomp filter: prctl", filter_by_prctl, read_filter, forbid_new_privileges, NULL, 0},
    {"seccomp filter: syscall", filter_by_syscall, read_filter, forbid_new_privileges, NULL, 0},
    {"seccomp filter: for all threads", filter_all_threads, read_filter, forbid_new_privileges,
     NULL, 0},
    {"Landlock", restrict_myself, read_landlock, forbid_new_privileges, NULL, 0},
    {.name = NULL},
};
