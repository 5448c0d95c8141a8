/* SPDX-License-Identifier: BSD-3-Clause */
/* A test host: loads the plugin as Slurm does, and calls it in Slurm's place.
 *
 *   host PLUGIN CONTEXT [job=N] [plugin=ARGUMENT] [--OPTION[=VALUE]...] [NAME=VALUE...]
 *       Slurm has the contexts local, allocator and slurmd. This program adds two contexts for a
 *       task: "task" for the program of a step, and "shell" for the shell of a batch script. This
 *       program sets each variable NAME to VALUE. It calls the functions of the options and the
 *       callbacks in Slurm's order. If there is no option, it prints the options that the plugin
 *       has registered. It prints the task's variables, and waits for a line on the standard input.
 *
 * Three commands call the callbacks of a task without options:
 *
 *   host PLUGIN trace    Before and after the callbacks, this command calls access(2) for strace.
 *   host PLUGIN count    This command prints the number of instructions.
 *   host PLUGIN time     This command prints the median of 1001 runs in nanoseconds.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <slurm/slurm.h>
#include <slurm/spank.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { kMost = 64 };

static struct spank_option options[kMost];
static int option_count;
static char *job_environment[kMost];
static int variable_count;
static enum spank_context context = S_CTX_REMOTE;
static uint32_t job = 4711;
static uint32_t step = 0;

/* The functions that Slurm provides to plugins. */

spank_context_t spank_context(void) { return context; }
const char *spank_strerror(spank_err_t error) { return error == 0 ? "no error" : "an error"; }

spank_err_t spank_option_register(spank_t spank, struct spank_option *option) {
  if (spank == NULL || option->usage == NULL || option_count == kMost) return ESPANK_BAD_ARG;
  struct spank_option *copy = &options[option_count++];
  *copy = *option;
  copy->name = strdup(option->name);
  copy->arginfo = option->arginfo == NULL ? NULL : strdup(option->arginfo);
  return ESPANK_SUCCESS;
}

spank_err_t spank_get_item(spank_t spank, spank_item_t item, ...) {
  va_list arguments;
  va_start(arguments, item);
  spank_err_t error = spank == NULL ? ESPANK_BAD_ARG : ESPANK_SUCCESS;
  if (item == S_JOB_UID) {
    *va_arg(arguments, uid_t *) = geteuid();
  } else if (item == S_JOB_ID) {
    *va_arg(arguments, uint32_t *) = job;
  } else if (item == S_JOB_STEPID) {
    *va_arg(arguments, uint32_t *) = step;
  } else {
    error = ESPANK_NOT_AVAIL;
  }
  va_end(arguments);
  return error;
}

static char **find_variable(const char *name) {
  const size_t length = strlen(name);
  for (int i = 0; i < variable_count; ++i) {
    if (strncmp(job_environment[i], name, length) == 0 && job_environment[i][length] == '=')
      return &job_environment[i];
  }
  return NULL;
}

spank_err_t spank_getenv(spank_t spank, const char *name, char *buffer, int size) {
  char **found = find_variable(name);
  if (spank == NULL || size < 0) return ESPANK_BAD_ARG;
  if (found == NULL) return ESPANK_ENV_NOEXIST;
  const char *value = *found + strlen(name) + 1;
  return snprintf(buffer, (size_t)size, "%s", value) < size ? ESPANK_SUCCESS : ESPANK_NOSPACE;
}

spank_err_t spank_setenv(spank_t spank, const char *name, const char *value, int overwrite) {
  char **found = find_variable(name);
  if (spank == NULL || (found == NULL && variable_count == kMost)) return ESPANK_BAD_ARG;
  if (found != NULL && !overwrite) return ESPANK_ENV_EXISTS;
  if (found == NULL) found = &job_environment[variable_count++];
  return asprintf(found, "%s=%s", name, value) < 0 ? ESPANK_ERROR : ESPANK_SUCCESS;
}

spank_err_t spank_unsetenv(spank_t spank, const char *name) {
  char **found = find_variable(name);
  if (spank == NULL) return ESPANK_BAD_ARG;
  if (found != NULL) *found = job_environment[--variable_count];
  return ESPANK_SUCCESS;
}

void slurm_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("error: ", stderr);
  vfprintf(stderr, format, arguments);
  fputs("\n", stderr);
  va_end(arguments);
}

/* Calls of the plugin's callbacks. */

static char *plugin_arguments[kMost];
static int plugin_argument_count;

static int call(void *plugin, const char *name) {
  static int handle;
  spank_f *callback = NULL;
  *(void **)&callback = dlsym(plugin, name);
  return callback == NULL ? 0 : callback((spank_t)&handle, plugin_argument_count, plugin_arguments);
}

static void must(int result, const char *what) {
  if (result == 0) return;
  fprintf(stderr, "%s failed\n", what);
  exit(1);
}

static void take(const char *argument) {
  const char *equals = strchr(argument, '=');
  const size_t length = equals == NULL ? strlen(argument) : (size_t)(equals - argument);
  for (int i = 0; i < option_count; ++i) {
    if (strlen(options[i].name) == length && strncmp(options[i].name, argument, length) == 0) {
      must(options[i].cb(options[i].val, equals == NULL ? NULL : equals + 1,
                         context == S_CTX_REMOTE),
           argument);
      return;
    }
  }
  must(1, argument);
}

static void *load(const char *name) {
  void *plugin = dlopen(name, RTLD_LAZY);
  if (plugin == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(2);
  }
  const char *type = dlsym(plugin, "plugin_type");
  const unsigned *version = dlsym(plugin, "plugin_version");
  must(type == NULL || strcmp(type, "spank") != 0 || version == NULL ||
           *version != SLURM_VERSION_NUMBER,
       "the plugin's type");
  return plugin;
}

/* Calls the callbacks of a step's task. There are no options. */
static void unused(void *plugin) {
  option_count = 0;
  call(plugin, "slurm_spank_init");
  call(plugin, "slurm_spank_init_post_opt");
  call(plugin, "slurm_spank_user_init");
  call(plugin, "slurm_spank_task_init");
  call(plugin, "slurm_spank_exit");
}

static int count_instructions(const char *name) {
  const pid_t child = fork();
  if (child == 0) {
    void *plugin = load(name);
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(77);
    raise(SIGSTOP);
    unused(plugin);
    raise(SIGSTOP);
    _exit(0);
  }
  int status = 0;
  long steps = 0;
  waitpid(child, &status, 0);
  if (!WIFSTOPPED(status)) return WEXITSTATUS(status);
  do {
    if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) != 0) return 77;
    waitpid(child, &status, 0);
    ++steps;
  } while (WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP);
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  printf("%ld\n", steps);
  return 0;
}

static int compare(const void *a, const void *b) {
  const long x = *(const long *)a;
  const long y = *(const long *)b;
  return (x > y) - (x < y);
}

static void take_time(void *plugin) {
  static long times[1001];
  for (int i = 0; i < 1001; ++i) {
    struct timespec begin;
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    unused(plugin);
    clock_gettime(CLOCK_MONOTONIC, &end);
    times[i] = (end.tv_sec - begin.tv_sec) * 1000000000L + end.tv_nsec - begin.tv_nsec;
  }
  qsort(times, 1001, sizeof times[0], compare);
  printf("%ld\n", times[500]);
}

static void set_context(const char *word) {
  context = strcmp(word, "local") == 0       ? S_CTX_LOCAL
            : strcmp(word, "allocator") == 0 ? S_CTX_ALLOCATOR
            : strcmp(word, "slurmd") == 0    ? S_CTX_SLURMD
                                             : S_CTX_REMOTE;
  step = strcmp(word, "shell") == 0 ? SLURM_BATCH_SCRIPT : 0;
}

static void begin(void *plugin, int count, char **arguments) {
  for (int i = 0; i < count; ++i) {
    if (strncmp(arguments[i], "plugin=", 7) == 0) {
      plugin_arguments[plugin_argument_count++] = arguments[i] + 7;
    } else if (strncmp(arguments[i], "job=", 4) == 0) {
      job = (uint32_t)atoi(arguments[i] + 4);
    } else if (strncmp(arguments[i], "--", 2) != 0) {
      job_environment[variable_count++] = arguments[i];
    }
  }
  must(call(plugin, "slurm_spank_init"), "slurm_spank_init");
  for (int i = 0; i < option_count; ++i) {
    printf("option %s %s\n", options[i].name, options[i].has_arg ? options[i].arginfo : "-");
  }
  for (int i = 0; i < count; ++i) {
    if (strncmp(arguments[i], "--", 2) == 0) take(arguments[i] + 2);
  }
  must(call(plugin, "slurm_spank_init_post_opt"), "slurm_spank_init_post_opt");
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  if (strcmp(argv[2], "count") == 0) return count_instructions(argv[1]);
  void *plugin = load(argv[1]);
  if (strcmp(argv[2], "trace") == 0) {
    if (access("/callbacks-begin", F_OK) == 0) return 2;
    unused(plugin);
    return access("/callbacks-end", F_OK) == 0 ? 2 : 0;
  }
  if (strcmp(argv[2], "time") == 0) {
    take_time(plugin);
    return 0;
  }
  set_context(argv[2]);
  begin(plugin, argc - 3, argv + 3);
  if (context == S_CTX_REMOTE) {
    must(call(plugin, "slurm_spank_user_init"), "slurm_spank_user_init");
    must(call(plugin, "slurm_spank_task_init"), "slurm_spank_task_init");
    for (int i = 0; i < variable_count; ++i) printf("%s\n", job_environment[i]);
  }
  puts("ready");
  fflush(stdout);
  (void)getchar();
  must(call(plugin, "slurm_spank_exit"), "slurm_spank_exit");
  return 0;
}
