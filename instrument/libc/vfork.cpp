// SPDX-License-Identifier: BSD-3-Clause
// vfork, whose child runs on its creator's stack until it executes a program or ends: the creator
// has the process's mask meanwhile, and the child inherits it. A function of C++ cannot do that:
// the child would return from it, and others that it calls would overwrite what the creator needs
// to return. So the return address, and what the creator was bound to, wait in registers, which
// each of the two has for itself; as in the C library's own vfork, behind which nothing of ours
// could run.
#include <errno.h>
#include <unistd.h>

#include "binding/widened.hpp"
#include "workers/room.hpp"

using nestbind::binding::CpuMask;

namespace {
constexpr long kAgain = -2;  // stands in the code below, too
}  // namespace

extern "C" {

// The functions are called from the code below alone.
__attribute__((used, visibility("hidden"))) CpuMask nestbind_before_vfork() noexcept {
  return nestbind::binding::widen_self();
}

// In the creator, with what the kernel has returned. Returns kAgain where kept workers have made
// room for the child: the code below begins anew.
__attribute__((used, visibility("hidden"))) long nestbind_behind_vfork(
    long result, std::size_t bytes, const unsigned long* bits) noexcept {
  nestbind::binding::bind_back({bytes, bits});
  if (result < 0) {
    const int error = static_cast<int>(-result);
    if (nestbind::workers::kReturnsError(error) &&
        nestbind::workers::make_room(nestbind::workers::departures())) {
      return kAgain;
    }
    errno = error;
    return -1;
  }
  return result;
}
}

#if defined(__x86_64__)

// rax and rdx are a mask by value. The kernel keeps all registers but rax, rcx and r11. A shadow
// stack is shared too: the child leaves the creator's address on it.
asm(R"(
    .pushsection .text
    .globl vfork, __vfork
    .type vfork, @function
    .type __vfork, @function
    .p2align 4
vfork:
__vfork:
    .cfi_startproc
    endbr64
0:  subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    call nestbind_before_vfork
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    movq %rax, %rsi
    popq %rdi
    .cfi_adjust_cfa_offset -8
    .cfi_register %rip, %rdi
    movl $58, %eax
    syscall
    pushq %rdi
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %rip, 0
    testl %eax, %eax
    jz 1f
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    movslq %eax, %rdi
    call nestbind_behind_vfork
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    cmpq $-2, %rax
    je 0b
    ret
1:  xorl %esi, %esi
    rdsspq %rsi
    testq %rsi, %rsi
    jnz 2f
    ret
2:  popq %rdi
    .cfi_adjust_cfa_offset -8
    .cfi_register %rip, %rdi
    jmp *%rdi
    .cfi_endproc
    .size vfork, . - vfork
    .size __vfork, . - __vfork
    .popsection
)");

#elif defined(__aarch64__)

// x0 and x1 are a mask by value. The kernel keeps all registers but x0. It has no vfork, but a
// clone with CLONE_VM, CLONE_VFORK and SIGCHLD.
asm(R"(
    .pushsection .text
    .globl vfork, __vfork
    .type vfork, %function
    .type __vfork, %function
    .p2align 4
vfork:
__vfork:
    .cfi_startproc
    hint #34
0:  stp x29, x30, [sp, #-16]!
    .cfi_adjust_cfa_offset 16
    .cfi_rel_offset x29, 0
    .cfi_rel_offset x30, 8
    bl nestbind_before_vfork
    ldp x29, x30, [sp], #16
    .cfi_adjust_cfa_offset -16
    .cfi_restore x29
    .cfi_restore x30
    mov x9, x0
    mov x10, x1
    mov x0, #0x4111
    mov x1, xzr
    mov x2, xzr
    mov x3, xzr
    mov x4, xzr
    mov x8, #220
    svc #0
    cbz x0, 1f
    stp x29, x30, [sp, #-16]!
    .cfi_adjust_cfa_offset 16
    .cfi_rel_offset x29, 0
    .cfi_rel_offset x30, 8
    mov x1, x9
    mov x2, x10
    bl nestbind_behind_vfork
    ldp x29, x30, [sp], #16
    .cfi_adjust_cfa_offset -16
    .cfi_restore x29
    .cfi_restore x30
    cmn x0, #2
    b.eq 0b
1:  ret
    .cfi_endproc
    .size vfork, . - vfork
    .size __vfork, . - __vfork
    .popsection
)");

#endif
