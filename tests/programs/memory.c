/* SPDX-License-Identifier: BSD-3-Clause */
/* memory CHECK...: calls the functions of nestbind/memory.h, and asks move_pages where each page
 * is. Teams have four threads. On a machine with one node, no page can move. With
 * MEMORY_OWN_MACHINE=1, checks run with automatic NUMA balancing off and on. */
#define _GNU_SOURCE
#include "memory.h"

#include "checks.h"

static const char kBalancing[] = "/proc/sys/kernel/numa_balancing";

static const size_t kArray = 8 << 20; /* four huge pages */

static bool with_balancing(bool (*is_good)(bool is_huge, bool is_balanced), bool is_huge) {
  const long before = is_own_machine() ? number_in(kBalancing, -1) : -1;
  if (before < 0 || !set_number(kBalancing, 0)) return is_good(is_huge, false);
  bool all = is_good(is_huge, false);
  set_number(kBalancing, 1);
  all = is_good(is_huge, true) && all;
  set_number(kBalancing, before);
  return all;
}

static void say_pages(const char *what, const struct found *found) {
  say("  %s: %zu pages, %zu %zu %zu %zu on the first nodes", what, found->all, found->on[0],
      found->on[1], found->on[2], found->on[3]);
}

static bool is_told(const struct array *array) {
  size_t told[kNodes];
  const struct found found = find_pages(array->numbers, bytes_of(array));
  const int error = nestbind_memory_where(array->numbers, bytes_of(array), told, kNodes);
  if (error == NESTBIND_OK && memcmp(told, found.on, sizeof told) == 0) return true;
  say_pages("the kernel tells", &found);
  say("  nestbind_memory_where reports %zu %zu %zu %zu, error %d", told[0], told[1], told[2],
      told[3], error);
  return false;
}

struct part {
  size_t begin;
  size_t end;
};

static struct part part_of(const struct array *array, int self, int threads) {
  const size_t each = array->count / (size_t)threads;
  const size_t more = array->count % (size_t)threads;
  const size_t number = (size_t)self;
  const size_t begin = number * each + (number < more ? number : more);
  return (struct part){begin, begin + each + (number < more)};
}

/* Reads each thread's part, or the whole array, for `seconds`, but at least once. */
static void use(const struct array *array, bool is_shared, double seconds) {
  uint64_t sum = 0;
#pragma omp parallel num_threads(kMemoryThreads) reduction(+ : sum)
  {
    const struct part own = part_of(array, omp_get_thread_num(), omp_get_num_threads());
    const double until = omp_get_wtime() + seconds;
    do {
      const size_t begin = is_shared ? 0 : own.begin;
      const size_t end = is_shared ? array->count : own.end;
      for (size_t i = begin; i < end; i += 64) sum += ((volatile uint64_t *)array->numbers)[i];
    } while (omp_get_wtime() < until);
  }
  if (sum == 0) say("  nothing was read");
}

/* Returns the per cent of pages that are on the node of their thread. */
static double local_pages(const struct array *array) {
  size_t local = 0;
  size_t all = 0;
#pragma omp parallel num_threads(kMemoryThreads) reduction(+ : local, all)
  {
    const struct part own = part_of(array, omp_get_thread_num(), omp_get_num_threads());
    const struct found found =
        find_pages(array->numbers + own.begin, (own.end - own.begin) * sizeof *array->numbers);
    local += found.on[node_here()];
    all += found.all;
  }
  return all == 0 ? 0 : 100.0 * (double)local / (double)all;
}

static struct array filled(bool is_huge) {
  const struct array array = new_array(kArray, is_huge);
  fill(&array);
  if (is_huge && nodes_of_machine() > 1 && !has_huge_pages(&array))
    say("  these are not huge pages");
  return array;
}

static struct array used(bool is_huge, bool is_balanced) {
  const struct array array = filled(is_huge);
  if (is_balanced) use(&array, true, 2);
  return array;
}

static bool is_as(int error, int expected, const char *what) {
  if (error != expected) say("  %s: error %d, not %d", what, error, expected);
  return error == expected;
}

static bool is_block(bool is_huge, bool is_balanced) {
  const struct array array = used(is_huge, is_balanced);
  bool is_good =
      is_as(nestbind_memory_spread(array.numbers, kArray, NESTBIND_BLOCK), NESTBIND_OK, "spread");
  use(&array, false, is_balanced ? 3 : 0);
  const double local = local_pages(&array);
  const struct found found = find_pages(array.numbers, kArray);
  const int nodes = nodes_of_machine();
  /* This limit of imbalance is only for four threads on four nodes. */
  if (local < 99 || (nodes == kMemoryThreads && is_imbalanced(&found, nodes, 1))) {
    say("  local %.1f %%", local);
    say_pages("block", &found);
    is_good = false;
  }
  is_good = is_told(&array) && is_whole(&array) && is_good;
  drop(&array);
  return is_good;
}

static bool is_interleaved(bool is_huge, bool is_balanced) {
  const struct array array = used(is_huge, is_balanced);
  bool is_good = is_as(nestbind_memory_spread(array.numbers, kArray, NESTBIND_INTERLEAVE),
                       NESTBIND_OK, "spread");
  use(&array, true, is_balanced ? 3 : 0);
  const struct found found = find_pages(array.numbers, kArray);
  if (is_imbalanced(&found, nodes_of_machine(), 3)) {
    say_pages("interleaved", &found);
    is_good = false;
  }
  is_good = is_told(&array) && is_whole(&array) && is_good;
  drop(&array);
  return is_good;
}

static bool is_local(bool is_huge, bool is_balanced) {
  const struct array array = filled(is_huge);
  bool is_good = true;
#pragma omp parallel num_threads(kMemoryThreads)
#pragma omp critical
  {
    const int error = nestbind_memory_spread(array.numbers, kArray, NESTBIND_LOCAL);
    const struct found found = find_pages(array.numbers, kArray);
    if (error != NESTBIND_OK || found.on[node_here()] != kArray / kSmall) {
      say_pages("local", &found);
      is_good = false;
    }
  }
  (void)is_balanced;
  is_good = is_told(&array) && is_whole(&array) && is_good;
  drop(&array);
  return is_good;
}

static bool is_spread_before(bool is_huge, bool is_balanced) {
  (void)is_balanced;
  const struct array array = new_array(kArray, is_huge);
  bool is_good =
      is_as(nestbind_memory_spread(array.numbers, kArray, NESTBIND_BLOCK), NESTBIND_OK, "spread");
  fill(&array);
  const double local = local_pages(&array);
  if (local < 99) {
    say("  local %.1f %%", local);
    is_good = false;
  }
  is_good = is_told(&array) && is_good;
  drop(&array);
  return is_good;
}

static bool has_copies(bool is_huge, bool is_balanced) {
  const struct array array = filled(is_huge);
  struct nestbind_replicas *replicas = NULL;
  bool is_good =
      is_as(nestbind_memory_replicate(array.numbers, kArray, &replicas), NESTBIND_OK, "replicate");
  if (!is_good) return false;
  size_t local = 0;
  size_t all = 0;
  bool is_same = true;
#pragma omp parallel num_threads(kMemoryThreads) reduction(+ : local, all) reduction(&& : is_same)
  {
    const double until = omp_get_wtime() + (is_balanced ? 3 : 0);
    do {
      const uint64_t *const copy = nestbind_memory_local(replicas);
      is_same = is_same && memcmp(copy, array.numbers, kArray) == 0;
    } while (omp_get_wtime() < until);
    const struct found found = find_pages(nestbind_memory_local(replicas), kArray);
    local += found.on[node_here()];
    all += found.all;
    is_same = is_same && nestbind_memory_copy(replicas) == nestbind_memory_local(replicas);
  }
  if (local != all || all != kMemoryThreads * kArray / kSmall || !is_same) {
    say("  %zu of %zu pages are local", local, all);
    is_good = false;
  }
  is_good = nestbind_memory_release(replicas) == NESTBIND_OK && is_whole(&array) && is_good;
  drop(&array);
  return is_good;
}

/* The program's cgroup forbids memory on one member's node. The pages must be on the nearest
 * allowed node. */
static bool forbidden_is_good(void) {
  const struct array array = filled(false);
  bool is_good = is_as(nestbind_memory_spread(array.numbers, kArray, NESTBIND_BLOCK),
                       NESTBIND_PARTLY_PLACED, "block");
  is_good = is_told(&array) && is_good;
  is_good = is_as(nestbind_memory_spread(array.numbers, kArray, NESTBIND_INTERLEAVE), NESTBIND_OK,
                  "interleave") &&
            is_good;
  const struct found found = find_pages(array.numbers, kArray);
  if (is_imbalanced(&found, nodes_of_machine() - 1, 3)) {
    say_pages("interleaved", &found);
    is_good = false;
  }
  struct nestbind_replicas *replicas = NULL;
  is_good = is_as(nestbind_memory_replicate(array.numbers, kArray, &replicas), NESTBIND_OK,
                  "replicate") &&
            is_good;
#pragma omp parallel num_threads(kMemoryThreads) reduction(&& : is_good)
  is_good = is_good && memcmp(nestbind_memory_local(replicas), array.numbers, kArray) == 0;
  nestbind_memory_release(replicas);
  is_good = is_whole(&array) && is_good;
  drop(&array);
  return is_good;
}

/* Pages that do not fit on a full node stay on their node. */
static bool full_is_good(void) {
  enum { kFull = 1, kPreferred = 1, kElsewhere = 256 };
  const size_t most = (size_t)1 << 30;
  const unsigned long node = 1UL << kFull;
  unsigned char *const hog =
      mmap(NULL, most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (hog == MAP_FAILED || syscall(SYS_mbind, hog, most, kPreferred, &node, 64UL, 0UL) != 0)
    return false;
  madvise(hog, most, MADV_NOHUGEPAGE);
  int elsewhere = 0;
  for (size_t at = 0; at < most && elsewhere < kElsewhere; at += kSmall) {
    void *page = hog + at;
    int where = -1;
    hog[at] = 1;
    if (at / kSmall % 16 == 0 && syscall(SYS_move_pages, 0, 1UL, &page, NULL, &where, 0) == 0)
      elsewhere += where != kFull;
  }
  const size_t bytes = 64 << 20;
  const struct array array = new_array(bytes, false);
  fill(&array);
  const int error = nestbind_memory_spread(array.numbers, bytes, NESTBIND_BLOCK);
  const struct found found = find_pages(array.numbers, bytes);
  bool is_good = is_as(error, NESTBIND_PARTLY_PLACED, "block") && found.all == bytes / kSmall &&
                 found.on[kFull] < found.all / 4;
  is_good = is_told(&array) && is_whole(&array) && is_good;
  if (!is_good) say_pages("full", &found);
  drop(&array);
  munmap(hog, most);
  return is_good;
}

static bool block_is_good(void) { return with_balancing(is_block, false); }
static bool block_huge_is_good(void) { return with_balancing(is_block, true); }
static bool interleave_is_good(void) { return with_balancing(is_interleaved, false); }
static bool interleave_huge_is_good(void) { return with_balancing(is_interleaved, true); }
static bool local_is_good(void) { return is_local(false, false); }
static bool local_huge_is_good(void) { return is_local(true, false); }
static bool before_is_good(void) { return is_spread_before(false, false); }
static bool before_huge_is_good(void) { return is_spread_before(true, false); }
static bool copies_are_good(void) { return with_balancing(has_copies, false); }
static bool copies_huge_are_good(void) { return with_balancing(has_copies, true); }

int main(int argc, char **argv) {
  static const struct check checks[] = {
      {"block", block_is_good},
      {"block-huge", block_huge_is_good},
      {"interleave", interleave_is_good},
      {"interleave-huge", interleave_huge_is_good},
      {"local", local_is_good},
      {"local-huge", local_huge_is_good},
      {"untouched", before_is_good},
      {"untouched-huge", before_huge_is_good},
      {"copies", copies_are_good},
      {"copies-huge", copies_huge_are_good},
      {"forbidden-node", forbidden_is_good},
      {"full-node", full_is_good},
      {NULL, NULL},
  };
  return run_checks(checks, argc, argv);
}
