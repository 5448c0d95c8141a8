/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that mainly allocates and frees memory: memory_churn [COUNT]
 *
 * With the C library's default settings most blocks reuse the same memory. With
 * MALLOC_MMAP_THRESHOLD_=131072 in the environment each block is a new mapping, and every touch is
 * a page fault. */
#include <stdio.h>
#include <stdlib.h>

enum { kCount = 1500, kLeast = 2 << 20, kStep = 65536, kSizes = 7, kPage = 4096 };

int main(int argc, char** argv) {
  const long count = argc > 1 ? atol(argv[1]) : kCount;
  unsigned long sum = 0;
  for (long i = 0; i < count; ++i) {
    const size_t bytes = kLeast + (size_t)(i % kSizes) * kStep;
    volatile char* block = malloc(bytes);
    if (block == NULL) {
      return 1;
    }
    for (size_t at = 0; at < bytes; at += kPage) {
      block[at] = (char)i;
    }
    sum += (unsigned char)block[bytes / 2];
    free((void*)block);
  }
  printf("%lu\n", sum);
  return 0;
}
