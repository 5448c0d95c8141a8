/* SPDX-License-Identifier: BSD-3-Clause */
/* With these functions a program says which part the access counter must count, and where its
 * arrays are.
 *
 *     access_counter_array(a, n * sizeof *a);   for each array, once it is initialised
 *     access_counter_start();
 *     ... the timed part ...
 *     access_counter_stop();                    writes the counts, and forgets the arrays
 *
 * Only one thread may call these functions at a time. Outside of the guest they execute only a few
 * no-operations and loads.
 *
 * A marker is one instruction with a displacement that no compiler generates. A marker without an
 * address is the no-operation `nopl MAGIC(%rax)`. A marker with an address is the load `movzbl
 * MAGIC(%rdi), %eax` with rdi = address - MAGIC. A plugin of QEMU 7.2 cannot read registers, but it
 * sees the address of a load. */
#ifndef NESTBIND_BENCH_MARKER_H
#define NESTBIND_BENCH_MARKER_H

#include <stddef.h>
#include <stdlib.h>

#define ACCESS_COUNTER_MAGIC 0x6e657300
#define ACCESS_COUNTER_START 0x01
#define ACCESS_COUNTER_STOP 0x02
#define ACCESS_COUNTER_ARRAY_BEGIN 0x03
#define ACCESS_COUNTER_ARRAY_LAST 0x04
#define ACCESS_COUNTER_LABEL_BASE 0x05
#define ACCESS_COUNTER_LABEL 0x06

/* The variable ACCESS_COUNTER_LABEL in the environment is 0 to 255. */
#define ACCESS_COUNTER_LABELS 256

#if defined(__x86_64__)
#define ACCESS_COUNTER_MARK(what)                        \
  __asm__ volatile(".byte 0x0f, 0x1f, 0x80\n\t.long %c0" \
                   :                                     \
                   : "i"(ACCESS_COUNTER_MAGIC + (what))  \
                   : "memory")
#define ACCESS_COUNTER_TELL(what, address)                                    \
  __asm__ volatile(".byte 0x0f, 0xb6, 0x87\n\t.long %c0"                      \
                   :                                                          \
                   : "i"(ACCESS_COUNTER_MAGIC + (what)),                      \
                     "D"((size_t)(address) - (ACCESS_COUNTER_MAGIC + (what))) \
                   : "rax", "memory")
#else
#error "the access counter knows x86-64 only"
#endif

static inline void access_counter_array(const void *begin, size_t bytes) {
  if (bytes == 0) return;
  ACCESS_COUNTER_TELL(ACCESS_COUNTER_ARRAY_BEGIN, begin);
  ACCESS_COUNTER_TELL(ACCESS_COUNTER_ARRAY_LAST, (const char *)begin + (bytes - 1));
}

static inline void access_counter_start(void) {
  static char table[ACCESS_COUNTER_LABELS];
  const char *text = getenv("ACCESS_COUNTER_LABEL");
  const unsigned long label = text ? strtoul(text, NULL, 10) % ACCESS_COUNTER_LABELS : 0;
  ACCESS_COUNTER_TELL(ACCESS_COUNTER_LABEL_BASE, table);
  ACCESS_COUNTER_TELL(ACCESS_COUNTER_LABEL, table + label);
  ACCESS_COUNTER_MARK(ACCESS_COUNTER_START);
}

static inline void access_counter_stop(void) { ACCESS_COUNTER_MARK(ACCESS_COUNTER_STOP); }

#endif
