/* SPDX-License-Identifier: BSD-3-Clause */
/* usage: masks SCRIPT RESULTS CPU...     Executes a script. A mask is a number: bit i means the
 * i-th CPU of the arguments. masks mask CPU...               Prints the mask of the process.
 *
 *   m HOW MASK              sets the thread's mask; HOW is 0: sched_setaffinity; 1:
 * pthread_setaffinity_np f THREADS {0} {1} ...   forks a team; each member notes its mask; member i
 * executes block i h                       creates a thread, which notes its mask c HOW creates a
 * process, which notes its mask; HOW is 0: fork; 1: posix_spawn; 2: fork and execv; 3: popen q
 * notes omp_get_num_procs g                       notes the answer of sched_getaffinity */
#define _GNU_SOURCE
#include <errno.h>
#include <omp.h>
#include <sched.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "pool.h"

enum { kMost = 64, kMostCpus = 4 };

extern char **environ;
static int g_cpu[kMostCpus];
static int g_cpus;
static char *g_words[kMostCpus + 3]; /* the command that prints a mask */

struct results {
  int size;
  int value[kMost];
};

static int mask_of(const cpu_set_t *set) {
  int mask = 0;
  for (int i = 0; i < g_cpus; ++i) mask |= CPU_ISSET(g_cpu[i], set) ? 1 << i : 0;
  return mask;
}

/* The kernel's answer: the library does not see this call. */
static int own_mask(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  return syscall(SYS_sched_getaffinity, 0, sizeof set, &set) < 0 ? -1 : mask_of(&set);
}

static void set_mask(int how, int mask) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int i = 0; i < g_cpus; ++i) {
    if ((mask & 1 << i) != 0) CPU_SET(g_cpu[i], &set);
  }
  const int error = how == 1 ? pthread_setaffinity_np(pthread_self(), sizeof set, &set)
                             : sched_setaffinity(0, sizeof set, &set);
  if (error != 0) abort();
}

static void *help(void *mask) {
  *(int *)mask = own_mask();
  return NULL;
}

static int mask_of_helper(void) {
  pthread_t thread;
  int mask = -1;
  if (pthread_create(&thread, NULL, help, &mask) != 0) abort();
  pthread_join(thread, NULL);
  return mask;
}

/* The mask is the exit status. */
static int mask_of_child(int how) {
  if (how == 3) {
    char command[512] = "";
    for (int i = 0; g_words[i] != NULL; ++i) {
      snprintf(command + strlen(command), sizeof command - strlen(command), "%s ", g_words[i]);
    }
    FILE *pipe = popen(command, "r");
    if (pipe == NULL) abort();
    const int status = pclose(pipe);
    return WEXITSTATUS(status);
  }
  pid_t child = -1;
  if (how == 1) {
    if (posix_spawn(&child, g_words[0], NULL, NULL, g_words, environ) != 0) abort();
  } else {
    child = fork();
    if (child == 0 && how == 0) _exit(own_mask());
    if (child == 0) execv(g_words[0], g_words);
    if (child == 0) _exit(126);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WEXITSTATUS(status);
}

static int asked_mask(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) != 0 ? -1 : mask_of(&set);
}

static void note(struct operation *line, int index, int value) {
  struct results *results = line->results;
  if (index >= kMost) abort();
  results->value[index] = value;
  if (index == 0) results->size = results->size > 1 ? results->size : 1;
}

static void execute(struct operation *block, int thread) {
  for (struct operation *line = block; line != NULL; line = line->next) {
    const int number = line->number[0];
    switch (line->kind) {
      case 'm':
        set_mask(number, line->number[1]);
        break;
      case 'f':
#pragma omp parallel num_threads(number)
      {
        const int self = omp_get_thread_num();
        if (self == 0) ((struct results *)line->results)->size = omp_get_num_threads();
        note(line, self, own_mask());
#pragma omp barrier
        if (self < line->blocks) execute(line->block[self], thread);
      } break;
      case 'h':
        note(line, 0, mask_of_helper());
        break;
      case 'c':
        note(line, 0, mask_of_child(number));
        break;
      case 'q':
        note(line, 0, omp_get_num_procs());
        break;
      case 'g':
        note(line, 0, asked_mask());
        break;
      default:
        bad_script(line->text);
    }
  }
}

static void prepare(struct operation *line) {
  for (; line != NULL; line = line->next) {
    if (line->kind != 't' && line->kind != 'p') line->results = calloc(1, sizeof(struct results));
    for (int i = 0; i < line->blocks; ++i) prepare(line->block[i]);
  }
}

static void print(FILE *file, const struct operation *line) {
  for (; line != NULL; line = line->next) {
    const struct results *results = line->results;
    if (results != NULL && results->size > 0) {
      fprintf(file, "%d", line->id);
      for (int i = 0; i < results->size; ++i) fprintf(file, " %d", results->value[i]);
      fprintf(file, "\n");
    }
    for (int i = 0; i < line->blocks; ++i) print(file, line->block[i]);
  }
}

int main(int count, char **words) {
  const int is_child = count > 1 && strcmp(words[1], "mask") == 0;
  const int first = is_child ? 2 : 3;
  if (count <= first || count > first + kMostCpus) return 2;
  g_words[0] = words[0];
  g_words[1] = "mask";
  for (int i = first; i < count; ++i) {
    g_words[2 + g_cpus] = words[i];
    g_cpu[g_cpus++] = atoi(words[i]);
  }
  if (is_child) return own_mask();
  struct operation *script = read_script(words[1]);
  prepare(script);
  execute_script(script);
  FILE *file = fopen(words[2], "w");
  if (file == NULL) return 2;
  print(file, script);
  fclose(file);
  return 0;
}
