/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of the program. Each executes the blocks that the initial thread gives it. Thread 0 is
 * the initial thread. */
#ifndef POOL_H
#define POOL_H

#include <pthread.h>
#include <unistd.h>

#include "script.h"

enum { kMostThreads = 16 };

static void execute(struct operation *block, int thread); /* by the program */

static struct thread {
  pthread_t handle;
  int lives;
  int ends;
  int number;
  struct operation *work;
  int works;
} g_threads[kMostThreads];
static pthread_mutex_t g_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t g_changed = PTHREAD_COND_INITIALIZER;

static void *work(void *self) {
  struct thread *thread = self;
  pthread_mutex_lock(&g_lock);
  for (;;) {
    while (!thread->works && !thread->ends) pthread_cond_wait(&g_changed, &g_lock);
    if (!thread->works) break;
    pthread_mutex_unlock(&g_lock);
    execute(thread->work, thread->number);
    pthread_mutex_lock(&g_lock);
    thread->works = 0;
    pthread_cond_broadcast(&g_changed);
  }
  pthread_mutex_unlock(&g_lock);
  return NULL;
}

/* Lets a thread begin a block. Creates the thread if it does not live. */
static void begin_work(int number, struct operation *block) {
  struct thread *thread = &g_threads[number];
  pthread_mutex_lock(&g_lock);
  while (thread->works) pthread_cond_wait(&g_changed, &g_lock);
  thread->work = block;
  thread->works = 1;
  thread->number = number;
  if (!thread->lives) {
    thread->lives = 1;
    thread->ends = 0;
    if (pthread_create(&thread->handle, NULL, work, thread) != 0) abort();
  }
  pthread_cond_broadcast(&g_changed);
  pthread_mutex_unlock(&g_lock);
}

static void await_work(void) {
  pthread_mutex_lock(&g_lock);
  for (int i = 1; i < kMostThreads; ++i) {
    while (g_threads[i].works) pthread_cond_wait(&g_changed, &g_lock);
  }
  pthread_mutex_unlock(&g_lock);
}

static void end_thread(int number) {
  struct thread *thread = &g_threads[number];
  if (!thread->lives) return;
  pthread_mutex_lock(&g_lock);
  thread->ends = 1;
  pthread_cond_broadcast(&g_changed);
  pthread_mutex_unlock(&g_lock);
  pthread_join(thread->handle, NULL);
  thread->lives = 0;
}

/* A script's outermost lines, executed by the initial thread:
 *   t THREAD {block}    the thread executes the block; thread 0 is the initial thread
 *   p THREAD {block}    the same, but the initial thread continues at once
 *   w                   waits until all threads have executed their blocks
 *   e THREAD            the same; then the thread ends */
static void execute_script(struct operation *script) {
  for (struct operation *line = script; line != NULL; line = line->next) {
    const int number = line->number[0];
    if (number < 0 || number >= kMostThreads) abort();
    switch (line->kind) {
      case 't':
      case 'p':
        if (number == 0) {
          execute(line->block[0], 0);
        } else {
          begin_work(number, line->block[0]);
          if (line->kind == 't') await_work();
        }
        break;
      case 'w':
        await_work();
        break;
      case 'e':
        await_work();
        end_thread(number);
        break;
      default:
        bad_script(line->text);
    }
  }
  await_work();
  for (int i = 1; i < kMostThreads; ++i) end_thread(i);
}

#endif
