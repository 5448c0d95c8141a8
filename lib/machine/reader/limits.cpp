// SPDX-License-Identifier: BSD-3-Clause
#include "machine/reader/limits.hpp"

#include <dlfcn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "machine/reader/border.hpp"

namespace nestbind::machine::reader {
namespace {

// At most this much; somebody may have set less.
void limit(decltype(RLIMIT_AS) resource, rlim_t most) {
  rlimit now{};
  if (getrlimit(resource, &now) == 0) {
    most = std::min(most, now.rlim_max);
    now = {most, most};
    setrlimit(resource, &now);
  }
}

// The signal of alarm() ends the process, whatever it was started with.
void end_by_clock(unsigned seconds) {
  std::signal(SIGALRM, SIG_DFL);
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  sigprocmask(SIG_UNBLOCK, &alarms, nullptr);
  alarm(seconds);
}

}  // namespace

void limit_this_process() {
  limit(RLIMIT_CORE, 0);
  prctl(PR_SET_DUMPABLE, 0);  // where cores go to a program, it gets none either
  limit(RLIMIT_CPU, kSeconds);
  limit(RLIMIT_FSIZE, kLargestAnswer);
  if (dlsym(RTLD_DEFAULT, "__asan_init") == nullptr) {  // which reserves terabytes
    limit(RLIMIT_AS, rlim_t{kMegabytes} << 20);
  }
  end_by_clock(3 * kSeconds);
}

}  // namespace nestbind::machine::reader
