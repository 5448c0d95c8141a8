/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "mpi/place.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "mpi/library.h"

static __typeof__(&nestbind_planner_ranks_1) g_map_ranks;

/* The planner is beside this library. */
static void find_planner(void) {
  static const char kFile[] = "libnestbind-planner.so";
  Dl_info own;
  char name[PATH_MAX] = "";
  if (dladdr((void *)&nestbind_place, &own) != 0) {
    const char *slash = strrchr(own.dli_fname, '/');
    const int folder = slash == NULL ? 0 : (int)(slash + 1 - own.dli_fname);
    snprintf(name, sizeof name, "%.*s%s", folder, own.dli_fname, kFile);
  }
  void *planner = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  void *found = planner == NULL ? NULL : dlsym(planner, "nestbind_planner_ranks_1");
  if (found == NULL) {
    const char *why = dlerror();
    nestbind_tell("warning: %s cannot be loaded, so no ranks are reordered: %.500s", kFile,
                  why == NULL ? name : why);
  }
  memcpy(&g_map_ranks, &found, sizeof found);
}

int nestbind_place(struct nestbind_job *job, int *process, struct nestbind_gain *gain) {
  static pthread_once_t once = PTHREAD_ONCE_INIT; /* several threads may call MPI_Cart_map */
  job->nodes = 0;
  for (int i = 0; i < job->ranks; ++i) {
    job->nodes = job->node[i] >= job->nodes ? job->node[i] + 1 : job->nodes;
  }
  if (job->nodes < 2 || pthread_once(&once, find_planner) != 0 || g_map_ranks == NULL) {
    return 0;
  }
  if (!g_map_ranks(job, process, gain)) {
    nestbind_tell("warning: no ranks are reordered: the planner lacks memory");
    return 0;
  }
  return gain->bytes < gain->bytes_before || gain->hop_bytes < gain->hop_bytes_before;
}
