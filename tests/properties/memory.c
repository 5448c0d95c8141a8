/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory policies: where a thread's new pages go. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "like_libnuma.h"
#include "property.h"

enum { kPreferred = 1, kBind = 2, kAllowedOnes = 4, kNodes = 1024, kBitsOfWord = 64 };

struct nodes {
  unsigned long words[kNodes / kBitsOfWord];
};

/* Returns 0, or the error number if the kernel refuses memory policies. libnuma's functions return
 * no error. */
static int refusal(void) {
  const long result = unseen(SYS_get_mempolicy, NULL, NULL, 0, 0, 0);
  return result < 0 ? (int)-result : 0;
}

static void read_policy(char text[kText]) {
  int mode = -1;
  struct nodes nodes = {{0}};
  unseen(SYS_get_mempolicy, &mode, &nodes, kNodes, 0, 0);
  int length = snprintf(text, kText, "mode %d nodes", mode);
  for (int node = 0; node < kNodes && length < kText - 8; ++node) {
    if ((nodes.words[node / kBitsOfWord] >> (node % kBitsOfWord) & 1) != 0) {
      length += snprintf(text + length, 8, " %d", node);
    }
  }
}

/* Sets `chosen` to the last node that the process may use. Returns 0, or an error number if the
 * process has no such node. */
static int one_node(struct nodes *chosen) {
  struct nodes allowed = {{0}};
  int mode = 0;
  long result = unseen(SYS_get_mempolicy, &mode, &allowed, kNodes, 0, kAllowedOnes);
  if (result < 0) return (int)-result;
  memset(chosen, 0, sizeof *chosen);
  for (int node = kNodes - 1; node >= 0; --node) {
    const unsigned long bit = 1UL << (node % kBitsOfWord);
    if ((allowed.words[node / kBitsOfWord] & bit) != 0) {
      chosen->words[node / kBitsOfWord] = bit;
      return 0;
    }
  }
  return ENOSYS;
}

static int by_syscall(void) {
  struct nodes node;
  int result = one_node(&node);
  if (result != 0) return result;
  return failure(syscall(SYS_set_mempolicy, kBind, node.words, kNodes));
}

/* by_library() calls set_mempolicy from the program. by_function_of_library() calls it from inside
 * of the library, like libnuma's own functions. */
static int by_library(void) {
  struct nodes node;
  int result = one_node(&node);
  return result != 0 ? result : failure(set_mempolicy(kBind, node.words, kNodes));
}

static int by_function_of_library(void) {
  struct nodes node;
  int result = one_node(&node);
  return result != 0 ? result : failure(like_numa_bind(kPreferred, node.words, kNodes));
}

static void *of_libnuma(const char *name) {
  void *library = dlopen("libnuma.so.1", RTLD_LAZY);
  return library == NULL ? NULL : dlsym(library, name);
}

static int by_set_localalloc(void) {
  void (*set)(void) = (void (*)(void))of_libnuma("numa_set_localalloc");
  if (set == NULL) return ENOSYS;
  set();
  return refusal();
}

static int by_set_preferred(void) {
  void (*set)(int) = (void (*)(int))of_libnuma("numa_set_preferred");
  if (set == NULL) return ENOSYS;
  set(0);
  return refusal();
}

const struct property kMemoryRows[] = {
    {"memory policy: set_mempolicy", by_library, read_policy, NULL, NULL, 0},
    {"memory policy: set_mempolicy inside its library", by_function_of_library, read_policy, NULL,
     NULL, 0},
    {"memory policy: numa_set_localalloc", by_set_localalloc, read_policy, NULL, NULL, 0},
    {"memory policy: numa_set_preferred", by_set_preferred, read_policy, NULL, NULL, 0},
    {"memory policy: syscall", by_syscall, read_policy, NULL, NULL, 0},
    {.name = NULL},
};
