/* SPDX-License-Identifier: BSD-3-Clause */
/* An OMPT tool of a third party, for OMP_TOOL_LIBRARIES. It prints the numbers of regions and
 * members at the end of the process. It marks the regions' data words, which another tool must not
 * change. Not every compiler has omp-tools.h. */
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

typedef union {
  uint64_t value;
  void *ptr;
} Data;
typedef void (*Function)(void);
typedef Function (*Lookup)(const char *);
typedef int (*SetCallback)(int, Function);
typedef struct {
  int (*initialize)(Lookup, int, Data *);
  void (*finalize)(Data *);
  Data tool_data;
} StartResult;

enum { kParallelBegin = 3, kParallelEnd = 4, kImplicitTask = 7, kScopeBegin = 1 };
enum { kMark = 0x7001 };

static long g_regions;
static long g_members;
static long g_wrong;

static void parallel_begin(Data *task, const void *frame, Data *parallel, unsigned size, int flags,
                           const void *address) {
  (void)task, (void)frame, (void)size, (void)flags, (void)address;
  if (parallel->value != 0) __atomic_add_fetch(&g_wrong, 1, __ATOMIC_RELAXED);
  parallel->value = kMark;
  __atomic_add_fetch(&g_regions, 1, __ATOMIC_RELAXED);
}

static void parallel_end(Data *parallel, Data *task, int flags, const void *address) {
  (void)task, (void)flags, (void)address;
  if (parallel->value != kMark) __atomic_add_fetch(&g_wrong, 1, __ATOMIC_RELAXED);
}

static void implicit_task(int scope, Data *parallel, Data *task, unsigned size, unsigned number,
                          int flags) {
  (void)task, (void)size, (void)number;
  if (scope != kScopeBegin || flags == 1) return; /* 1: an initial task */
  if (parallel->value != kMark) __atomic_add_fetch(&g_wrong, 1, __ATOMIC_RELAXED);
  __atomic_add_fetch(&g_members, 1, __ATOMIC_RELAXED);
}

static int initialize(Lookup lookup, int device, Data *data) {
  (void)device, (void)data;
  SetCallback set_callback = (SetCallback)lookup("ompt_set_callback");
  if (set_callback == NULL) return 0;
  set_callback(kParallelBegin, (Function)parallel_begin);
  set_callback(kParallelEnd, (Function)parallel_end);
  set_callback(kImplicitTask, (Function)implicit_task);
  return 1;
}

static void finalize(Data *data) {
  (void)data;
  char line[128];
  int length = snprintf(line, sizeof line, "tool: regions %ld members %ld wrong %ld\n", g_regions,
                        g_members, g_wrong);
  if (write(1, line, (size_t)length) != length) _exit(1);
}

StartResult *ompt_start_tool(unsigned version, const char *runtime) {
  (void)version, (void)runtime;
  static StartResult result = {initialize, finalize, {0}};
  return &result;
}
