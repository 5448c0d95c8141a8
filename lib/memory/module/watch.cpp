// SPDX-License-Identifier: BSD-3-Clause
#include "memory/module/watch.hpp"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include <exception>
#include <memory>
#include <new>
#include <string>

#include "memory/kernel/filter.hpp"
#include "memory/kernel/pages.hpp"
#include "memory/module/applying.hpp"
#include "memory/module/gathering.hpp"
#include "memory/module/sampler.hpp"
#include "memory/module/telling.hpp"

namespace nestbind::memory {

namespace {

double seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Watch {
  explicit Watch(const WatchOptions& wanted)
      : options(wanted),
        gathering(wanted.least, wanted.find_code),
        applying(wanted.is_apply
                     ? std::make_unique<Applying>(gathering, wanted.every, wanted.always)
                     : nullptr),
        on_demand([this] { return so_far(); }),
        sampler(gathering, wanted.seconds, applying.get(), on_demand) {}

  // Of the regions, whoever moves them.
  std::string so_far() {
    const Watched watched{seconds_now() - begin, Sampler::seconds_so_far(), options.always};
    return told(gathering, options.find_code, watched, true);
  }

  const WatchOptions options;
  Gathering gathering;
  const std::unique_ptr<Applying> applying;  // null: memory is told of only
  OnDemand on_demand;
  Sampler sampler;
  const double begin = seconds_now();
};

// For good: the thread may outlive everything else.
constinit Watch* g_watch = nullptr;

// Where nothing can be moved, nothing need be sampled either.
void begin(Watch& watch) {
  watch.gathering.begin();
  if (watch.applying != nullptr && !watch.applying->begin()) {
    watch.gathering.end();
  }
}

std::string text_of(Watch& watch) {
  const Watched watched{seconds_now() - watch.begin, watch.sampler.seconds(), watch.options.always};
  if (watch.applying == nullptr) {
    return told(watch.gathering, watch.options.find_code, watched, watch.options.is_json);
  }
  watch.applying->look();
  return applied(watch.gathering, *watch.applying, watched, watch.options.is_json);
}

char* report_of(Watch& watch) {
  if (watch.applying != nullptr) {
    watch.applying->end();
  }
  if (!watch.sampler.stop()) {
    return nullptr;
  }
  if (!watch.sampler.has_finished()) {
    watch.gathering.drain();
    watch.gathering.look();
    watch.gathering.drain();  // so that the homes that were found now are settled
  }
  const std::string text = text_of(watch);
  return text.empty() ? nullptr : strdup(text.c_str());
}

}  // namespace

int watch(const WatchOptions& options) try {
  if (g_watch != nullptr) {
    return 0;
  }
  // What watching calls besides what any program does, and perf_event_open, which it can be
  // without. Without the first one it has nothing to tell.
  constexpr long kCalls[] = {SYS_move_pages, SYS_process_vm_readv, SYS_sched_setscheduler};
  const std::uintptr_t page[] = {reinterpret_cast<std::uintptr_t>(&g_watch)};
  int node[1];
  if (kernel::may_end_process(kCalls) || kernel::find_nodes(page, node) == EPERM) {
    return EPERM;
  }
  auto* made = new Watch(options);
  // The thread first: its own faults are not counted then.
  const int fault = made->sampler.start();
  if (fault == 0) {
    begin(*made);
    made->sampler.go();
    g_watch = made;
  }
  return fault;
} catch (const std::exception&) {
  return ENOMEM;
}

char* report() try {
  Watch* const watch = g_watch;
  g_watch = nullptr;
  return watch == nullptr ? nullptr : report_of(*watch);
} catch (const std::exception&) {
  return nullptr;
}

void forget() {
  if (g_watch != nullptr) {
    g_watch->gathering.forget();
    g_watch = nullptr;
  }
}

}  // namespace nestbind::memory
