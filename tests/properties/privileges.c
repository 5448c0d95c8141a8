/* SPDX-License-Identifier: BSD-3-Clause */
/* What a thread may do: capabilities, identities, keys. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <linux/securebits.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "property.h"

enum { kNobody = 65534 };

/* Of the C library, which has no header for it. */
int capset(struct __user_cap_header_struct *header, const struct __user_cap_data_struct *data);

struct capabilities {
  struct __user_cap_header_struct header;
  struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
};

static struct capabilities capabilities_now(void) {
  struct capabilities now = {.header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0}};
  unseen(SYS_capget, &now.header, now.data);
  return now;
}

/* Without the right to make device files, which most tests do without. */
static int without_one(struct capabilities *fewer) {
  *fewer = capabilities_now();
  const uint32_t bit = CAP_TO_MASK(CAP_MKNOD);
  if ((fewer->data[0].permitted & bit) == 0) return EPERM;
  fewer->data[0].effective &= ~bit;
  fewer->data[0].permitted &= ~bit;
  return 0;
}

static int drop_by_capset(void) {
  struct capabilities fewer;
  int result = without_one(&fewer);
  return result != 0 ? result : failure(capset(&fewer.header, fewer.data));
}

static int drop_by_syscall(void) {
  struct capabilities fewer;
  int result = without_one(&fewer);
  return result != 0 ? result : failure(syscall(SYS_capset, &fewer.header, fewer.data));
}

static int drop_unseen(void) {
  struct capabilities fewer;
  int result = without_one(&fewer);
  return result != 0 ? result : (int)-unseen(SYS_capset, &fewer.header, fewer.data);
}

static void read_effective(char text[kText]) { read_status("CapEff", text); }
static void read_ambient(char text[kText]) { read_status("CapAmb", text); }
static void read_bounding(char text[kText]) { read_status("CapBnd", text); }

static int make_inheritable(void) {
  struct capabilities more = capabilities_now();
  more.data[0].inheritable |= CAP_TO_MASK(CAP_MKNOD);
  return (int)-unseen(SYS_capset, &more.header, more.data);
}
static int raise_ambient(void) {
  return failure(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_MKNOD, 0, 0));
}
static int drop_bounding(void) { return failure(prctl(PR_CAPBSET_DROP, CAP_MKNOD, 0, 0, 0)); }

static void read_secure_bits(char text[kText]) {
  snprintf(text, kText, "%lx", unseen(SYS_prctl, PR_GET_SECUREBITS, 0, 0, 0, 0));
}
static int set_secure_bits(void) {
  return failure(prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0, 0, 0));
}

static void read_new_privileges(char text[kText]) { read_status("NoNewPrivs", text); }
static int set_no_new_privileges(void) { return failure(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)); }

static void read_dumpable(char text[kText]) {
  snprintf(text, kText, "%ld", unseen(SYS_prctl, PR_GET_DUMPABLE, 0, 0, 0, 0));
}
static int set_dumpable(void) { return failure(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)); }

static void read_user(char text[kText]) { read_status("Uid", text); }
static void read_group(char text[kText]) { read_status("Gid", text); }
static void read_groups(char text[kText]) { read_status("Groups", text); }

/* They return the value of before, whatever comes. */
static int set_file_user(void) {
  setfsuid(kNobody);
  return setfsuid((uid_t)-1) == kNobody ? 0 : EPERM;
}
static int set_file_group(void) {
  setfsgid(kNobody);
  return setfsgid((gid_t)-1) == kNobody ? 0 : EPERM;
}

static int set_user_by_syscall(void) { return failure(syscall(SYS_setresuid, -1, kNobody, -1)); }
static int set_group_by_syscall(void) { return failure(syscall(SYS_setresgid, -1, kNobody, -1)); }

static int set_groups_by_syscall(void) {
  const gid_t groups[] = {kNobody, kNobody - 1};
  return failure(syscall(SYS_setgroups, 2, groups));
}

/* By the C library, for all threads of the process. */
static int set_user_by_library(void) { return failure(setresuid((uid_t)-1, kNobody, (uid_t)-1)); }

static long g_session;

static long session_now(void) {
  return unseen(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0);
}
static int note_session(void) {
  g_session = session_now();
  return g_session == -ENOSYS ? ENOSYS : 0;
}
static void read_session(char text[kText]) {
  snprintf(text, kText, session_now() == g_session ? "the first" : "another");
}
static int join_session(void) {
  return failure(syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL));
}

static void read_thread_keys(char text[kText]) {
  long keys = unseen(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_THREAD_KEYRING, 0);
  snprintf(text, kText, keys > 0 ? "one" : "none");
}
static int make_thread_keys(void) {
  return failure(syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_THREAD_KEYRING, 1));
}

const struct property kPrivilegeRows[] = {
    {"capabilities: capset", drop_by_capset, read_effective, NULL, NULL, 0},
    {"capabilities: capset, by syscall", drop_by_syscall, read_effective, NULL, NULL, 0},
    {"capabilities: own system call", drop_unseen, read_effective, NULL, NULL, 0},
    {"capabilities: ambient", raise_ambient, read_ambient, make_inheritable, NULL, 0},
    {"capabilities: bounding set", drop_bounding, read_bounding, NULL, NULL, 0},
    {"secure bits", set_secure_bits, read_secure_bits, NULL, NULL, 0},
    {"no new privileges", set_no_new_privileges, read_new_privileges, NULL, NULL, 0},
    {"dumpable", set_dumpable, read_dumpable, NULL, NULL, 0},
    {"user for files: setfsuid", set_file_user, read_user, NULL, NULL, 0},
    {"group for files: setfsgid", set_file_group, read_group, NULL, NULL, 0},
    {"user: setresuid, by syscall", set_user_by_syscall, read_user, NULL, NULL, 0},
    {"group: setresgid, by syscall", set_group_by_syscall, read_group, NULL, NULL, 0},
    {"groups: setgroups, by syscall", set_groups_by_syscall, read_groups, NULL, NULL, 0},
    {"user: setresuid", set_user_by_library, read_user, NULL, NULL, 0},
    {"session keyring", join_session, read_session, note_session, NULL, 0},
    {"thread keyring", make_thread_keys, read_thread_keys, note_session, NULL, 0},
    {.name = NULL},
};
