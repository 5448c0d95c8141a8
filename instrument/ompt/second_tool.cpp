// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/ompt/second_tool.hpp"

#include <cstring>

#include "instrument/ompt/league.hpp"
#include "instrument/ompt/records.hpp"
#include "instrument/ompt/runtimes.hpp"
#include "placement/fork.hpp"
#include "process/armed.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::ompt {

namespace {

// The second tool's callback for an event; null where it has set none.
template <typename F>
F second(int runtime, Event event) {
  return reinterpret_cast<F>(g_runtimes[runtime].second[event]);
}

// The second tool's word for a region that is going on; null for a null word.
Data* word_in(Data* region) { return region != nullptr ? second_word(record_in(region)) : nullptr; }

// Our part of the three events that concern us. Ours is first at a beginning and last at an end.

Record* fork_region(int r, Data* region, bool league, const void* code) {
  const support::ErrnoKept errno_kept;
  Record* record = fork_record(region);
  if (league && process::armed()) {
    placement::league_begin(g_runtimes[r].calls);
  } else if (record != nullptr && process::armed()) {
    record->place = placement::fork_begin(g_runtimes[r].calls, code);
    record->told = true;
  }
  return record;
}

void begin_member(int r, Data* region, unsigned size, unsigned number) {
  const support::ErrnoKept errno_kept;
  const Record* record = record_in(region);
  const bool tell = record != nullptr && record->told;
  const placement::Place* place = tell ? record->place : nullptr;
  enter_member(place, tell);
  if (tell) {
    placement::member_begin(place, static_cast<int>(number), static_cast<int>(size),
                            g_runtimes[r].calls);
  }
}

void end_member(unsigned number) {
  const support::ErrnoKept errno_kept;
  const Left left = leave_member();
  if (left.told) {
    placement::member_end(left.place, static_cast<int>(number));
  }
}

template <int R>
void on_parallel_begin(Data* task, const Frame* frame, Data* region, unsigned requested, int flags,
                       const void* code) noexcept {
  Record* record = fork_region(R, region, is_league(frame, flags, code), code);
  if (const auto next = second<ParallelBegin>(R, kParallelBegin)) {
    next(task, frame, second_word(record), requested, flags, code);
  }
}

template <int R>
void on_parallel_end(Data*, Data* task, int flags, const void* code) noexcept {
  Record* record = join_record();
  if (const auto next = second<ParallelEnd>(R, kParallelEnd)) {
    next(second_word(record), task, flags, code);
  }
  release(record);
}

template <int R>
void on_implicit_task(int endpoint, Data* region, Data* task, unsigned size, unsigned number,
                      int flags) noexcept {
  const bool member = (flags & kTaskInitial) == 0;
  if (member && endpoint == kScopeBegin) {
    begin_member(R, region, size, number);
  }
  if (const auto next = second<ImplicitTask>(R, kImplicitTask)) {
    next(endpoint, word_in(region), task, size, number, flags);
  }
  if (member && endpoint == kScopeEnd) {
    end_member(number);
  }
}

// All other events with a region's word. They are registered only if the second tool wants them.

template <int R>
void on_work(int type, int endpoint, Data* region, Data* task, std::uint64_t count,
             const void* code) noexcept {
  second<Work>(R, kWork)(type, endpoint, word_in(region), task, count, code);
}

template <int R>
void on_masked(int endpoint, Data* region, Data* task, const void* code) noexcept {
  second<Masked>(R, kMasked)(endpoint, word_in(region), task, code);
}

template <int R, Event E>
void on_sync_region(int kind, int endpoint, Data* region, Data* task, const void* code) noexcept {
  second<SyncRegion>(R, E)(kind, endpoint, word_in(region), task, code);
}

template <int R>
void on_dispatch(Data* region, Data* task, int kind, Data instance) noexcept {
  second<Dispatch>(R, kDispatch)(word_in(region), task, kind, instance);
}

bool concerns_us(int event) {
  return event == kParallelBegin || event == kParallelEnd || event == kImplicitTask;
}

// What is registered with the runtime in place of the second tool's callback; null: that one
// itself.
template <int R>
Function stand_in(int event) {
  switch (event) {
    case kParallelBegin:
      return reinterpret_cast<Function>(on_parallel_begin<R>);
    case kParallelEnd:
      return reinterpret_cast<Function>(on_parallel_end<R>);
    case kImplicitTask:
      return reinterpret_cast<Function>(on_implicit_task<R>);
    case kWork:
      return reinterpret_cast<Function>(on_work<R>);
    case kMasked:
      return reinterpret_cast<Function>(on_masked<R>);
    case kSyncRegion:
      return reinterpret_cast<Function>(on_sync_region<R, kSyncRegion>);
    case kSyncRegionWait:
      return reinterpret_cast<Function>(on_sync_region<R, kSyncRegionWait>);
    case kReduction:
      return reinterpret_cast<Function>(on_sync_region<R, kReduction>);
    case kDispatch:
      return reinterpret_cast<Function>(on_dispatch<R>);
    default:
      return nullptr;
  }
}

// What the second tool gets from its lookup instead of the runtime's own.

template <int R>
int set_callback(int event, Function callback) noexcept {
  Runtime& self = g_runtimes[R];
  if (event <= 0 || event >= kEvents) {
    return self.set_callback(event, callback);
  }
  const Function ours = stand_in<R>(event);
  // Stays registered, and looks itself whether there is somebody to call.
  if (ours != nullptr && callback == nullptr && concerns_us(event)) {
    self.second[event] = nullptr;
    return kSetAlways;
  }
  if (callback != nullptr) {
    self.second[event] = callback;
    return self.set_callback(event, ours != nullptr ? ours : callback);
  }
  // self.second stays: a thread may be on its way to call it.
  return self.set_callback(event, nullptr);
}

template <int R>
int get_callback(int event, Function* callback) noexcept {
  Runtime& self = g_runtimes[R];
  const auto inner = reinterpret_cast<GetCallback>(self.lookup("ompt_get_callback"));
  const int found = inner(event, callback);
  if (found == 0 || stand_in<R>(event) == nullptr) {
    return found;
  }
  *callback = self.second[event];
  return *callback != nullptr ? found : 0;
}

template <int R>
int get_parallel_info(int level, Data** region, int* size) noexcept {
  const auto inner =
      reinterpret_cast<GetParallelInfo>(g_runtimes[R].lookup("ompt_get_parallel_info"));
  const int found = inner(level, region, size);
  if (found != 0 && region != nullptr) {
    *region = word_in(*region);
  }
  return found;
}

template <int R>
int get_task_info(int level, int* flags, Data** task, Frame** frame, Data** region,
                  int* number) noexcept {
  const auto inner = reinterpret_cast<GetTaskInfo>(g_runtimes[R].lookup("ompt_get_task_info"));
  const int found = inner(level, flags, task, frame, region, number);
  if (found != 0 && region != nullptr) {
    *region = word_in(*region);
  }
  return found;
}

template <int R>
Function lookup(const char* name) noexcept {
  const Function inner = g_runtimes[R].lookup(name);
  if (inner == nullptr) {
    return nullptr;
  }
  if (std::strcmp(name, "ompt_set_callback") == 0) {
    return reinterpret_cast<Function>(set_callback<R>);
  }
  if (std::strcmp(name, "ompt_get_callback") == 0) {
    return reinterpret_cast<Function>(get_callback<R>);
  }
  if (std::strcmp(name, "ompt_get_parallel_info") == 0) {
    return reinterpret_cast<Function>(get_parallel_info<R>);
  }
  if (std::strcmp(name, "ompt_get_task_info") == 0) {
    return reinterpret_cast<Function>(get_task_info<R>);
  }
  return inner;
}

constexpr auto kLookups = make_table([](auto r) -> Lookup { return lookup<r>; });
constexpr auto kStandIns = make_table([](auto r) -> Function (*)(int) { return stand_in<r>; });

}  // namespace

bool start_second(int runtime, int device) {
  Runtime& self = g_runtimes[runtime];
  for (const Event event : {kParallelBegin, kParallelEnd, kImplicitTask}) {
    self.set_callback(event, kStandIns[runtime](event));
  }
  if (self.next->initialize(kLookups[runtime], device, &self.next->tool_data) != 0) {
    return true;
  }
  for (int event = 1; event < kEvents; ++event) {
    if (concerns_us(event) || self.second[event] != nullptr) {
      self.set_callback(event, nullptr);
    }
  }
  return false;
}

}  // namespace nestbind::ompt
