/* SPDX-License-Identifier: BSD-3-Clause */
/* A QEMU plugin that counts the user-space loads and stores between a program's markers (marker.h).
 *
 * Nodes are consecutive blocks of physical memory, and processors are numbered node by node. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "marker.h"
#include "plugin_api.h"
#include "ranges.h"
#include "traffic.h"

enum { kUserSpaceBits = 47 };

static bool counting;
static unsigned sections;
static uint64_t array_begin;
static uint64_t label_base;
static unsigned label;
static pthread_mutex_t marker_lock = PTHREAD_MUTEX_INITIALIZER;

/* The index of an element says what the marker means. A callback gets a pointer to the element. */
static char meanings[ACCESS_COUNTER_LABEL + 1];

__attribute__((visibility("default"))) extern const int qemu_plugin_version;
const int qemu_plugin_version = kPluginInterface;

static void count_access(unsigned processor, qemu_plugin_meminfo_t info, uint64_t address,
                         void *data) {
  (void)data;
  if (!__atomic_load_n(&counting, __ATOMIC_ACQUIRE) || processor >= kMaxProcessors) {
    return;
  }
  const struct qemu_plugin_hwaddr *found = qemu_plugin_get_hwaddr(info, address);
  const bool is_memory = found && !qemu_plugin_hwaddr_is_io(found);
  traffic_count(processor, ranges_contain(address) ? kArray : kRest,
                is_memory ? qemu_plugin_hwaddr_phys_addr(found) : UINT64_MAX,
                UINT64_C(1) << qemu_plugin_mem_size_shift(info), qemu_plugin_mem_is_store(info));
}

static void start_or_stop(unsigned processor, void *meaning) {
  (void)processor;
  pthread_mutex_lock(&marker_lock);
  if ((char *)meaning - meanings == ACCESS_COUNTER_START) {
    sections++;
    traffic_begin();
    __atomic_store_n(&counting, true, __ATOMIC_RELEASE);
  } else if (counting) {
    __atomic_store_n(&counting, false, __ATOMIC_RELEASE);
    traffic_write(label, sections);
    ranges_clear();
  }
  pthread_mutex_unlock(&marker_lock);
}

static void take_address(unsigned processor, qemu_plugin_meminfo_t info, uint64_t address,
                         void *meaning) {
  (void)processor;
  (void)info;
  pthread_mutex_lock(&marker_lock);
  switch ((char *)meaning - meanings) {
    case ACCESS_COUNTER_ARRAY_BEGIN:
      array_begin = address;
      break;
    case ACCESS_COUNTER_ARRAY_LAST:
      if (!ranges_add(array_begin, address)) {
        fprintf(stderr, "access counter: too many arrays\n");
      }
      break;
    case ACCESS_COUNTER_LABEL_BASE:
      label_base = address;
      break;
    default:
      label = (unsigned)(address - label_base);
      break;
  }
  pthread_mutex_unlock(&marker_lock);
}

static unsigned marked(const struct qemu_plugin_insn *instruction, bool *is_load) {
  static const unsigned char nop[] = {0x0f, 0x1f, 0x80};
  static const unsigned char load[] = {0x0f, 0xb6, 0x87};
  if (qemu_plugin_insn_size(instruction) != 7) {
    return 0;
  }
  const unsigned char *bytes = qemu_plugin_insn_data(instruction);
  *is_load = memcmp(bytes, load, 3) == 0;
  if (!*is_load && memcmp(bytes, nop, 3) != 0) {
    return 0;
  }
  uint32_t displacement;
  memcpy(&displacement, bytes + 3, sizeof displacement);
  const uint32_t what = displacement - ACCESS_COUNTER_MAGIC;
  const bool load_marker = what >= ACCESS_COUNTER_ARRAY_BEGIN && what <= ACCESS_COUNTER_LABEL;
  const bool nop_marker = what == ACCESS_COUNTER_START || what == ACCESS_COUNTER_STOP;
  return (*is_load ? load_marker : nop_marker) ? what : 0;
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
  (void)id;
  const size_t count = qemu_plugin_tb_n_insns(block);
  for (size_t index = 0; index < count; index++) {
    struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, index);
    if (qemu_plugin_insn_vaddr(instruction) >> kUserSpaceBits != 0) {
      continue;
    }
    bool is_load = false;
    const unsigned what = marked(instruction, &is_load);
    if (what && !is_load) {
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, start_or_stop, QEMU_PLUGIN_CB_NO_REGS,
                                             &meanings[what]);
    } else {
      qemu_plugin_register_vcpu_mem_cb(instruction, what ? take_address : count_access,
                                       QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, &meanings[what]);
    }
  }
}

static void at_exit(qemu_plugin_id_t id, void *data) {
  (void)id;
  (void)data;
  if (counting) {
    fprintf(stderr, "access counter: section %u was not stopped\n", sections);
  }
  traffic_close();
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id,
                                                               const qemu_info_t *info, int argc,
                                                               char **argv);
int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv) {
  (void)info;
  struct Options options = {0};
  if (!read_options(&options, argc, argv) || !traffic_open(&options)) {
    return 1;
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
  qemu_plugin_register_atexit_cb(id, at_exit, NULL);
  return 0;
}
