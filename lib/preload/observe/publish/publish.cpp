// SPDX-License-Identifier: BSD-3-Clause
#include "observe/publish/publish.hpp"

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "options/settings.hpp"
#include "process/original_mask.hpp"
#include "process/rank.hpp"
#include "process/undisturbed.hpp"
#include "support/clock.hpp"
#include "support/errno_kept.hpp"
#include "support/system_call.hpp"

namespace nestbind::publish {

namespace {

using observe::SlotTaken;

// In a forked child, `process` is still the parent.
struct OfProcess {
  std::atomic<pid_t> process{0};
  std::atomic<pid_t> maker{0};
  File file;  // written before `process`
  std::atomic<unsigned> next{0};
  std::atomic<long> full_at{0};
  std::atomic<const spec::Spec*> told{nullptr};
  bool is_removed_at_exit = false;
};
constinit OfProcess g_of_process;

struct OfThread {
  pid_t process;  // the process in which the other members are valid
  unsigned number;
  SharedWord* record;
  bool is_writing;  // keeps signal handlers from writing
  bool is_counted;
};
constinit thread_local OfThread t_of_thread __attribute__((tls_model("initial-exec"))) = {};

unsigned records_for(const spec::Spec& spec) {
  const auto processors = static_cast<unsigned>(mask::count(process::original_mask()));
  unsigned threads = 1;
  for (int i = 0; i < spec.levels; ++i) {
    const int size = spec.level[i].size;
    const unsigned members = size > 0 ? static_cast<unsigned>(size) : processors;
    threads = std::min(threads * std::min(members, kMostRecords), kMostRecords);
  }
  const unsigned wanted = std::max(2 * threads, 4 * std::min(processors, kMostRecords));
  return std::clamp(wanted, kFewestRecords, kMostRecords);
}

void make(OfProcess& of, pid_t process, const spec::Spec& spec) {
  const process::Undisturbed undisturbed;
  of.file = make_file(options::settings().publish, records_for(spec));
  of.next.store(0, std::memory_order_relaxed);
  of.full_at.store(0, std::memory_order_relaxed);
  of.told.store(nullptr, std::memory_order_relaxed);
  if (of.file.words != nullptr && !of.is_removed_at_exit) {
    of.is_removed_at_exit = atexit(remove_file) == 0;
  }
  of.process.store(process, std::memory_order_release);
}

// The first thread makes the file, and other threads wait for the file. After a second, these
// threads go on without a file. The first thread may have ended, or may not exist in this forked
// child.
File file_of(pid_t process, const spec::Spec& spec) {
  OfProcess& of = g_of_process;
  if (of.process.load(std::memory_order_acquire) != process) {
    pid_t present = of.maker.load(std::memory_order_relaxed);
    if (present != process &&
        of.maker.compare_exchange_strong(present, process, std::memory_order_relaxed)) {
      make(of, process, spec);
    }
    constexpr long kNap = 50;  // microseconds
    for (int naps = 0; of.process.load(std::memory_order_acquire) != process; ++naps) {
      if (naps == 20000) {
        return {};
      }
      support::nap(kNap);
    }
  }
  return of.file;
}

// Frees the records of threads that have ended.
bool sweep(const File& file, pid_t process) {
  bool has_freed = false;
  for (unsigned i = 0; i < file.records; ++i) {
    SharedWord& thread = file.words[record_at(i) + kThread];
    Word word = thread.load(std::memory_order_relaxed);
    const bool is_gone = word != 0 &&
                         support::system_call(SYS_tgkill, process, thread_of(word), 0) != 0 &&
                         errno == ESRCH;
    has_freed |= is_gone && thread.compare_exchange_strong(word, 0, std::memory_order_relaxed);
  }
  return has_freed;
}

SharedWord* find_free(const File& file, unsigned thread) {
  OfProcess& of = g_of_process;
  const unsigned first = of.next.load(std::memory_order_relaxed);
  for (unsigned i = 0; i < file.records; ++i) {
    const unsigned number = (first + i) % file.records;
    SharedWord* const record = file.words + record_at(number);
    Word free = record[kThread].load(std::memory_order_relaxed);
    if (free == 0 && record[kThread].compare_exchange_strong(free, thread_word(thread, 0, 0),
                                                             std::memory_order_relaxed)) {
      of.next.store((number + 1) % file.records, std::memory_order_relaxed);
      return record;
    }
  }
  return nullptr;
}

// At most once a second, looks for threads that have ended, and takes the record of one of them.
[[gnu::noinline]] SharedWord* find_left(const File& file, const OfThread& self) {
  OfProcess& of = g_of_process;
  const long now = support::milliseconds_now();
  if (now - of.full_at.load(std::memory_order_relaxed) < 1000) {
    return nullptr;
  }
  of.full_at.store(sweep(file, self.process) ? 0 : now, std::memory_order_relaxed);
  return find_free(file, self.number);
}

// Returns null if no record is free.
SharedWord* claim(const File& file, OfThread& self) {
  SharedWord* record = find_free(file, self.number);
  if (record == nullptr) {
    record = find_left(file, self);
  }
  if (record == nullptr && !self.is_counted) {
    self.is_counted = true;
    file.words[kNotShown].fetch_add(1, std::memory_order_relaxed);
  }
  return record;
}

// Writes the mask from its first word that is not 0. Returns whether all processors fit.
bool put_mask(const mask::CpuMask& mask, Word* record) {
  static_assert(mask::kWordBits == 8 * sizeof(Word));
  const std::size_t words = mask.bytes / sizeof(Word);
  std::size_t first = 0;
  while (first < words && mask.bits[first] == 0) {
    ++first;
  }
  bool is_whole = true;
  for (std::size_t i = first; i < words; ++i) {
    if (i < first + kMaskWords) {
      record[kMask + i - first] = mask.bits[i];
    } else {
      is_whole = is_whole && mask.bits[i] == 0;
    }
  }
  record[kSlot] |= Word{first} << 32;
  return is_whole;
}

void fill(const SlotTaken& slot_taken, unsigned thread, Word (&record)[kRecordWords]) {
  const PlannedPlace& planned = *slot_taken.planned;
  record[kSlot] = static_cast<std::uint32_t>(planned.slot);
  const bool is_whole = put_mask(planned.mask, record) && slot_taken.level <= kMostPath;
  for (int i = 0; i < std::min(slot_taken.level, kMostPath); ++i) {
    record[kPath + i / 2] |= Word{static_cast<std::uint32_t>(slot_taken.path[i])} << (i % 2 * 32);
  }
  const unsigned flags = (slot_taken.is_bound ? kIsBound : 0U) | (planned.pinned ? kIsPinned : 0U) |
                         (is_whole ? 0U : kIsCut) |
                         kRoot * std::min(static_cast<unsigned>(slot_taken.root + 1), kMostRoots);
  record[kThread] = thread_word(thread, flags, static_cast<unsigned>(slot_taken.level));
}

// The C library would read the processor's time stamp counter. A program can forbid this by
// PR_SET_TSC.
Word nanoseconds_since_boot() {
  timespec now{};
  support::system_call(SYS_clock_gettime, CLOCK_BOOTTIME, &now);
  return static_cast<Word>(now.tv_sec) * 1000000000 + static_cast<Word>(now.tv_nsec);
}

void write(Word (&told)[kRecordWords], SharedWord* record) {
  bool is_same = true;
  for (unsigned i = 0; is_same && i < kRecordWords; ++i) {
    is_same = i == kChanges || i == kSince || record[i].load(std::memory_order_relaxed) == told[i];
  }
  if (is_same) {
    return;
  }
  told[kSince] = nanoseconds_since_boot();
  begin_change(record[kChanges]);
  for (unsigned i = kThread; i < kRecordWords; ++i) {
    record[i].store(told[i], std::memory_order_relaxed);
  }
  end_change(record[kChanges]);
}

// If another thread writes the text, this function does nothing. The next thread that gets a place
// calls this function again.
void tell_text(const File& file, const spec::Spec& spec) {
  OfProcess& of = g_of_process;
  SharedWord& changes = file.words[kTextChanges];
  Word before = changes.load(std::memory_order_relaxed);
  if (of.told.load(std::memory_order_relaxed) == &spec || (before & 1) != 0 ||
      !changes.compare_exchange_strong(before, before | 1, std::memory_order_relaxed)) {
    return;
  }
  begin_change(changes);
  Word words[kTextWords] = {};
  static_assert(sizeof words >= spec::kMaxText);
  spec::print(spec, reinterpret_cast<char*>(words), sizeof words);
  for (unsigned i = 0; i < kTextWords; ++i) {
    file.words[kText + i].store(words[i], std::memory_order_relaxed);
  }
  of.told.store(&spec, std::memory_order_relaxed);
  end_change(changes);
}

// Threads write the same words at the same time.
void tell_process(const File& file) {
  const process::TreePart tree = process::tree_part();
  const auto of = static_cast<std::uint32_t>(tree.of > 1 ? tree.of : 0);
  file.words[kTree].store(of == 0 ? 0 : Word{of} << 32 | static_cast<std::uint32_t>(tree.index),
                          std::memory_order_relaxed);
  const process::MaskSetter* const setter = process::narrowed_by();
  if (setter != nullptr) {
    Word words[kMaskSetByWords];
    static_assert(sizeof words == sizeof setter->who);
    memcpy(words, setter->who, sizeof words);
    for (unsigned i = 0; i < kMaskSetByWords; ++i) {
      file.words[kMaskSetBy + i].store(words[i], std::memory_order_relaxed);
    }
  }
  file.words[kMaskSetAfter].store(setter == nullptr ? 0 : static_cast<Word>(setter->after) + 1,
                                  std::memory_order_release);
}

void publish(const SlotTaken& slot_taken, OfThread& self) {
  const File file = file_of(self.process, *slot_taken.spec);
  if (file.words == nullptr) {
    return;
  }
  if (self.record == nullptr) {
    self.number = static_cast<unsigned>(support::system_call(SYS_gettid));
    self.record = claim(file, self);
  }
  if (self.record != nullptr) {
    Word told[kRecordWords] = {};
    fill(slot_taken, self.number, told);
    write(told, self.record);
    tell_text(file, *slot_taken.spec);
    tell_process(file);
  }
}

void thread_took_slot(const SlotTaken& slot_taken) {
  const support::ErrnoKept errno_kept;
  OfThread& self = t_of_thread;
  if (self.is_writing) {
    return;
  }
  if (const pid_t process = getpid(); self.process != process) {
    self = {};
    self.process = process;
  }
  self.is_writing = true;
  if (slot_taken.planned != nullptr) {
    publish(slot_taken, self);
  } else if (self.record != nullptr) {
    self.record[kThread].store(0, std::memory_order_relaxed);
    self.record = nullptr;
    tell_process(g_of_process.file);
  }
  self.is_writing = false;
}

// The threads of the team around the region have places, so the file is there if one is wanted.
void refused(const observe::Refused& refused) {
  OfProcess& of = g_of_process;
  if (of.process.load(std::memory_order_acquire) == getpid() && of.file.words != nullptr) {
    of.file.words[kRefused].store(refused_word(refused.level, refused.asked, refused.allowed),
                                  std::memory_order_relaxed);
  }
}

}  // namespace

constinit observe::Observer g_publish{.slot_taken = thread_took_slot, .refused = refused};

}  // namespace nestbind::publish
