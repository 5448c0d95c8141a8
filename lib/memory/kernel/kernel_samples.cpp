// SPDX-License-Identifier: BSD-3-Clause
#include "memory/kernel/kernel_samples.hpp"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "memory/kernel/filter.hpp"
#include "support/system_call.hpp"

namespace nestbind::memory::kernel {

namespace {

constexpr unsigned kFewestPerSecond = 250;
constexpr std::size_t kMostPages = 32;  // of a ring: some 1000 samples
constexpr std::size_t kFewestPages = 4;

// Of all threads, a second: from so many on the fine events are switched off, and below so many
// they are on again.
constexpr double kMany = 10000;
constexpr std::uint64_t kFewest = 1000;  // and so many at once: a program's start is no rate
constexpr double kFew = 2500;

double seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// per_second: 0 for each fault.
perf_event_attr page_faults(unsigned per_second, bool threads_only) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_PAGE_FAULTS;
  attributes.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
                           PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_STACK_USER;
  attributes.sample_stack_user = kStackWords * sizeof(std::uint64_t);
  if (per_second == 0) {
    attributes.sample_period = 1;
  } else {
    attributes.freq = 1;
    attributes.sample_freq = per_second;
  }
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.inherit = 1;
  attributes.inherit_thread = threads_only ? 1 : 0;
  return attributes;
}

// A descriptor, or -1 with errno. The kernel may be too old to leave forked children out.
int open_event(int processor, unsigned per_second) {
  int event = -1;
  for (const bool threads_only : {true, false}) {
    perf_event_attr attributes = page_faults(per_second, threads_only);
    event = static_cast<int>(support::system_call(SYS_perf_event_open, &attributes, 0, processor,
                                                  -1, PERF_FLAG_FD_CLOEXEC));
    if (event >= 0 || errno != EINVAL) {
      break;
    }
  }
  return event;
}

// Likewise. The kernel may allow fewer samples a second.
int open_coarse(int processor) {
  int event = -1;
  for (unsigned per_second = kMostPerSecond; per_second >= kFewestPerSecond; per_second /= 2) {
    event = open_event(processor, per_second);
    if (event >= 0 || errno != EINVAL) {
      break;
    }
  }
  return event;
}

// The same under a number that programs hardly look at.
int moved_away(int event) {
  rlimit most{};
  constexpr rlim_t kAway = 128;
  const rlim_t limit = getrlimit(RLIMIT_NOFILE, &most) == 0 ? most.rlim_cur : 0;
  const int moved = limit < 2 * kAway || limit > 1U << 30U
                        ? -1
                        : fcntl(event, F_DUPFD_CLOEXEC, static_cast<int>(limit - kAway));
  if (moved < 0) {
    return event;
  }
  close(event);
  return moved;
}

// Fine events keep one for each processor, which the program must not miss.
bool are_descriptors_plenty() {
  constexpr rlim_t kPartOfAll = 8;
  rlimit most{};
  return getrlimit(RLIMIT_NOFILE, &most) == 0 &&
         most.rlim_cur / kPartOfAll >= static_cast<rlim_t>(sysconf(_SC_NPROCESSORS_CONF));
}

std::size_t page() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

}  // namespace

int Samples::open_ring(int processor, bool is_fine, Ring& ring) {
  const int event = is_fine ? open_event(processor, 0) : open_coarse(processor);
  if (event < 0) {
    return errno;
  }
  int fault = 0;
  for (std::size_t pages = kMostPages; pages >= kFewestPages; pages /= 2) {
    void* memory =
        mmap(nullptr, (pages + 1) * page(), PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
    fault = memory == MAP_FAILED ? errno : 0;
    if (fault == 0) {
      ring = {memory, pages * page(), 0, -1};
      break;
    }
  }
  if (is_fine && fault == 0) {
    ring.event = moved_away(event);
  } else {
    close(event);  // the mapping keeps it
  }
  return fault;
}

int Samples::open_rings(bool is_fine, Rings& rings) {
  const long processors = sysconf(_SC_NPROCESSORS_CONF);
  rings.reserve(static_cast<std::size_t>(processors));
  int fault = 0;
  for (int processor = 0; processor < processors && fault == 0; ++processor) {
    Ring ring;
    const int one = open_ring(processor, is_fine, ring);
    if (one == 0) {
      rings.push_back(ring);
    } else if (one != ENODEV) {  // that one is switched off
      fault = one;
    }
  }
  fault = fault == 0 && rings.empty() ? ENODEV : fault;
  if (fault != 0) {
    close_rings(rings);
  }
  return fault;
}

void Samples::close_rings(Rings& rings) {
  for (const Ring& ring : rings) {
    munmap(ring.control, ring.bytes + page());
    if (ring.event >= 0) {
      close(ring.event);
    }
  }
  rings.clear();
}

int Samples::begin() {
  constexpr long kCalls[] = {SYS_perf_event_open};
  if (may_end_process(kCalls)) {
    return EPERM;
  }
  const int fault = open_rings(false, coarse_);
  // With coarse ones alone huge pages may be missed, no more.
  is_fine_ = fault == 0 && are_descriptors_plenty() && open_rings(true, fine_) == 0;
  last_choice_ = seconds_now();
  return fault;
}

void Samples::end() {
  close_rings(fine_);
  close_rings(coarse_);
}

// Whether the fine events could be switched. Their descriptors may be something else's meanwhile,
// which does not know such a request.
bool Samples::switch_fine(bool is_on) {
  bool is_done = !fine_.empty();
  for (const Ring& ring : fine_) {
    const unsigned long request = is_on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;
    is_done = support::system_call(SYS_ioctl, ring.event, request, 0) == 0 && is_done;
  }
  return is_done;
}

void Samples::choose(bool was_fine, std::uint64_t faults) {
  const double now = seconds_now();
  const double seconds = std::max(now - last_choice_, 1e-3);
  const double rate = static_cast<double>(faults) / seconds;
  last_choice_ = now;
  if (is_fine_ && (!was_fine || (rate >= kMany && faults >= kFewest))) {
    is_fine_ = false;
    if (!switch_fine(false)) {
      for (Ring& ring : fine_) {
        ring.event = -1;  // not ours to close
      }
      close_rings(fine_);
    }
  } else if (!is_fine_ && rate < kFew && switch_fine(true)) {
    is_fine_ = true;
  }
}

unsigned Samples::fullest_of(const Rings& rings) {
  std::uint64_t most = 0;
  for (const Ring& ring : rings) {
    most = std::max<std::uint64_t>(most, 100 * (head_of(ring) - ring.tail) / ring.bytes);
  }
  return static_cast<unsigned>(most);
}

bool Samples::has_lost(const Rings& rings) {
  for (const Ring& ring : rings) {
    // The kernel writes that it has lost some when there is room again: full is what counts here.
    constexpr std::size_t kLongest = 256;  // of a record
    if (head_of(ring) - ring.tail + kLongest > ring.bytes) {
      return true;
    }
  }
  return false;
}

std::uint64_t Samples::head_of(const Ring& ring) {
  const auto* control = static_cast<const perf_event_mmap_page*>(ring.control);
  return __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);
}

Record Samples::next(const Ring& ring, std::uint64_t& tail, std::uint64_t head, Sample& sample) {
  const auto* bytes = static_cast<const unsigned char*>(ring.control) + page();
  return next_record({bytes, ring.bytes}, tail, head, sample);
}

void Samples::finish(Ring& ring, std::uint64_t tail) {
  ring.tail = tail;
  auto* control = static_cast<perf_event_mmap_page*>(ring.control);
  __atomic_store_n(&control->data_tail, tail, __ATOMIC_RELEASE);
}

}  // namespace nestbind::memory::kernel
