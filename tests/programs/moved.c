// SPDX-License-Identifier: BSD-3-Clause
// moved NAME SECONDS [MEBIBYTES [SCANS [FEWEST]]]: uses memory that should move to other nodes. The
// program ends after SECONDS, or after the kernel has scanned its memory SCANS times. It ends after
// FEWEST scans if its pages stay on the right nodes.
//
//   parts   One thread initialises, each thread uses its own part.
//   shared  One thread initialises, all threads read the whole array.
//   two     One thread initialises, two threads read the whole array.
//   again   Like two. The program ends after three changes of the array's policy.
//   pca     One thread initialises. Threads use parts of the first third, and read the rest.
//   good    Each thread initialises what it uses.
//   bound   Like shared, but the program has set a memory policy.
//   locked  Like shared, but the array is locked in memory.
//   file    Like shared, but the mapping is MAP_SHARED.
//   churn   The program repeatedly allocates, resizes and frees arrays, and forks children.
//   replace Like shared, but the program repeatedly replaces the last quarter.
//   leave   Like shared, but the process ends by exit() while all threads use the array.
//
// Each thread should be on a node of its own. Prints the number of pages on each node and the
// array's policy (MPOL_*). Prints the percentage of pages on the right node. After "even since" it
// prints how many scans were needed until the nodes were even, or -1. The exit status is 1 if a
// number in the array is wrong, otherwise 3.
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scans.h"

enum { kThreads = 4, kPage = 4096, kMostNodes = 64 };
// A round is short, because threads use only one number of each cache line.
enum { kLine = 64 / sizeof(double) };

static double seconds;
static long count;
static long scans;   // 0 for no limit
static long fewest;  // if 0, `scans` is used
static int node_of_thread[kThreads];

struct Pages {
  long on[kMostNodes];
  long with_user, local;
};

// The numbers before index `own` have one user.
static struct Pages look(const double* grid, long own, long every) {
  struct Pages pages = {{0}, 0, 0};
  const long all = count * (long)sizeof *grid / kPage;
  const long own_pages = own * (long)sizeof *grid / kPage;
  for (long i = 0; i < all; i += every) {
    void* page = (char*)grid + i * kPage;
    int node = -1;
    syscall(SYS_move_pages, 0, 1UL, &page, NULL, &node, 0);
    if (node >= 0 && node < kMostNodes) {
      ++pages.on[node];
    }
    if (i < own_pages) {
      ++pages.with_user;
      pages.local += node == node_of_thread[i * kThreads / own_pages];
    }
  }
  return pages;
}

enum { kEvery = 16 };

// Whether the nodes' imbalance is at most 1 / `parts`.
static int is_even(const struct Pages* pages, long parts) {
  long all = 0;
  for (int thread = 0; thread < kThreads; ++thread) {
    all += pages->on[node_of_thread[thread]];
  }
  long squares = 0;  // the deviations from the mean, times kThreads, are squared and added
  for (int thread = 0; thread < kThreads; ++thread) {
    const long more = kThreads * pages->on[node_of_thread[thread]] - all;
    squares += more * more;
  }
  return squares * parts * parts <= (kThreads - 1) * all * all;
}

// The imbalance must be small, because nestbind spreads shared pages.
static int is_settled(const double* grid, long own) {
  enum { kPart = 25, kImbalance = 16 };
  const struct Pages pages = look(grid, own, kEvery);
  return (pages.with_user - pages.local) * kPart <= pages.with_user && is_even(&pages, kImbalance);
}

// The number of scans after which the pages are evenly spread, or -1.
static long even_since = -1;

static void note_even(const double* grid, long scan) {
  enum { kFifth = 5 };
  const struct Pages pages = look(grid, 0, kEvery);
  even_since = !is_even(&pages, kFifth) ? -1 : even_since < 0 ? scan : even_since;
}

static int policy_of(const double* grid) {
  int policy = -1;
  syscall(SYS_get_mempolicy, &policy, NULL, 0UL, grid, 2UL /* MPOL_F_ADDR */);
  return policy;
}

static int policy_changes(const double* grid) {
  static int policy = 0;
  static int changes = 0;
  const int now = policy_of(grid);
  changes += now != policy;
  policy = now;
  return changes;
}

// `grid` may be null.
static int goes_on_with(double begin, const double* grid, long own) {
  static long seen = -1;
  // In the round after a scan, the threads use each page. Then no page waits for its NUMA hinting
  // fault.
  static int is_due = 0;
  static int settled_at = 0;  // number of successive looks with settled pages
  if (omp_get_wtime() - begin >= seconds || scans == 0) {
    return omp_get_wtime() - begin < seconds;
  }
  const long now = scans_so_far();
  if (grid != NULL) {
    note_even(grid, now);
  }
  if (is_due) {
    settled_at = is_settled(grid, own) ? settled_at + 1 : 0;
  }
  is_due = grid != NULL && fewest != 0 && now >= fewest && now != seen;
  seen = now;
  return now < scans && settled_at < 3;
}

static int goes_on(double begin) { return goes_on_with(begin, NULL, 0); }

static void find_threads(void) {
#pragma omp parallel num_threads(kThreads)
  {
    unsigned node = 0;
    syscall(SYS_getcpu, NULL, &node, NULL);
    node_of_thread[omp_get_thread_num()] = (int)node;
  }
}

static double* map(int flags) {
  double* grid = mmap(NULL, (size_t)count * sizeof *grid, PROT_READ | PROT_WRITE,
                      MAP_ANONYMOUS | flags, -1, 0);
  if (grid == MAP_FAILED) {
    perror("mmap");
    exit(2);
  }
  return grid;
}

// All threads do the same number of rounds, so the final contents are known.
static long use_parts(double* grid) {
  const double begin = omp_get_wtime();
  long rounds = 0;
  do {
#pragma omp parallel for schedule(static) num_threads(kThreads)
    for (long i = 0; i < count; i += kLine) {
      grid[i] += 1;
    }
    ++rounds;
  } while (goes_on_with(begin, grid, count));
  return rounds;
}

static void read_all(const double* grid, long from, long to, int readers, int* wrong) {
#pragma omp parallel num_threads(kThreads) reduction(| : wrong[ : 1])
  if (omp_get_thread_num() < readers) {
    const long length = to - from;
    // Each thread begins at its own part.
    const long first = length / readers * omp_get_thread_num();
    for (long i = 0; i < length; i += kLine) {
      const long at = from + (first + i) % length;
      wrong[0] |= grid[at] != (double)at;
    }
  }
}

static void use_all(const double* grid, int readers, int* wrong) {
  const double begin = omp_get_wtime();
  do {
    read_all(grid, 0, count, readers, wrong);
  } while (goes_on_with(begin, grid, 0));
}

static void use_until_again(const double* grid, int* wrong) {
  enum { kOnOffOn = 3 };
  const double begin = omp_get_wtime();
  int changes = 0;
  do {
    read_all(grid, 0, count, 2, wrong);
    changes = policy_changes(grid);
  } while (changes < kOnOffOn && goes_on(begin));
  printf("changes %d ", changes);
}

static void use_and_replace(double* grid, int* wrong) {
  const double begin = omp_get_wtime();
  const long kept = count / 4 * 3;
  do {
#pragma omp parallel num_threads(kThreads) reduction(| : wrong[ : 1])
    {
      const double round = omp_get_wtime();
      do {
        if (omp_get_thread_num() == 0) {
          munmap(grid + kept, (size_t)(count - kept) * sizeof *grid);
          void* again =
              mmap(grid + kept, (size_t)(count - kept) * sizeof *grid, PROT_READ | PROT_WRITE,
                   MAP_ANONYMOUS | MAP_PRIVATE | MAP_FIXED, -1, 0);
          wrong[0] |= again != grid + kept;
          for (long i = kept; i < count; ++i) {
            grid[i] = (double)i;
          }
        } else {
          for (long i = 0; i < kept; i += kLine) {
            wrong[0] |= grid[i] != (double)i;
          }
        }
      } while (omp_get_wtime() - round < 1);
    }
    read_all(grid, 0, count, kThreads, wrong);
  } while (goes_on(begin));
}

static long use_like_pca(double* grid, int* wrong) {
  const double begin = omp_get_wtime();
  const long own = count / 3;
  long rounds = 0;
  do {
#pragma omp parallel for schedule(static) num_threads(kThreads)
    for (long i = 0; i < own; i += kLine) {
      grid[i] += 1;
    }
    read_all(grid, own, count, kThreads, wrong);
    ++rounds;
  } while (goes_on_with(begin, grid, own));
  return rounds;
}

// Returns 0 if all numbers are right.
static int check(const double* grid, long own, long rounds) {
  int wrong = 0;
  for (long i = 0; i < count; ++i) {
    wrong |= grid[i] != (double)(i < own && i % kLine == 0 ? i + rounds : i);
  }
  return wrong;
}

// The kernel does not report the node of a page that waits for its NUMA hinting fault. So each page
// is read once. A read does not move pages that have a policy.
static void end_waiting(const double* grid) {
  double sum = 0;
#pragma omp parallel for schedule(static) num_threads(kThreads) reduction(+ : sum)
  for (long i = 0; i < count; i += kPage / (long)sizeof *grid) {
    sum += grid[i];
  }
  if (sum < 0) {
    puts("less than nothing");
  }
}

static void tell(const double* grid, long own) {
  end_waiting(grid);
  const struct Pages pages = look(grid, own, 1);
  printf("pages %ld %ld %ld %ld local %.1f policy %d even since %ld\n", pages.on[0], pages.on[1],
         pages.on[2], pages.on[3],
         pages.with_user == 0 ? 0 : 100.0 * (double)pages.local / (double)pages.with_user,
         policy_of(grid), even_since);
}

static int churn(void) {
  const double begin = omp_get_wtime();
  int wrong = 0;
  for (long round = 1; goes_on(begin); ++round) {
    double* grid = map(MAP_PRIVATE);
    for (long i = 0; i < count; ++i) {
      grid[i] = (double)(i + round);
    }
    const size_t bytes = (size_t)count * sizeof *grid;
    for (int again = 0; again < 6; ++again) {
#pragma omp parallel num_threads(kThreads) reduction(| : wrong)
      for (long i = 0; i < count; ++i) {
        wrong |= grid[i] != (double)(i + round);
      }
    }
    if (round % 3 == 0) {
      grid = mremap(grid, bytes, 2 * bytes, MREMAP_MAYMOVE);
      wrong |= grid == MAP_FAILED || grid[count - 1] != (double)(count - 1 + round);
      munmap(grid, 2 * bytes);
    } else if (round % 3 == 1) {
      munmap((char*)grid + bytes / 2, bytes / 2);
      wrong |= grid[count / 2 - 1] != (double)(count / 2 - 1 + round);
      munmap(grid, bytes / 2);
    } else {
      madvise(grid, bytes, MADV_DONTNEED);
      wrong |= grid[count / 2] != 0;
      munmap(grid, bytes);
    }
    const pid_t child = fork();
    if (child == 0) {
      void* memory = malloc(1 << 20);
      memset(memory, 1, 1 << 20);
      exit(memory == NULL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    wrong |= status != 0;
  }
  printf("churned\n");
  return wrong;
}

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "parts";
  seconds = argc > 2 ? atof(argv[2]) : 0;
  count = (argc > 3 ? atol(argv[3]) : 16) * (1L << 20) / (long)sizeof(double);
  scans = argc > 4 ? atol(argv[4]) : 0;
  fewest = argc > 5 ? atol(argv[5]) : 0;
  find_threads();
  if (strcmp(name, "churn") == 0) {
    return churn() ? 1 : 3;
  }
  double* grid = map(strcmp(name, "file") == 0 ? MAP_SHARED : MAP_PRIVATE);
  const size_t bytes = (size_t)count * sizeof *grid;
  if (strcmp(name, "bound") == 0) {
    const unsigned long nodes = 1UL << 1;
    syscall(SYS_mbind, grid, bytes, 2 /* MPOL_BIND */, &nodes, 65UL, 0U);
  }
  const int is_good = strcmp(name, "good") == 0;
#pragma omp parallel for schedule(static) num_threads(kThreads) if (is_good)
  for (long i = 0; i < count; ++i) {
    grid[i] = (double)i;
  }
  if (strcmp(name, "locked") == 0 && mlock(grid, bytes) != 0) {
    perror("mlock");
    return 2;
  }
  int wrong = 0;
  long own = 0;
  long rounds = 0;
  if (strcmp(name, "parts") == 0 || is_good) {
    own = count;
    rounds = use_parts(grid);
  } else if (strcmp(name, "pca") == 0) {
    own = count / 3;
    rounds = use_like_pca(grid, &wrong);
  } else if (strcmp(name, "replace") == 0) {
    use_and_replace(grid, &wrong);
  } else if (strcmp(name, "leave") == 0) {
    const double begin = omp_get_wtime();
#pragma omp parallel num_threads(kThreads) reduction(| : wrong)
    while (1) {
      for (long i = 0; i < count; ++i) {
        wrong |= grid[i] != (double)i;
      }
      if (omp_get_thread_num() == 1 && !goes_on(begin)) {
        exit(wrong ? 1 : 3);
      }
    }
  } else if (strcmp(name, "again") == 0) {
    use_until_again(grid, &wrong);
  } else {
    use_all(grid, strcmp(name, "two") == 0 ? 2 : kThreads, &wrong);
  }
  tell(grid, own);
  wrong |= check(grid, own, rounds);
  return wrong ? 1 : 3;
}
