/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with nested teams that allocate and write memory. Each inner thread prints its path and
 * its mask, such as "0.1 00000002". The last line has the arguments and the clock's year, such as
 * "libfoo.so year 2026". If no library with this name is mapped, the program prints "-" instead of
 * the argument. The exit status is 42. */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { kTeams = 2, kMembers = 2, kRounds = 20 };

static unsigned long g_mask[kTeams][kMembers];

/* Calls the kernel directly: a preloaded function may return another mask. */
static unsigned long own_mask(void) {
  unsigned long mask[16] = {0};
  syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
  return mask[0];
}

static void work(int team, int member) {
  char *volatile memory = malloc(100000 + 1000 * member);
  memset(memory, team, 100000);
  free(memory);
  g_mask[team][member] = own_mask();
}

static int is_mapped(const char *name) {
  char line[4096];
  int found = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    found |= strstr(line, name) != NULL;
  }
  if (maps != NULL) {
    fclose(maps);
  }
  return found;
}

int main(int argc, char **argv) {
  for (int round = 0; round < kRounds; ++round) {
#pragma omp parallel num_threads(kTeams)
    {
      const int team = omp_get_thread_num();
#pragma omp parallel num_threads(kMembers)
      work(team, omp_get_thread_num());
    }
  }
  for (int team = 0; team < kTeams; ++team) {
    for (int member = 0; member < kMembers; ++member) {
      printf("%d.%d %08lx\n", team, member, g_mask[team][member]);
    }
  }
  for (int i = 1; i < argc; ++i) {
    printf("%s ", is_mapped(argv[i]) ? argv[i] : "-");
  }
  const time_t now = time(NULL);
  printf("year %d\n", gmtime(&now)->tm_year + 1900);
  return 42;
}
