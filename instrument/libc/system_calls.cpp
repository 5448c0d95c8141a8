// SPDX-License-Identifier: BSD-3-Clause
// syscall(): what the other files here see by name, by its number. libnuma sets memory policies and
// masks in this way.
//
// Most numbers are none of ours (waiting, above all): those cost a look into a table, and a jump.
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "binding/widened.hpp"
#include "instrument/libc/changes.hpp"
#include "instrument/libc/jump.hpp"
#include "interpose/next_function.hpp"
#include "placement/atfork.hpp"
#include "support/system_call.hpp"
#include "workers/quiet.hpp"
#include "workers/room.hpp"

#if defined(__x86_64__) || defined(__aarch64__)

namespace nestbind::libc {

namespace {

// Whom a call changes, or what it does.
enum class Effect : unsigned char {
  kNone,
  kSelf,
  kThread,      // the first argument says which
  kAffinity,    // the same
  kPriority,    // of a thread, a group or a user
  kIoPriority,  // the same
  kMask,
  kMemoryPolicy,
  kOwn,  // nothing that threads inherit
  kSignalStack,
  kPrctl,
  kPersonality,
  kSeccomp,
  kPerfEvent,
  kUnshare,
  kNamespace,
  kArchitecture,
  kClone,
  kClone3,
  kFork,
  kExecute,
};

struct Row {
  long number;
  Effect effect;
};

constexpr Row kRows[] = {
    {SYS_rt_sigprocmask, Effect::kMask},
    {SYS_set_mempolicy, Effect::kMemoryPolicy},
    {SYS_sched_setaffinity, Effect::kAffinity},
    {SYS_sched_setscheduler, Effect::kThread},
    {SYS_sched_setparam, Effect::kThread},
    {SYS_sched_setattr, Effect::kThread},
    {SYS_setpriority, Effect::kPriority},
    {SYS_ioprio_set, Effect::kIoPriority},
    {SYS_sigaltstack, Effect::kSignalStack},
    {SYS_set_robust_list, Effect::kOwn},
    {SYS_set_tid_address, Effect::kOwn},
    {SYS_prctl, Effect::kPrctl},
    {SYS_personality, Effect::kPersonality},
    {SYS_seccomp, Effect::kSeccomp},
    {SYS_perf_event_open, Effect::kPerfEvent},
    // The kernel's own of these are about one thread.
    {SYS_setuid, Effect::kSelf},
    {SYS_setgid, Effect::kSelf},
    {SYS_setreuid, Effect::kSelf},
    {SYS_setregid, Effect::kSelf},
    {SYS_setresuid, Effect::kSelf},
    {SYS_setresgid, Effect::kSelf},
    {SYS_setgroups, Effect::kSelf},
    {SYS_setfsuid, Effect::kSelf},
    {SYS_setfsgid, Effect::kSelf},
    {SYS_capset, Effect::kSelf},
    {SYS_rseq, Effect::kSelf},  // the C library looks at its creator's
    {SYS_unshare, Effect::kUnshare},
    {SYS_setns, Effect::kNamespace},
    {SYS_keyctl, Effect::kSelf},
    {SYS_add_key, Effect::kSelf},
    {SYS_request_key, Effect::kSelf},
#ifdef SYS_landlock_restrict_self
    {SYS_landlock_restrict_self, Effect::kSelf},
#endif
    {SYS_clone, Effect::kClone},
    {SYS_clone3, Effect::kClone3},
    {SYS_execve, Effect::kExecute},
    {SYS_execveat, Effect::kExecute},
#if defined(__x86_64__)
    {SYS_fork, Effect::kFork},
    {SYS_arch_prctl, Effect::kArchitecture},
    {SYS_iopl, Effect::kSelf},
    {SYS_ioperm, Effect::kSelf},
#endif
};

struct Table {
  static constexpr long kNumbers = 512;
  Effect effects[kNumbers] = {};
  constexpr Table() {
    for (const Row& row : kRows) {
      effects[row.number] = row.effect;
    }
  }
};

constexpr Table kTable;

// Without the sixth argument, which none of the calls in the table has. The next function is jumped
// to, and finds that one where the caller has left it. On x86-64 that is the stack: where there are
// fewer arguments, it is a variable of the caller's, which others may write at the same time, and
// is not to be touched.
using SystemCall = long(long, long, long, long, long, long) noexcept;

struct Words {
  long number, a, b, c, d, e;
  const void* code = nullptr;  // behind the call
};

// Of a word that was given as an int, the rest is anything.
int whole(long word) { return static_cast<int>(word); }

template <typename Object>
const Object* pointer(long word) {
  return reinterpret_cast<const Object*>(word);  // NOLINT(performance-no-int-to-ptr)
}

long make(SystemCall* next, const Words& words) {
  return next(words.number, words.a, words.b, words.c, words.d, words.e);
}

constexpr long kIoPriorityOfThread = 1;  // not in older headers

bool is_inherited(const perf_event_attr* attributes) {
  return attributes != nullptr && attributes->inherit != 0;
}

// An event of a thread counts in those that it creates, if it is inherited; the thread that it was
// opened for in a region would have ended with that.
long open_event(long result, const Words& words) {
  if (result < 0 || whole(words.b) < 0) {  // -1: a processor's
    return result;
  }
  return is_inherited(pointer<perf_event_attr>(words.a)) ? changed(result, words.b)
                                                         : changed_own(result);
}

bool is_architecture_change(long code) {
  constexpr long kSetGs = 0x1001;
  constexpr long kSetCpuId = 0x1012;
  return code == kSetGs || code == kSetCpuId;
}

// A child with memory of its own begins as one of fork does.
long fork_by(SystemCall* next, const Words& words) {
  const long child = workers::with_room([&] { return make(next, words); }, workers::kSetsErrno);
  if (child == 0) {
    placement::free_child();
  }
  return child;
}

// What a call that has been made has changed.
long noted(Effect effect, long result, const Words& words) {
  switch (effect) {
    case Effect::kSelf:
      return changed_self(result);
    case Effect::kThread:
      return changed(result, words.a);
    case Effect::kPriority:
      return changed_by_kind(result, whole(words.a) == PRIO_PROCESS, words.b);
    case Effect::kIoPriority:
      return changed_by_kind(result, whole(words.a) == kIoPriorityOfThread, words.b);
    case Effect::kPrctl:
      return is_change_by_prctl(whole(words.a), words.b) ? changed_self(result) : result;
    case Effect::kPersonality:
      return whole(words.a) == -1 ? result : changed_self(result);
    case Effect::kSeccomp:
      return whole(words.a) <= SECCOMP_SET_MODE_FILTER ? changed_self(result) : result;
    case Effect::kPerfEvent:
      return open_event(result, words);
    case Effect::kArchitecture:
      return is_architecture_change(whole(words.a)) ? changed_self(result) : result;
    case Effect::kMemoryPolicy:
      if (result >= 0) {
        workers::note_policy_change();
      }
      return result;
    case Effect::kSignalStack:
      return words.a == 0 ? result : changed_own(result);
    case Effect::kOwn:
      return changed_own(result);
    default:
      return result;
  }
}

__attribute__((noinline)) long make_and_note(Effect effect, SystemCall* next, const Words& words) {
  switch (effect) {
    case Effect::kClone:
    case Effect::kClone3:
    case Effect::kFork:
      return fork_by(next, words);
    case Effect::kExecute: {
      const binding::WidenedForExec while_it_tries;
      return make(next, words);
    }
    case Effect::kAffinity:
      return change_mask([&] { return make(next, words); }, words.a, words.code);
    case Effect::kMask:
      if (words.b != 0) {
        workers::note_mask_change();
      }
      return make(next, words);
    case Effect::kUnshare:
      be_alone_for(whole(words.a));
      return changed_self(make(next, words));
    case Effect::kNamespace:
      be_alone_for(whole(words.b));
      return changed_self(make(next, words));
    default:
      return noted(effect, make(next, words), words);
  }
}

// Children that share our memory, or begin on a stack of their own, are started by a jump: nothing
// of ours can be done in them.
bool is_like_fork(unsigned long flags, unsigned long stack) {
  return (flags & CLONE_VM) == 0 && stack == 0;
}

constexpr std::size_t kLeastCloneArguments = 64;  // bytes, as the kernel has it

// What a call does that is looked at; nothing of others.
Effect effect_of(long number, long a, long b) {
  const auto place = static_cast<unsigned long>(number);
  const Effect effect = place < Table::kNumbers ? kTable.effects[place] : Effect::kNone;
  bool is_noted = true;
  if (effect == Effect::kClone) {
    is_noted = is_like_fork(static_cast<unsigned long>(a), static_cast<unsigned long>(b));
  } else if (effect == Effect::kClone3) {
    const auto* arguments = pointer<clone_args>(a);
    is_noted = arguments != nullptr && static_cast<std::size_t>(b) >= kLeastCloneArguments &&
               is_like_fork(arguments->flags, arguments->stack);
  }
  return is_noted ? effect : Effect::kNone;
}

long make_alone(long number, long a, long b, long c, long d, long e, long f) noexcept {
  return support::in_errno(support::kernel_answer(number, a, b, c, d, e, f));
}

// Allocators that make system calls are called by the loader that is asked.
SystemCall* next_or_kernel() {
  void* known = NESTBIND_NEXT_RECORD(syscall).known();
  return reinterpret_cast<SystemCall*>(known == nullptr ? reinterpret_cast<void*>(make_alone)
                                                        : known);
}

}  // namespace

}  // namespace nestbind::libc

using namespace nestbind::libc;

// The header's declaration is variadic; this name is only ours, the other the assembler's.
#if defined(__x86_64__)
NESTBIND_INTERPOSE NESTBIND_JUMPS long stand_before_syscall(long number, long a, long b, long c,
                                                            long d, long e) noexcept asm("syscall");

long stand_before_syscall(long number, long a, long b, long c, long d, long e) noexcept {
  const Effect effect = effect_of(number, a, b);
  SystemCall* known = next_or_kernel();
  if (effect != Effect::kNone) {
    return make_and_note(effect, known, {number, a, b, c, d, e, __builtin_return_address(0)});
  }
  NESTBIND_JUMP return known(number, a, b, c, d, e);
}
#else  // all in registers
NESTBIND_INTERPOSE NESTBIND_JUMPS long stand_before_syscall(long number, long a, long b, long c,
                                                            long d, long e, long f) noexcept
    asm("syscall");

long stand_before_syscall(long number, long a, long b, long c, long d, long e, long f) noexcept {
  const Effect effect = effect_of(number, a, b);
  SystemCall* known = next_or_kernel();
  if (effect != Effect::kNone) {
    return make_and_note(effect, known, {number, a, b, c, d, e, __builtin_return_address(0)});
  }
  auto* whole_call = reinterpret_cast<decltype(&stand_before_syscall)>(known);
  NESTBIND_JUMP return whole_call(number, a, b, c, d, e, f);
}
#endif

#endif
