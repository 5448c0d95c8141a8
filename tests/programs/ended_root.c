/* SPDX-License-Identifier: BSD-3-Clause */
/* A root thread forks two levels, then a team of the default size, prints this size, and ends. Then
 * another root thread forks two levels, and a member of an inner team calls omp_set_num_threads. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t both_are_roots;

static void fork_two_levels(int next) {
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    omp_set_num_threads(next);
  }
}

static void *end_early(void *unused) {
  omp_set_max_active_levels(2);
  pthread_barrier_wait(&both_are_roots);
  fork_two_levels(5);
#pragma omp parallel
#pragma omp single
  printf("size %d\n", omp_get_num_threads());
  return unused;
}

static void *go_on(void *thread) {
  omp_set_max_active_levels(2);
  pthread_barrier_wait(&both_are_roots);
  pthread_join(*(pthread_t *)thread, NULL);
  fork_two_levels(6);
  printf("end\n");
  return NULL;
}

int main(void) {
  pthread_t early;
  pthread_t late;
  pthread_barrier_init(&both_are_roots, NULL, 2);
  pthread_create(&early, NULL, end_early, NULL);
  pthread_create(&late, NULL, go_on, &early);
  pthread_join(late, NULL);
  return 0;
}
