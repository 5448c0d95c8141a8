/* SPDX-License-Identifier: BSD-3-Clause */
/* What the threads of a process share until a thread calls unshare: files, folders, namespaces. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "property.h"

enum { kDescriptor = 500, kPages = 256, kPage = 4096, kLooks = 1000 };

static void read_umask(char text[kText]) { read_status("Umask", text); }
static int part_with_umask(void) {
  if (unshare(CLONE_FS) != 0) return errno;
  umask(0127);
  return 0;
}

static void read_folder(char text[kText]) {
  if (unseen(SYS_getcwd, text, kText) < 0) snprintf(text, kText, "none");
  if (strcmp(text, "/proc") != 0) snprintf(text, kText, "the first");
}
static int part_with_folder(void) {
  if (unshare(CLONE_FS) != 0) return errno;
  return failure(chdir("/proc"));
}

static void read_descriptor(char text[kText]) {
  snprintf(text, kText, unseen(SYS_fcntl, kDescriptor, F_GETFD) >= 0 ? "open" : "closed");
}
static int part_with_files(void) {
  if (unshare(CLONE_FILES) != 0) return errno;
  int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
  int result = file < 0 ? errno : failure(dup2(file, kDescriptor));
  if (file >= 0) close(file);
  return result;
}

static char g_first[2][64];

static void read_link_of(int which, char link[64]) {
  static const char *const kLinks[] = {"/proc/thread-self/ns/user", "/proc/thread-self/ns/uts"};
  memset(link, 0, 64);
  unseen(SYS_readlinkat, AT_FDCWD, kLinks[which], link, 63);
}

static int note_namespaces(void) {
  read_link_of(0, g_first[0]);
  read_link_of(1, g_first[1]);
  return g_first[0][0] == '\0' ? ENOSYS : 0;
}

static void read_namespace(int which, char text[kText]) {
  char now[64];
  read_link_of(which, now);
  snprintf(text, kText, strcmp(now, g_first[which]) == 0 ? "the first" : "another");
}
static void read_users(char text[kText]) { read_namespace(0, text); }
static void read_hosts(char text[kText]) { read_namespace(1, text); }

static long threads_now(void) {
  char text[kText];
  long threads = 0;
  read_status("Threads", text);
  return sscanf(text, "Threads=%ld", &threads) == 1 ? threads : 0;
}

/* The kernel allows this only if the process has one thread. The primary thread waits a moment,
 * because a thread that has ended may still be counted. */
static int part_with_users(void) {
  const struct timespec moment = {0, 1000000};
  for (int looks = is_worker() ? 0 : kLooks; looks > 0 && threads_now() > 1; --looks) {
    nanosleep(&moment, NULL);
  }
  return failure(unshare(CLONE_NEWUSER));
}
static int part_with_hosts(void) { return failure(unshare(CLONE_NEWUTS)); }

static int g_counter = -1;

/* Opens a counter of page faults. The counter also counts for threads that the calling thread
 * creates later. */
static int count_pages(void) {
  struct perf_event_attr wanted = {.type = PERF_TYPE_SOFTWARE, .size = sizeof wanted};
  wanted.config = PERF_COUNT_SW_PAGE_FAULTS;
  wanted.inherit = 1;
  wanted.exclude_kernel = 1;
  wanted.exclude_hv = 1;
  g_counter = (int)syscall(SYS_perf_event_open, &wanted, 0, -1, -1, 0);
  return g_counter < 0 ? errno : 0;
}

static uint64_t counted(void) {
  uint64_t value = 0;
  unseen(SYS_read, g_counter, &value, sizeof value);
  return value;
}

/* Touches pages, and returns whether the counter has counted their page faults. */
static void read_counting(char text[kText]) {
  const uint64_t before = counted();
  const size_t bytes = (size_t)kPages * kPage;
  char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  for (size_t at = 0; at < bytes; at += kPage) memory[at] = 1;
  munmap(memory, bytes);
  snprintf(text, kText, counted() - before >= kPages ? "counted" : "not counted");
}

const struct property kSharedRows[] = {
    {"unshare(CLONE_FS): umask", part_with_umask, read_umask, NULL, NULL, 0},
    {"unshare(CLONE_FS): working directory", part_with_folder, read_folder, NULL, NULL, 0},
    {"unshare(CLONE_FILES)", part_with_files, read_descriptor, NULL, NULL, 0},
    {"unshare(CLONE_NEWUSER)", part_with_users, read_users, note_namespaces, NULL, 0},
    {"unshare(CLONE_NEWUTS)", part_with_hosts, read_hosts, note_namespaces, NULL, 0},
    {"perf counters with inherit", count_pages, read_counting, NULL, NULL, 0},
    {.name = NULL},
};
