/* SPDX-License-Identifier: BSD-3-Clause */
/* A QEMU plugin that counts instructions. At each marker of a program (marker.h) the plugin writes
 * a line for each active processor. The columns are the number of the marker, the processor,
 * instructions in user space, and instructions in the kernel. Then the counts begin again with
 * zero. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "marker.h"
#include "plugin_api.h"

enum { kUserSpaceBits = 47, kMaxProcessors = 256, kMarkerBytes = 7 };

static struct {
  _Alignas(64) uint64_t of[2];
} counts[kMaxProcessors];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool counting;
static unsigned markers;
static FILE *file;

__attribute__((visibility("default"))) extern const int qemu_plugin_version;
const int qemu_plugin_version = kPluginInterface;

/* `data` is twice the number of instructions, plus 1 if they are instructions of the kernel. */
static void count(unsigned processor, void *data) {
  if (__atomic_load_n(&counting, __ATOMIC_RELAXED) && processor < kMaxProcessors) {
    counts[processor].of[(uintptr_t)data & 1] += (uintptr_t)data >> 1;
  }
}

static void mark(unsigned processor, void *unused) {
  (void)processor;
  (void)unused;
  pthread_mutex_lock(&lock);
  ++markers;
  for (int one = 0; one < kMaxProcessors; ++one) {
    const uint64_t *of = counts[one].of;
    if (of[0] + of[1] > 0) {
      fprintf(file, "%u,%d,%" PRIu64 ",%" PRIu64 "\n", markers, one, of[0], of[1]);
    }
    memset(&counts[one], 0, sizeof counts[one]);
  }
  fflush(file);
  __atomic_store_n(&counting, true, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&lock);
}

static bool is_marker(const struct qemu_plugin_insn *instruction) {
  static const unsigned char nop[] = {0x0f, 0x1f, 0x80};
  const unsigned char *bytes = qemu_plugin_insn_data(instruction);
  uint32_t displacement = 0;
  if (qemu_plugin_insn_size(instruction) == kMarkerBytes && memcmp(bytes, nop, sizeof nop) == 0) {
    memcpy(&displacement, bytes + sizeof nop, sizeof displacement);
  }
  const uint32_t what = displacement - ACCESS_COUNTER_MAGIC;
  return what == ACCESS_COUNTER_START || what == ACCESS_COUNTER_STOP;
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
  (void)id;
  const size_t all = qemu_plugin_tb_n_insns(block);
  const uint64_t address = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(block, 0));
  const bool is_kernel = address >> kUserSpaceBits != 0;
  qemu_plugin_register_vcpu_tb_exec_cb(block, count, QEMU_PLUGIN_CB_NO_REGS,
                                       (void *)(2 * all + is_kernel));
  for (size_t index = 0; index < all && !is_kernel; index++) {
    struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, index);
    if (is_marker(instruction)) {
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, mark, QEMU_PLUGIN_CB_NO_REGS, NULL);
    }
  }
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id,
                                                               const qemu_info_t *info, int argc,
                                                               char **argv);
int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv) {
  (void)info;
  file = argc == 1 && strncmp(argv[0], "csv=", 4) == 0 ? fopen(argv[0] + 4, "w") : NULL;
  if (!file) {
    fprintf(stderr, "instructions: needs csv=FILE\n");
    return 1;
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
  return 0;
}
