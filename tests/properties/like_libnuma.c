/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "like_libnuma.h"

#include <sys/syscall.h>
#include <unistd.h>

__attribute__((weak)) long set_mempolicy(int mode, const unsigned long *nodes, unsigned long most) {
  return syscall(SYS_set_mempolicy, mode, nodes, most);
}

long like_numa_bind(int mode, const unsigned long *nodes, unsigned long most) {
  return set_mempolicy(mode, nodes, most);
}
