/* SPDX-License-Identifier: BSD-3-Clause */
/* small_stack: regions on small stacks. The masters of inner teams have stacks of OMP_STACKSIZE. A
 * signal handler on an alternate stack also forks a team. Prints
 *
 *   teams 12
 *   handler 2
 */
#define _GNU_SOURCE
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { kStack = 8192, kBelow = 65536, kRounds = 3 };

static int g_members;

static void count(void) {
#pragma omp parallel num_threads(2)
  __atomic_fetch_add(&g_members, 1, __ATOMIC_RELAXED);
}

static void on_signal(int signal) {
  (void)signal;
  count();
}

static void count_in_handler(void) {
  char* memory = mmap(NULL, kBelow + kStack, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + kBelow, kStack, PROT_READ | PROT_WRITE) != 0)
    abort();
  stack_t stack = {.ss_sp = memory + kBelow, .ss_size = kStack};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, NULL);
#pragma omp parallel num_threads(1)
  raise(SIGUSR1);
}

int main(void) {
  omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
  for (int round = 0; round < kRounds; ++round) count();
  printf("teams %d\n", g_members);
  g_members = 0;
  count_in_handler();
  printf("handler %d\n", g_members);
  return 0;
}
