// SPDX-License-Identifier: BSD-3-Clause
// A child that was made without an exit signal is not seen by wait(); but execve gives it SIGCHLD
// (execve(2)). So the program's parent is another process, made without an exit signal, that only
// waits for it. Both share this process's memory, as after vfork, until the program is there: this
// costs the same in a process of any size. What they run calls the kernel only.
#include "machine/loading/unseen.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <cstddef>
#include <cstdint>

#include "machine/loading/raw_call.hpp"
#include "machine/reader/border.hpp"

// Code that runs on a stack and in a thread that no sanitizer knows.
#define NESTBIND_BARE __attribute__((no_sanitize("address", "thread", "undefined")))

namespace nestbind::machine::loading {
namespace {

constexpr std::size_t kStack = 32 << 10;
constexpr unsigned long kAsAfterVfork = CLONE_VM | CLONE_VFORK;

// The kernel's form.
using SignalSet = std::uint64_t;
struct SignalAction {
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)();
  SignalSet mask;
};

struct Order {
  const Program& program;
  char* inner_stack_end;
};

template <typename Object>
NESTBIND_BARE long address(const Object* memory) {
  return reinterpret_cast<long>(memory);
}

NESTBIND_BARE void end_with_parent() { raw_call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL); }

NESTBIND_BARE void tell_not_started(int answer, long error) {
  char told[1 + sizeof(int)] = {reader::kNotStarted};
  const int number = static_cast<int>(-error);
  __builtin_memcpy(told + 1, &number, sizeof number);
  raw_call(SYS_write, answer, address(told), sizeof told);
}

// Where the kernel cannot close all at once (before 5.9), what has no FD_CLOEXEC stays open.
NESTBIND_BARE void close_all_but(int kept) {
#ifdef SYS_close_range
  if (kept > 0) {
    raw_call(SYS_close_range, 0, kept - 1, 0);
  }
  raw_call(SYS_close_range, kept + 1, ~0U, 0);
#endif
}

// Puts the null device and the answer where the program expects them. Returns an error of the
// kernel as it does, or 0.
NESTBIND_BARE long arrange_files(int answer) {
  // Not where one of the standard files is to be, nor where the answer may be already.
  const long high = raw_call(SYS_fcntl, answer, F_DUPFD_CLOEXEC, reader::kAnswerFile + 1);
  if (high < 0) {
    return high;
  }
  const long null = raw_call(SYS_openat, AT_FDCWD, address("/dev/null"), O_RDWR);
  for (int standard = 0; standard < reader::kAnswerFile; ++standard) {
    if (null < 0) {
      raw_call(SYS_close, standard);
    } else if (null != standard) {
      raw_call(SYS_dup3, null, standard, 0);
    }
  }
  const long put = raw_call(SYS_dup3, high, reader::kAnswerFile, 0);
  return put < 0 ? put : 0;
}

NESTBIND_BARE void become_program(void* argument) {
  const Program& program = static_cast<Order*>(argument)->program;
  end_with_parent();
  long error = arrange_files(program.answer);
  if (error == 0) {
    error = raw_call(SYS_execve, address(program.path), address(program.arguments),
                     address(program.environment));
  }
  tell_not_started(program.answer, error);
  raw_call(SYS_exit_group, 127);
}

// The kernel takes care of the program's end, with SIGCHLD ignored, and its times are nobody's.
NESTBIND_BARE void ignore_children() {
  SignalAction ignored{};
  ignored.handler = SIG_IGN;
  raw_call(SYS_rt_sigaction, SIGCHLD, address(&ignored), 0, sizeof(SignalSet));
}

NESTBIND_BARE void stand_between(void* argument) {
  const Order& order = *static_cast<Order*>(argument);
  end_with_parent();
  ignore_children();
  close_all_but(order.program.answer);  // nobody waits for the end of a pipe because of this
  const long child =
      raw_clone(kAsAfterVfork | SIGCHLD, order.inner_stack_end, become_program, argument);
  if (child < 0) {
    tell_not_started(order.program.answer, child);
  }
  for (long ended = 0; child > 0 && (ended >= 0 || ended == -EINTR);) {
    ended = raw_call(SYS_wait4, -1, 0, __WALL);
  }
  raw_call(SYS_exit_group, 0);
}

// For as long as handlers of the program must not run in the other processes.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    const SignalSet all = ~SignalSet{0};
    raw_call(SYS_rt_sigprocmask, SIG_SETMASK, address(&all), address(&before_), sizeof all);
  }
  ~SignalsBlocked() {
    raw_call(SYS_rt_sigprocmask, SIG_SETMASK, address(&before_), 0, sizeof before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  SignalSet before_ = 0;
};

}  // namespace

int run_unseen(const Program& program) {
  void* const stacks = mmap(nullptr, 2 * kStack, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stacks == MAP_FAILED) {
    return errno;
  }
  auto* const end = static_cast<char*>(stacks) + 2 * kStack;
  Order order{program, end - kStack};
  long between = 0;
  {
    const SignalsBlocked blocked;
    between = raw_clone(kAsAfterVfork, end, stand_between, &order);
  }
  // It has ended. Without an exit signal it waits to be asked for.
  while (between > 0 && raw_call(SYS_wait4, between, 0, __WALL) == -EINTR) {
  }
  munmap(stacks, 2 * kStack);
  return between < 0 ? static_cast<int>(-between) : 0;
}

}  // namespace nestbind::machine::loading
