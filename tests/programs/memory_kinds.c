/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_kinds CHECK...: the functions of nestbind/memory.h on every kind of memory. The result
 * must be an error, or a success that the kernel confirms. No byte of the memory may change. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "checks.h"
#include "memory.h"

static const size_t kBytes = 3 << 20;
static const int kHows[] = {NESTBIND_BLOCK, NESTBIND_INTERLEAVE, NESTBIND_LOCAL};

static bool is_one_of(int error, int first, int second, const char *what) {
  if (error != first && error != second) say("  %s: error %d, not %d", what, error, first);
  return error == first || error == second;
}
static bool is(int error, int expected, const char *what) {
  return is_one_of(error, expected, expected, what);
}

static unsigned char byte_at(size_t i) { return (unsigned char)(i * 31 + i / 4096 + 7); }

static void fill_bytes(unsigned char *p, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) p[i] = byte_at(i);
}

static bool bytes_are_whole(const unsigned char *p, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    if (p[i] != byte_at(i)) {
      say("  byte %zu is lost", i);
      return false;
    }
  }
  return true;
}

static bool copies_are_whole(const unsigned char *p, size_t bytes) {
  struct nestbind_replicas *replicas = NULL;
  bool is_good = is_one_of(nestbind_memory_replicate(p, bytes, &replicas), NESTBIND_OK,
                           NESTBIND_PARTLY_PLACED, "replicate");
  is_good = is_good && memcmp(nestbind_memory_local(replicas), p, bytes) == 0;
  return is_good && is(nestbind_memory_release(replicas), NESTBIND_OK, "release");
}

/* Each function must return success or `other`, and must not change memory or errno. */
static bool all_work(unsigned char *all, size_t all_bytes, size_t from, size_t bytes, int other) {
  bool is_good = true;
  size_t told[kNodes];
  for (size_t i = 0; i < sizeof kHows / sizeof *kHows; ++i) {
    errno = 77;
    is_good = is_one_of(nestbind_memory_spread(all + from, bytes, kHows[i]), NESTBIND_OK, other,
                        "spread") &&
              is_good;
    is_good = errno == 77 && bytes_are_whole(all, all_bytes) && is_good;
  }
  errno = 77;
  is_good = is_one_of(nestbind_memory_where(all + from, bytes, told, kNodes), NESTBIND_OK, other,
                      "where") &&
            is_good;
  is_good = copies_are_whole(all + from, bytes) && is_good;
  if (errno != 77) say("  errno has changed");
  return errno == 77 && is_good;
}

static unsigned char *map(size_t bytes, int flags, int file) {
  unsigned char *const p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, file, 0);
  return p == MAP_FAILED ? NULL : p;
}

static bool works_on(unsigned char *p, size_t bytes, int other) {
  if (p == NULL) return false;
  fill_bytes(p, bytes);
  const bool is_good = all_work(p, bytes, 0, bytes, other);
  munmap(p, bytes);
  return is_good;
}

static bool plain_is_good(void) {
  return works_on(map(kBytes, MAP_PRIVATE | MAP_ANONYMOUS, -1), kBytes, NESTBIND_OK);
}

static bool unaligned_is_good(void) {
  unsigned char *const p = map(kBytes, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  fill_bytes(p, kBytes);
  bool is_good = all_work(p, kBytes, 4097, kBytes - 9001, NESTBIND_OK);
  is_good = all_work(p, kBytes, 4095, 2, NESTBIND_OK) && is_good;
  is_good = all_work(p, kBytes, 12345, 1, NESTBIND_OK) && is_good;
  is_good = is(nestbind_memory_spread(p + 1, 0, NESTBIND_BLOCK), NESTBIND_OK, "nothing") && is_good;
  munmap(p, kBytes);
  return is_good;
}

static bool overlapping_is_good(void) {
  unsigned char *const p = map(kBytes, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  fill_bytes(p, kBytes);
  bool is_good = true;
  for (size_t i = 0; i < 8; ++i) {
    is_good = is(nestbind_memory_spread(p + i * 30000, kBytes / 4, kHows[i % 3]), NESTBIND_OK,
                 "spread") &&
              is_good;
  }
  is_good = bytes_are_whole(p, kBytes) && is_good;
  munmap(p, kBytes);
  return is_good;
}

static bool shared_is_good(void) {
  return works_on(map(kBytes, MAP_SHARED | MAP_ANONYMOUS, -1), kBytes, NESTBIND_PARTLY_PLACED);
}

/* Pages that another process has mapped must not move. */
static bool shared_by_two_is_good(void) {
  const int file = memfd_create("shared", 0);
  if (file < 0 || ftruncate(file, (off_t)kBytes) != 0) return false;
  unsigned char *const other = map(kBytes, MAP_SHARED, file);
  fill_bytes(other, kBytes);
  const bool is_good = works_on(map(kBytes, MAP_SHARED, file), kBytes, NESTBIND_PARTLY_PLACED);
  munmap(other, kBytes);
  close(file);
  return is_good;
}

static bool file_is_good(void) {
  char name[] = "/tmp/nestbind-memory-XXXXXX";
  const int file = mkstemp(name);
  if (file < 0 || ftruncate(file, (off_t)kBytes) != 0) return false;
  unlink(name);
  bool is_good = works_on(map(kBytes, MAP_SHARED, file), kBytes, NESTBIND_PARTLY_PLACED);
  is_good = works_on(map(kBytes, MAP_PRIVATE, file), kBytes, NESTBIND_PARTLY_PLACED) && is_good;
  close(file);
  return is_good;
}

static bool locked_is_good(void) {
  unsigned char *const p = map(kBytes, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  if (mlock(p, 65536) != 0) say("  nothing could be locked");
  return works_on(p, kBytes, NESTBIND_PARTLY_PLACED);
}

/* Only a guest (MEMORY_OWN_MACHINE=1) must have hugetlbfs pages. */
static bool hugetlb_is_good(void) {
  static const char pool[] = "/proc/sys/vm/nr_hugepages";
  const long before = number_in(pool, 0);
  if (is_own_machine()) set_number(pool, 8);
  const size_t bytes = 8 << 20;
  unsigned char *p = map(bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1);
  if (p == NULL && !is_own_machine()) return true;
  /* Perhaps a node has no more free huge pages. */
  bool is_good = works_on(p, bytes, NESTBIND_PARTLY_PLACED);
  p = map(bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1);
  if (p != NULL) {
    fill_bytes(p, bytes);
    is_good = all_work(p, bytes, 1234567, 5000000, NESTBIND_PARTLY_PLACED) && is_good;
    munmap(p, bytes);
  }
  if (is_own_machine()) set_number(pool, before);
  return is_good;
}

static bool read_only_is_good(void) {
  unsigned char *const p = map(kBytes, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  fill_bytes(p, kBytes);
  mprotect(p, kBytes / 3 / kSmall * kSmall, PROT_READ);
  bool is_good = all_work(p, kBytes, 0, kBytes, NESTBIND_OK);
  p[kBytes - 1] = byte_at(kBytes - 1);
  int pipes[2];
  is_good = pipe(pipes) == 0 && write(pipes[1], "x", 1) == 1 && read(pipes[0], p, 1) == -1 &&
            errno == EFAULT && is_good;
  close(pipes[0]);
  close(pipes[1]);
  munmap(p, kBytes);
  return is_good;
}

static bool unmapped_is_good(void) {
  unsigned char *const p = map(kBytes, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  fill_bytes(p, kBytes);
  munmap(p + 1048576, kSmall);
  size_t told[kNodes];
  struct nestbind_replicas *replicas = NULL;
  bool is_good = true;
  for (size_t i = 0; i < sizeof kHows / sizeof *kHows; ++i) {
    is_good =
        is(nestbind_memory_spread(p, kBytes, kHows[i]), NESTBIND_NOT_MAPPED, "spread") && is_good;
  }
  is_good = is(nestbind_memory_replicate(p, kBytes, &replicas), NESTBIND_NOT_MAPPED, "replicate") &&
            replicas == NULL && is_good;
  is_good =
      is(nestbind_memory_where(p, kBytes, told, kNodes), NESTBIND_NOT_MAPPED, "where") && is_good;
  is_good = bytes_are_whole(p, 1048576) && is_good;
  munmap(p, kBytes);
  return is_good;
}

static bool unreadable_is_good(void) {
  unsigned char *const p = map(kBytes, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  fill_bytes(p, kBytes);
  mprotect(p, kBytes, PROT_NONE);
  struct nestbind_replicas *replicas = NULL;
  bool is_good =
      is(nestbind_memory_replicate(p, kBytes, &replicas), NESTBIND_NOT_MAPPED, "replicate") &&
      replicas == NULL;
  mprotect(p, kBytes, PROT_READ);
  is_good = bytes_are_whole(p, kBytes) && is_good;
  munmap(p, kBytes);
  return is_good;
}

static bool arguments_are_good(void) {
  unsigned char here[100];
  size_t told[kNodes];
  struct nestbind_replicas *replicas = NULL;
  const size_t beyond = SIZE_MAX - 10;
  bool is_good = is(nestbind_memory_spread(NULL, 1, NESTBIND_BLOCK), NESTBIND_BAD_ARGUMENT, "null");
  is_good = is(nestbind_memory_spread(here, 1, 0), NESTBIND_BAD_ARGUMENT, "how 0") && is_good;
  is_good = is(nestbind_memory_spread(here, 1, 4), NESTBIND_BAD_ARGUMENT, "how 4") && is_good;
  is_good =
      is(nestbind_memory_spread(here, beyond, NESTBIND_LOCAL), NESTBIND_BAD_ARGUMENT, "beyond") &&
      is_good;
  is_good =
      is(nestbind_memory_replicate(here, 0, &replicas), NESTBIND_BAD_ARGUMENT, "empty") && is_good;
  is_good = is(nestbind_memory_replicate(here, 1, NULL), NESTBIND_BAD_ARGUMENT, "null") && is_good;
  is_good =
      is(nestbind_memory_replicate(NULL, 1, &replicas), NESTBIND_BAD_ARGUMENT, "null") && is_good;
  is_good = is(nestbind_memory_release(NULL), NESTBIND_OK, "null") && is_good;
  is_good = is(nestbind_memory_where(here, 1, NULL, 1), NESTBIND_BAD_ARGUMENT, "null") && is_good;
  is_good =
      is(nestbind_memory_where(here, 1, told, -1), NESTBIND_BAD_ARGUMENT, "capacity") && is_good;
  is_good =
      is(nestbind_memory_where(here, sizeof here, NULL, 0), NESTBIND_PARTLY_PLACED, "no room") &&
      is_good;
  is_good = is(nestbind_memory_where((void *)-4096, 1, told, kNodes), NESTBIND_NOT_MAPPED,
               "the kernel's") &&
            is_good;
  is_good = is(nestbind_memory_spread((void *)-4096, 10, NESTBIND_BLOCK), NESTBIND_NOT_MAPPED,
               "the kernel's") &&
            is_good;
  return is_good;
}

static bool stack_is_good(void) {
  unsigned char here[20000];
  fill_bytes(here, sizeof here);
  bool is_good =
      is(nestbind_memory_spread(here, sizeof here, NESTBIND_LOCAL), NESTBIND_OK, "spread");
  is_good = copies_are_whole(here, sizeof here) && is_good;
  return bytes_are_whole(here, sizeof here) && is_good;
}

static void deny(int call) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) _exit(3);
}

/* Filters refuse one system call in each round, as in containers. */
static bool denied_is_good(void) {
  static const int calls[] = {SYS_move_pages, SYS_mbind, SYS_get_mempolicy, SYS_mincore,
                              SYS_process_vm_readv};
  bool all = true;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      deny(calls[i]);
      unsigned char *const p = map(kBytes, MAP_PRIVATE | MAP_ANONYMOUS, -1);
      fill_bytes(p, kBytes);
      const int spread = nestbind_memory_spread(p, kBytes, NESTBIND_INTERLEAVE);
      const bool needs = nodes_of_machine() > 1 && i < 3;
      bool is_good = is(spread, needs ? NESTBIND_NOT_PERMITTED : NESTBIND_OK, "spread");
      struct nestbind_replicas *replicas = NULL;
      const int copied = nestbind_memory_replicate(p, kBytes, &replicas);
      is_good = is_one_of(copied, NESTBIND_OK, nodes_of_machine() == 1 ? NESTBIND_OK : copied,
                          "replicate") &&
                is_good;
      if (replicas != NULL)
        is_good = memcmp(nestbind_memory_local(replicas), p, kBytes) == 0 && is_good;
      is_good = bytes_are_whole(p, kBytes) && is_good;
      munmap(p + kBytes / 2, kBytes / 4);
      is_good = nestbind_memory_replicate(p, kBytes, &replicas) != NESTBIND_OK && is_good;
      _exit(is_good ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) say("  without call %d: status %x", calls[i], status);
    all = status == 0 && all;
  }
  return all;
}

int main(int argc, char **argv) {
  static const struct check checks[] = {
      {"arguments", arguments_are_good},
      {"plain", plain_is_good},
      {"unaligned", unaligned_is_good},
      {"overlapping", overlapping_is_good},
      {"unmapped", unmapped_is_good},
      {"unreadable", unreadable_is_good},
      {"shared", shared_is_good},
      {"shared-by-two", shared_by_two_is_good},
      {"file", file_is_good},
      {"locked", locked_is_good},
      {"hugetlb", hugetlb_is_good},
      {"read-only", read_only_is_good},
      {"stack", stack_is_good},
      {"denied", denied_is_good},
      {NULL, NULL},
  };
  return run_checks(checks, argc, argv);
}
