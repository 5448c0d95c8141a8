// SPDX-License-Identifier: BSD-3-Clause
#include "memory/kernel/filter.hpp"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

namespace nestbind::memory::kernel::test {
namespace {

constexpr long kAsked[] = {SYS_sched_getscheduler, SYS_perf_event_open};

// Whether this process has children that wait() tells of.
bool has_children() { return waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD; }

// The answers of a process of its own under a filter that answers perf_event_open so: 0 for no, 1
// for yes, 2 for yes though it was not asked of that call; 77 where no filter can be set.
int answer_under(unsigned action) {
  const pid_t child = fork();
  if (child == 0) {
    sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, action),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog filter = {sizeof code / sizeof *code, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
      _exit(77);
    }
    constexpr long kOther[] = {SYS_sched_getscheduler};
    const bool is_other = may_end_process(kOther);
    const bool is_asked = may_end_process(kAsked);
    _exit(has_children() ? 3 : is_other ? 2 : is_asked ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_CASE("without a filter no call ends the process", "[memory]") {
  CHECK_FALSE(may_end_process(kAsked));
  CHECK_FALSE(has_children());
}

TEST_CASE("a filter that ends a child for a call would end the process", "[memory]") {
  if (answer_under(SECCOMP_RET_ALLOW) == 77) {
    WARN("filters cannot be set here");
    return;
  }
  CHECK(answer_under(SECCOMP_RET_KILL_PROCESS) == 1);
  CHECK(answer_under(SECCOMP_RET_KILL_THREAD) == 1);
  CHECK(answer_under(SECCOMP_RET_TRAP) == 1);
  CHECK(answer_under(SECCOMP_RET_ERRNO | EPERM) == 0);
  CHECK(answer_under(SECCOMP_RET_ALLOW) == 0);
}

}  // namespace
}  // namespace nestbind::memory::kernel::test
