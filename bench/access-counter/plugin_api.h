/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of Debian's QEMU 7.2 that our plugins call. No binary package of Debian has QEMU's
 * own header. */
#ifndef NESTBIND_BENCH_PLUGIN_API_H
#define NESTBIND_BENCH_PLUGIN_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { kPluginInterface = 1 };

enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS = 0 };

enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_RW = 3 };

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;

typedef struct qemu_info_t qemu_info_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_hwaddr;

typedef void (*TranslationCallback)(qemu_plugin_id_t id, struct qemu_plugin_tb *block);
typedef void (*ExecutionCallback)(unsigned processor, void *data);
typedef void (*MemoryCallback)(unsigned processor, qemu_plugin_meminfo_t info, uint64_t address,
                               void *data);
typedef void (*ExitCallback)(qemu_plugin_id_t id, void *data);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, TranslationCallback callback);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block, ExecutionCallback callback,
                                          enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, ExitCallback callback, void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *instruction,
                                            ExecutionCallback callback,
                                            enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *instruction, MemoryCallback callback,
                                      enum qemu_plugin_cb_flags flags,
                                      enum qemu_plugin_mem_rw which, void *data);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *instruction);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *instruction);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *instruction);

bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);
unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);
struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(qemu_plugin_meminfo_t info, uint64_t address);
bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *address);
uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *address);

#endif
