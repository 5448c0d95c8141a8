/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the times of processes, from posix_spawn to the end of the wait. Each round starts every
 * command once, in shuffled order, with a fixed seed.
 *
 *   spawn_times ROUNDS < COMMANDS
 *
 * A command is a line of fields that are separated by tabs. The fields are a name, any number of
 * VARIABLE=VALUE, --, the path of the program, and its arguments. `printed` in the output is the
 * first line of the process's standard output. The first round only warms up the caches, and is not
 * printed. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { kMostCommands = 64, kMostFields = 64, kMostVariables = 1024, kMostPrinted = 32 };

struct command {
  char *name;
  char *environment[kMostVariables + kMostFields];
  char *words[kMostFields];
};

struct result {
  double microseconds;
  char printed[kMostPrinted];
};

static void stop(const char *what) {
  perror(what);
  exit(1);
}

static void bad_line(const char *what) {
  fprintf(stderr, "spawn_times: %s\n", what);
  exit(2);
}

/* The command points into the line, so the line must stay valid. */
static void read_command(char *line, struct command *command) {
  size_t variables = 0, words = 0;
  while (variables < kMostVariables && environ[variables] != NULL) {
    command->environment[variables] = environ[variables];
    ++variables;
  }
  char *rest = NULL;
  command->name = strtok_r(line, "\t\n", &rest);
  int program = 0;
  size_t fields = 0;
  for (char *field = strtok_r(NULL, "\t\n", &rest); field != NULL;
       field = strtok_r(NULL, "\t\n", &rest)) {
    if (++fields >= kMostFields) bad_line("too many fields");
    if (program) {
      command->words[words++] = field;
    } else if (strcmp(field, "--") == 0) {
      program = 1;
    } else {
      command->environment[variables++] = field;
    }
  }
  if (words == 0) bad_line("a line without a program");
}

static double microseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static void read_printed(int pipe_end, char *printed) {
  const ssize_t count = read(pipe_end, printed, kMostPrinted - 1);
  printed[count > 0 ? count : 0] = '\0';
  printed[strcspn(printed, "\n")] = '\0';
}

static void run(const struct command *command, struct result *result) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) stop("pipe2");
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0 ||
      posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO) != 0) {
    stop("posix_spawn_file_actions");
  }
  pid_t child = 0;
  int status = 0;
  const double begin = microseconds_now();
  errno =
      posix_spawn(&child, command->words[0], &actions, NULL, command->words, command->environment);
  if (errno != 0) stop(command->words[0]);
  while (waitpid(child, &status, 0) != child) {
    if (errno != EINTR) stop("waitpid");
  }
  result->microseconds = microseconds_now() - begin;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  read_printed(ends[0], result->printed);
  close(ends[0]);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    fprintf(stderr, "spawn_times: %s: wait status 0x%x\n", command->name, (unsigned)status);
    exit(1);
  }
}

/* Source: G. Marsaglia, "Xorshift RNGs" (2003). */
static uint64_t next_random(void) {
  static uint64_t state = 88172645463325252ULL;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static void shuffle(size_t *order, size_t count) {
  for (size_t i = count; i > 1; --i) {
    const size_t other = next_random() % i;
    const size_t kept = order[i - 1];
    order[i - 1] = order[other];
    order[other] = kept;
  }
}

static size_t read_commands(struct command *commands) {
  char *line = NULL;
  size_t space = 0, count = 0;
  while (getline(&line, &space, stdin) > 0) {
    if (count == kMostCommands) bad_line("too many commands");
    char *kept = strdup(line);
    if (kept == NULL) stop("strdup");
    read_command(kept, &commands[count++]);
  }
  free(line);
  return count;
}

int main(int argc, char **argv) {
  const long rounds = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
  if (rounds < 1) {
    fputs("usage: spawn_times ROUNDS < COMMANDS\n", stderr);
    return 2;
  }
  static struct command commands[kMostCommands];
  const size_t count = read_commands(commands);
  struct result *results = calloc((size_t)(rounds + 1) * count, sizeof *results);
  if (results == NULL) stop("calloc");
  size_t order[kMostCommands];
  for (size_t i = 0; i < count; ++i) order[i] = i;
  for (long round = 0; round <= rounds; ++round) {
    shuffle(order, count);
    for (size_t i = 0; i < count; ++i) {
      run(&commands[order[i]], &results[(size_t)round * count + order[i]]);
    }
  }
  for (long round = 1; round <= rounds; ++round) {
    for (size_t i = 0; i < count; ++i) {
      const struct result *result = &results[(size_t)round * count + i];
      printf("%s,%ld,%.3f,%s\n", commands[i].name, round - 1, result->microseconds,
             result->printed);
    }
  }
  free(results);
  return 0;
}
