// SPDX-License-Identifier: BSD-3-Clause
#include "memory/kernel/samples.hpp"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/system_call.hpp"

namespace nestbind::memory::kernel {

namespace {

constexpr unsigned kFewestPerSecond = 500;
constexpr std::size_t kMostPages = 32;  // of a ring: some 1000 samples
constexpr std::size_t kFewestPages = 4;

perf_event_attr page_faults(unsigned per_second, bool threads_only) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_PAGE_FAULTS;
  attributes.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU |
                           PERF_SAMPLE_PERIOD | PERF_SAMPLE_STACK_USER;
  attributes.sample_stack_user = kStackWords * sizeof(std::uint64_t);
  attributes.freq = 1;
  attributes.sample_freq = per_second;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.inherit = 1;
  attributes.inherit_thread = threads_only ? 1 : 0;
  return attributes;
}

// A descriptor, or -1 with errno. The kernel may allow fewer samples a second, and may be too old
// to leave forked children out.
int open_event(int processor) {
  int event = -1;
  for (unsigned per_second = kMostPerSecond; per_second >= kFewestPerSecond; per_second /= 2) {
    for (const bool threads_only : {true, false}) {
      perf_event_attr attributes = page_faults(per_second, threads_only);
      event = static_cast<int>(support::system_call(SYS_perf_event_open, &attributes, 0, processor,
                                                    -1, PERF_FLAG_FD_CLOEXEC));
      if (event >= 0 || errno != EINVAL) {
        return event;
      }
    }
  }
  return event;
}

std::size_t page() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

}  // namespace

int Samples::open_ring(int processor, Ring& ring) {
  const int event = open_event(processor);
  if (event < 0) {
    return errno;
  }
  int fault = 0;
  for (std::size_t pages = kMostPages; pages >= kFewestPages; pages /= 2) {
    void* memory =
        mmap(nullptr, (pages + 1) * page(), PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
    fault = memory == MAP_FAILED ? errno : 0;
    if (fault == 0) {
      ring = {memory, pages * page(), 0};
      break;
    }
  }
  close(event);
  return fault;
}

int Samples::begin() {
  const long processors = sysconf(_SC_NPROCESSORS_CONF);
  rings_.reserve(static_cast<std::size_t>(processors));
  int fault = ENODEV;
  for (int processor = 0; processor < processors; ++processor) {
    Ring ring;
    const int one = open_ring(processor, ring);
    if (one == 0) {
      rings_.push_back(ring);
    } else if (one != ENODEV) {  // that one is switched off
      fault = one;
      break;
    }
  }
  const bool is_good = !rings_.empty() && fault == ENODEV;
  if (!is_good) {
    end();
  }
  return is_good ? 0 : fault;
}

void Samples::end() {
  for (const Ring& ring : rings_) {
    munmap(ring.control, ring.bytes + page());
  }
  rings_.clear();
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
