/* SPDX-License-Identifier: BSD-3-Clause */
/* helpers OUTER INNER: threads create helper threads before, in and after regions. A helper prints
 * its processors and how it was created. The attributes of a "masked" helper bind the helper to the
 * last processor of the process. */
#define _GNU_SOURCE
#include <aio.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

static void tell(const char *label) {
  char cpus[8192];
  show_cpus(cpus, sizeof cpus);
  say("@ %s - - %ld %s", label, (long)syscall(SYS_gettid), cpus);
}

static void *posix_helper(void *label) {
  tell(label);
  return NULL;
}

static int c_helper(void *label) {
  tell(label);
  return 0;
}

static cpu_set_t g_last;

static void learn_last(void) {
  const cpu_set_t all = show_mask_of(0);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &all)) continue;
    CPU_ZERO(&g_last);
    CPU_SET(cpu, &g_last);
  }
}

static void create_with_mask(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) != 0) abort();
  if (pthread_attr_setaffinity_np(&attributes, sizeof g_last, &g_last) != 0) abort();
  if (pthread_create(&thread, &attributes, posix_helper, (void *)"masked") != 0) abort();
  if (pthread_join(thread, NULL) != 0) abort();
  pthread_attr_destroy(&attributes);
}

static sem_t g_notified;

static void notify(union sigval label) {
  tell(label.sival_ptr);
  sem_post(&g_notified);
}

static struct sigevent by_thread(const char *label) {
  return (struct sigevent){.sigev_notify = SIGEV_THREAD,
                           .sigev_value = {.sival_ptr = (void *)label},
                           .sigev_notify_function = notify};
}

/* The C library creates a helper thread at the first timer or asynchronous I/O. */
static void be_notified(void) {
  const struct itimerspec soon = {.it_value = {0, 1000000}};
  struct sigevent event = by_thread("timer");
  timer_t timer;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) abort();
  if (timer_settime(timer, 0, &soon, NULL) != 0) abort();
  sem_wait(&g_notified);
  timer_delete(timer);
  struct aiocb block = {.aio_fildes = open("/dev/null", O_WRONLY),
                        .aio_buf = (void *)"",
                        .aio_nbytes = 1,
                        .aio_sigevent = by_thread("aio")};
  if (aio_write(&block) != 0) abort();
  sem_wait(&g_notified);
  close(block.aio_fildes);
}

static void create(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, posix_helper, (void *)"pthread") != 0) abort();
  if (pthread_join(thread, NULL) != 0) abort();
  thrd_t other;
  if (thrd_create(&other, c_helper, (void *)"thrd") != thrd_success) abort();
  if (thrd_join(other, NULL) != thrd_success) abort();
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  int outer = atoi(argv[1]);
  int inner = atoi(argv[2]);
  learn_last();
  sem_init(&g_notified, 0, 0);
  create();
#pragma omp parallel num_threads(outer)
  {
#pragma omp parallel num_threads(inner)
    {
      show("member");
      create();
      create_with_mask();
#pragma omp critical
      be_notified();
      show("member");
    }
  }
  create();
  return 0;
}
