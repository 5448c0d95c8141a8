// SPDX-License-Identifier: BSD-3-Clause
// Rules for single regions need the outlined function of a fork. The tool interface reports only
// the return address of __kmpc_fork_call. After a tail call this address is in another function. So
// modules jump to our function, which notes the region and jumps to the runtime's function. A call
// would need an argument for each variable of the region.
#include <link.h>

#include <atomic>

#include "instrument/kmpc/kmpc_runtime.hpp"
#include "interpose/redirect.hpp"
#include "observe/observer.hpp"
#include "omp/runtimes.hpp"
#include "placement/region_rules.hpp"
#include "support/errno_kept.hpp"

// NOLINTBEGIN(readability-identifier-naming): for the code in assembly below
extern "C" {
__attribute__((visibility("hidden"))) void nestbind_fork_call();
__attribute__((visibility("hidden"), used)) void* nestbind_note_fork(const void* function);
// The fork function of the only runtime. If it is null, the hook searches.
__attribute__((visibility("hidden"))) extern std::atomic<void*> nestbind_straight_fork;
}
// NOLINTEND(readability-identifier-naming)

constinit std::atomic<void*> nestbind_straight_fork{nullptr};

#if defined(__x86_64__)
// Jumps without changing the registers of arguments.
asm(R"(
  .text
  .hidden nestbind_fork_call
  .globl nestbind_fork_call
  .type nestbind_fork_call, @function
nestbind_fork_call:
  .cfi_startproc
  endbr64
  mov nestbind_noted_region@gottpoff(%rip), %r11
  mov %rdx, %fs:(%r11)
  mov nestbind_straight_fork(%rip), %r11
  test %r11, %r11
  je 1f
  jmp *%r11
1:
  push %rdi
  push %rsi
  push %rdx
  push %rcx
  push %r8
  push %r9
  push %rax
  .cfi_adjust_cfa_offset 56
  mov %rdx, %rdi
  call nestbind_note_fork
  mov %rax, %r11
  pop %rax
  pop %r9
  pop %r8
  pop %rcx
  pop %rdx
  pop %rsi
  pop %rdi
  .cfi_adjust_cfa_offset -56
  jmp *%r11
  .cfi_endproc
  .size nestbind_fork_call, . - nestbind_fork_call
)");
#elif defined(__aarch64__)
asm(R"(
  .text
  .hidden nestbind_fork_call
  .globl nestbind_fork_call
  .type nestbind_fork_call, %function
nestbind_fork_call:
  .cfi_startproc
  hint #34
  stp x29, x30, [sp, #-80]!
  .cfi_def_cfa_offset 80
  .cfi_offset 29, -80
  .cfi_offset 30, -72
  stp x0, x1, [sp, #16]
  stp x2, x3, [sp, #32]
  stp x4, x5, [sp, #48]
  stp x6, x7, [sp, #64]
  mov x0, x2
  bl nestbind_note_fork
  mov x16, x0
  ldp x0, x1, [sp, #16]
  ldp x2, x3, [sp, #32]
  ldp x4, x5, [sp, #48]
  ldp x6, x7, [sp, #64]
  ldp x29, x30, [sp], #80
  .cfi_def_cfa_offset 0
  br x16
  .cfi_endproc
  .size nestbind_fork_call, . - nestbind_fork_call
)");
#else
void nestbind_fork_call() {}
#endif

namespace nestbind::kmpc {

namespace {

#if defined(__x86_64__) || defined(__aarch64__)
constexpr bool kCanJump = true;
#else
constexpr bool kCanJump = false;
#endif

constexpr char kFork[] = "__kmpc_fork_call";
constexpr int kMostModules = 512;

// The last fork function that was found. Used for modules whose own function is not found.
constinit std::atomic<void*> g_any{nullptr};

struct Modules {
  const void* inside[kMostModules];
  int count;
};

int note_module(dl_phdr_info* info, size_t, void* memory) {
  auto& modules = *static_cast<Modules*>(memory);
  for (unsigned i = 0; i < info->dlpi_phnum && modules.count < kMostModules; ++i) {
    if (info->dlpi_phdr[i].p_type == PT_LOAD) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives integers
      modules.inside[modules.count++] =
          reinterpret_cast<const void*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
      break;
    }
  }
  return 0;
}

void follow_forks_of(const void* inside) {
  const Runtime* const runtime = runtime_of(inside);
  if (runtime != nullptr && runtime->fork_call != nullptr) {
    g_any.store(runtime->fork_call, std::memory_order_relaxed);
    const bool is_only = runtime == global_runtime() && !has_own_copies();
    nestbind_straight_fork.store(is_only ? runtime->fork_call : nullptr);
    interpose::redirect(inside, kFork, reinterpret_cast<void*>(nestbind_fork_call));
  }
}

void follow_forks() {
  if (!kCanJump || !placement::has_region_rules()) {
    return;
  }
  const support::ErrnoKept errno_kept;
  Modules modules{};
  dl_iterate_phdr(note_module, &modules);
  for (int i = 0; i < modules.count; ++i) {
    follow_forks_of(modules.inside[i]);
  }
}

void meet(const omp::Calls& runtime, const void* code) {
  if (kCanJump && runtime.is_llvm && code != nullptr) {
    follow_forks_of(code);
  }
}

__attribute__((constructor)) void begin_to_follow_forks() {
  placement::g_when_new_code.store(meet);
  static constinit observe::Observer when_armed{follow_forks};
  observe::add(when_armed);
  static constinit omp::StartListener when_started{[](const omp::Calls&) { follow_forks(); }};
  omp::add(when_started);
}

}  // namespace

}  // namespace nestbind::kmpc

void* nestbind_note_fork(const void* function) {
  using namespace nestbind;
  placement::note_region(function);
  const kmpc::Runtime* const runtime = kmpc::runtime_of(function);
  return runtime != nullptr && runtime->fork_call != nullptr
             ? runtime->fork_call
             : kmpc::g_any.load(std::memory_order_relaxed);
}
