/* SPDX-License-Identifier: BSD-3-Clause */
/* GCC 12's static libstdc++ uses arc4random, which is new in glibc 2.36. Its static libgcc uses
 * _dl_find_object, which is new in glibc 2.35. With these copies in each module, the wheel runs on
 * glibc 2.34. */
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>

#pragma GCC visibility push(hidden)

uint32_t arc4random(void) {
  uint32_t number = 0;
  while (getrandom(&number, sizeof number, 0) != sizeof number) {
  }
  return number;
}

struct wanted {
  uintptr_t code;
  struct dl_find_object *found;
};

static int look_into(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  struct wanted *wanted = data;
  const ElfW(Phdr) *holds = NULL, *frames = NULL;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type == PT_GNU_EH_FRAME) frames = part;
    if (part->p_type == PT_LOAD && wanted->code - (info->dlpi_addr + part->p_vaddr) < part->p_memsz)
      holds = part;
  }
  if (holds == NULL || frames == NULL) return 0;
  const uintptr_t start = info->dlpi_addr + holds->p_vaddr;
  memset(wanted->found, 0, sizeof *wanted->found);
  wanted->found->dlfo_map_start = (void *)start;
  wanted->found->dlfo_map_end = (void *)(start + holds->p_memsz);
  wanted->found->dlfo_eh_frame = (void *)(info->dlpi_addr + frames->p_vaddr);
  return 1;
}

int _dl_find_object(void *address, struct dl_find_object *result) {
  struct wanted wanted = {(uintptr_t)address, result};
  return dl_iterate_phdr(look_into, &wanted) == 1 ? 0 : -1;
}
