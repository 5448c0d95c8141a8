/* SPDX-License-Identifier: BSD-3-Clause */
/* An OMPT tool beside nestbind. The tool writes to every data word that the runtime passes. At
 * every event the tool checks that the words still have the written values. When the runtime ends,
 * the tool prints its counts to standard error:
 *
 *   second tool: regions 7 members 19 tasks 4 checks 310 faults 0
 *
 * The numbers of regions, members and tasks must be the same with and without nestbind. These
 * variables change the tool: SECOND_TOOL_DECLINES: ompt_start_tool returns null.
 * SECOND_TOOL_REFUSES: its initialisation fails. SECOND_TOOL_VERBOSE: it prints regions and
 * members.
 */
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxRegions = 1 << 16 };

/* A data word has a tag (region, task or thread) and the number of this region, task or thread. */
enum { kRegionTag = 0x5245, kTaskTag = 0x5441, kThreadTag = 0x5448 };
static uint64_t make(uint64_t tag, uint64_t id) { return tag << 48 | id; }
static int is(uint64_t word, uint64_t tag) { return word >> 48 == tag; }
static uint64_t id_of(uint64_t word) { return word & 0xffffffffffffu; }

/* `outer` is the data word of the surrounding region. `alive` is true in an active region. */
static struct {
  uint64_t outer;
  atomic_int alive;
} g_region[kMaxRegions];
static atomic_ulong g_regions, g_members, g_tasks, g_threads, g_checks, g_faults;
static int g_verbose;

static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;
static ompt_get_thread_data_t get_thread_data;
static ompt_get_callback_t get_callback;

static void check(int good, const char *event, const char *what) {
  atomic_fetch_add(&g_checks, 1);
  if (!good) {
    atomic_fetch_add(&g_faults, 1);
    fprintf(stderr, "second tool: at %s: %s\n", event, what);
  }
}

static void check_thread(const char *event) {
  const ompt_data_t *thread = get_thread_data();
  check(thread != NULL && is(thread->value, kThreadTag), event, "not its word for the thread");
}

/* An initial region has no begin event, so its word may be empty. */
static void check_region(const ompt_data_t *region, const char *event) {
  if (region == NULL || region->value == 0) {
    return;
  }
  check(is(region->value, kRegionTag) && atomic_load(&g_region[id_of(region->value)].alive), event,
        "not its word for a region that is going on");
}

static void check_task(const ompt_data_t *task, const char *event) {
  if (task != NULL && task->value != 0) {
    check(is(task->value, kTaskTag), event, "not its word for the task");
  }
}

static void check_words(const ompt_data_t *region, const ompt_data_t *task, const char *event) {
  check_thread(event);
  check_region(region, event);
  check_task(task, event);
}

static uint64_t region_at(int level, const char *event) {
  ompt_data_t *region = NULL;
  ompt_data_t *same = NULL;
  int size = 0;
  if (get_parallel_info(level, &region, &size) == 0 || region == NULL) {
    return 0;
  }
  check_region(region, event);
  if (level == 0) {
    check(get_task_info(0, NULL, NULL, NULL, &same, NULL) != 0 && same == region, event,
          "the task's region is another one");
  }
  return region->value;
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *thread) {
  (void)type;
  check(thread->value == 0, "thread_begin", "the word is not empty");
  thread->value = make(kThreadTag, atomic_fetch_add(&g_threads, 1));
}

static void on_thread_end(ompt_data_t *thread) {
  check(is(thread->value, kThreadTag), "thread_end", "not its word");
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
                              unsigned requested, int flags, const void *code) {
  (void)frame;
  (void)code;
  if (g_verbose) {
    fprintf(stderr, "parallel_begin requested %u flags %#x\n", requested, (unsigned)flags);
  }
  check_task(task, "parallel_begin");
  check_thread("parallel_begin");
  check(region->value == 0, "parallel_begin", "the word is not empty");
  const uint64_t id = atomic_fetch_add(&g_regions, 1) + 1;
  if (id >= kMaxRegions) {
    abort();
  }
  g_region[id].outer = region_at(0, "parallel_begin");
  atomic_store(&g_region[id].alive, 1);
  region->value = make(kRegionTag, id);
}

static void on_parallel_end(ompt_data_t *region, ompt_data_t *task, int flags, const void *code) {
  (void)flags;
  (void)code;
  check_task(task, "parallel_end");
  check(region != NULL && is(region->value, kRegionTag), "parallel_end", "not its word");
  check_region(region, "parallel_end");
  atomic_store(&g_region[id_of(region->value)].alive, 0);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
                             unsigned size, unsigned number, int flags) {
  static const char kEvent[] = "implicit_task";
  if (g_verbose) {
    fprintf(stderr, "implicit_task %d of region %p: %d/%u flags %#x\n", endpoint, (void *)region,
            (int)number, size, (unsigned)flags);
  }
  if (endpoint == ompt_scope_end) {
    check(is(task->value, kTaskTag), kEvent, "not its word at the end");
    check_region(region, kEvent);
    return;
  }
  check(task->value == 0, kEvent, "the word is not empty at the beginning");
  task->value = make(kTaskTag, atomic_fetch_add(&g_tasks, 1));
  if (flags & ompt_task_initial) {
    return;
  }
  atomic_fetch_add(&g_members, 1);
  check(region != NULL && is(region->value, kRegionTag), kEvent, "the region has no word");
  check_region(region, kEvent);
  check(region_at(0, kEvent) == region->value, kEvent, "the innermost region is another one");
  const uint64_t outer = g_region[id_of(region->value)].outer;
  check(region_at(1, kEvent) == outer, kEvent, "the region around is another one");
}

static void on_work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
                    ompt_data_t *task, uint64_t count, const void *code) {
  (void)type;
  (void)endpoint;
  (void)count;
  (void)code;
  check_words(region, task, "work");
  check(region_at(0, "work") == region->value, "work", "the innermost region is another one");
}

static void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
                      const void *code) {
  (void)endpoint;
  (void)code;
  check_words(region, task, "masked");
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                           ompt_data_t *region, ompt_data_t *task, const void *code) {
  (void)kind;
  (void)endpoint;
  (void)code;
  check_words(region, task, "sync_region");
}

static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                                ompt_data_t *region, ompt_data_t *task, const void *code) {
  (void)kind;
  (void)endpoint;
  (void)code;
  check_words(region, task, "sync_region_wait");
}

static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                         ompt_data_t *region, ompt_data_t *task, const void *code) {
  (void)kind;
  (void)endpoint;
  (void)code;
  check_words(region, task, "reduction");
}

static void on_dispatch(ompt_data_t *region, ompt_data_t *task, ompt_dispatch_t kind,
                        ompt_data_t instance) {
  (void)kind;
  (void)instance;
  check_words(region, task, "dispatch");
}

static void on_task_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *task,
                           int flags, int dependences, const void *code) {
  (void)frame;
  (void)flags;
  (void)dependences;
  (void)code;
  check_task(parent, "task_create");
  check(task->value == 0, "task_create", "the word is not empty");
  task->value = make(kTaskTag, atomic_fetch_add(&g_tasks, 1));
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
  (void)status;
  check_task(prior, "task_schedule");
  check_task(next, "task_schedule");
  region_at(0, "task_schedule");
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool_data) {
  (void)device;
  g_verbose = getenv("SECOND_TOOL_VERBOSE") != NULL;
  if (getenv("SECOND_TOOL_REFUSES") != NULL) {
    return 0;
  }
  check(tool_data->value == 4711, "initialize", "not the word of the tool");
  tool_data->value = 4712;
  get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
  get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
  get_callback = (ompt_get_callback_t)lookup("ompt_get_callback");
  const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
#define SET(event) set(ompt_callback_##event, (ompt_callback_t)on_##event)
  SET(thread_begin);
  SET(thread_end);
  SET(parallel_begin);
  SET(parallel_end);
  SET(implicit_task);
  SET(work);
  SET(masked);
  SET(sync_region);
  SET(sync_region_wait);
  SET(reduction);
  SET(dispatch);
  SET(task_create);
  SET(task_schedule);
#undef SET
  return 1;
}

static void finalize(ompt_data_t *tool_data) {
  check(tool_data->value == 4712, "finalize", "not the word of the tool");
  ompt_callback_t callback = NULL;
  check(get_callback(ompt_callback_work, &callback) != 0 && callback == (ompt_callback_t)on_work,
        "finalize", "another callback is registered");
  check(get_callback(ompt_callback_flush, &callback) == 0, "finalize",
        "a callback is registered that was not");
  fprintf(stderr, "second tool: regions %lu members %lu tasks %lu checks %lu faults %lu\n",
          atomic_load(&g_regions), atomic_load(&g_members), atomic_load(&g_tasks),
          atomic_load(&g_checks), atomic_load(&g_faults));
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
  static ompt_start_tool_result_t result = {initialize, finalize, {4711}};
  (void)omp_version;
  (void)runtime_version;
  /* The variables of this file can describe only one runtime. */
  static atomic_flag started = ATOMIC_FLAG_INIT;
  if (getenv("SECOND_TOOL_DECLINES") != NULL || atomic_flag_test_and_set(&started)) {
    return NULL;
  }
  return &result;
}
