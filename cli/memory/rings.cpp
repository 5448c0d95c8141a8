// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <span>

#include "cli/memory/looks.hpp"
#include "support/kernel_file.hpp"

namespace nestbind::cli::memory {

namespace {

namespace watch = nestbind::memory::watch;

// The kernel copies every event to each new thread, which takes some microseconds.
constexpr std::size_t kMostEvents = 64;

// By default a user may lock 516 KiB on each processor (perf_event_mlock_kb).
constexpr std::size_t kMostBytes = std::size_t{512} << 10;
constexpr std::size_t kFewestBytes = std::size_t{32} << 10;

// Samples a second. If faults come faster, the kernel does not sample all of them.
constexpr unsigned kPerSecond = 10000;
constexpr unsigned kFewestPerSecond = 250;

perf_event_attr page_faults(bool is_at_exec, unsigned per_second) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_PAGE_FAULTS;
  attributes.freq = 1;
  attributes.sample_freq = per_second;
  attributes.sample_type = watch::sample_type();
  attributes.sample_regs_user = watch::kRegisters;
  attributes.sample_stack_user = watch::kStackBytes;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.inherit = 1;
  attributes.mmap = 1;
  attributes.mmap_data = 1;
  attributes.mmap2 = 1;
  attributes.comm = 1;
  attributes.comm_exec = 1;
  attributes.task = 1;
  attributes.sample_id_all = 1;
  attributes.disabled = is_at_exec ? 1 : 0;
  attributes.enable_on_exec = is_at_exec ? 1 : 0;
  attributes.use_clockid = 1;
  attributes.clockid = CLOCK_MONOTONIC;
  attributes.watermark = 1;
  attributes.wakeup_watermark = kFewestBytes / 4;
  return attributes;
}

// If a rate is refused, tries lower rates.
int open_event(int thread, int processor, bool is_at_exec) {
  int event = -1;
  for (unsigned per_second = kPerSecond; per_second >= kFewestPerSecond; per_second /= 2) {
    perf_event_attr attributes = page_faults(is_at_exec, per_second);
    event = static_cast<int>(
        syscall(SYS_perf_event_open, &attributes, thread, processor, -1, PERF_FLAG_FD_CLOEXEC));
    if (event >= 0 || errno != EINVAL) {
      break;
    }
  }
  return event;
}

// Raises only this process's limit.
void take_all_descriptors() {
  rlimit most{};
  if (getrlimit(RLIMIT_NOFILE, &most) == 0 && most.rlim_cur < most.rlim_max) {
    most.rlim_cur = most.rlim_max;
    setrlimit(RLIMIT_NOFILE, &most);
  }
}

std::size_t page() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

}  // namespace

Rings::~Rings() { close_all(); }

void Rings::close_all() {
  for (const Ring& ring : rings_) {
    munmap(ring.control, ring.bytes + page());
    close(ring.event);
  }
  for (const int event : others_) {
    close(event);
  }
  rings_.clear();
  others_.clear();
}

int Rings::open(const std::vector<int>& threads, const std::vector<int>& processors,
                bool is_at_exec) {
  if (threads.empty()) {
    return ESRCH;
  }
  take_all_descriptors();
  int error = ENODEV;
  // All rings have the same size, because the kernel limits their locked memory together.
  for (std::size_t bytes = kMostBytes; bytes >= kFewestBytes; bytes /= 2) {
    error = 0;
    for (const int processor : processors) {
      const int event = open_event(threads[0], processor, is_at_exec);
      void* const control =
          event < 0 ? MAP_FAILED
                    : mmap(nullptr, bytes + page(), PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
      if (control != MAP_FAILED) {
        rings_.push_back({event, control, bytes, processor});
      } else if (errno != ENODEV) {  // ENODEV: the processor is offline
        error = errno;
        close(event);
        break;
      }
    }
    if (error == 0) {
      break;
    }
    close_all();
    if (error != EPERM && error != ENOMEM) {
      break;
    }
  }
  for (std::size_t i = 1; i < threads.size() && error == 0; ++i) {
    for (const Ring& ring : rings_) {
      const int event = open_event(threads[i], ring.processor, is_at_exec);
      if (event >= 0 && ioctl(event, PERF_EVENT_IOC_SET_OUTPUT, ring.event) == 0) {
        others_.push_back(event);
      } else if (event >= 0) {
        close(event);
      }
    }
  }
  return rings_.empty() && error == 0 ? ENODEV : error;
}

void Rings::add_to(std::vector<pollfd>& files) const {
  for (const Ring& ring : rings_) {
    files.push_back({ring.event, POLLIN, 0});
  }
}

void Rings::drain(const std::function<void(const watch::Record&)>& take) {
  watch::Record record;
  for (const Ring& ring : rings_) {
    auto* const control = static_cast<perf_event_mmap_page*>(ring.control);
    const std::span bytes(static_cast<const unsigned char*>(ring.control) + page(), ring.bytes);
    const std::uint64_t head = std::atomic_ref(control->data_head).load(std::memory_order_acquire);
    std::uint64_t tail = control->data_tail;
    while (tail < head && next_record(bytes, tail, head, record)) {
      if (record.kind == watch::Record::Kind::kLost) {
        record.processor = static_cast<std::uint32_t>(ring.processor);
      }
      take(record);
    }
    std::atomic_ref(control->data_tail).store(tail, std::memory_order_release);
  }
}

std::vector<int> watched_processors(const std::vector<int>& mask) {
  if (mask.size() <= kMostEvents) {
    return mask;
  }
  std::vector<int> some(kMostEvents);
  for (std::size_t i = 0; i < kMostEvents; ++i) {
    some[i] = mask[i * mask.size() / kMostEvents];
  }
  return some;
}

std::string words_of_refusal(int error) {
  const std::string level = support::kernel_text("/proc/sys/kernel/perf_event_paranoid");
  const int paranoid = level.empty() ? 0 : std::atoi(level.c_str());
  if (error == EACCES && paranoid > 2) {
    return fmt::format(
        "page faults cannot be sampled (kernel.perf_event_paranoid is {}): an administrator allows "
        "it by sysctl kernel.perf_event_paranoid=2",
        paranoid);
  }
  return fmt::format(
      "page faults cannot be sampled ({}): a sandbox or this kernel refuses perf_event_open(2), or "
      "other watched programs of yours use all the memory that the kernel locks for samples "
      "(kernel.perf_event_mlock_kb)",
      std::strerror(error));
}

}  // namespace nestbind::cli::memory
