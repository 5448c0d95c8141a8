// SPDX-License-Identifier: BSD-3-Clause
// OMPT has one data word for each region, but both tools use a word. So the data word is the
// address of our record. The record contains a word for the second tool.
#include <cstring>

#include "instrument/ompt/ompt_runtimes.hpp"
#include "instrument/ompt/region_records.hpp"
#include "instrument/ompt/tool_parts.hpp"
#include "sizes/fork_sizes.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::ompt {

namespace {

template <typename F>
F second(int runtime, Event event) {
  return reinterpret_cast<F>(g_runtimes[runtime].second[event]);
}

Data* word_in(Data* region) { return region != nullptr ? second_word(record_in(region)) : nullptr; }

// When a region or task begins, our function runs before the second tool's function. When a region
// or task ends, our function runs last.

Record* fork_region(int r, Data* region, bool league, unsigned size, const void* code) {
  const support::ErrnoKept errno_kept;
  const omp::Calls& calls = g_runtimes[r].calls;
  Record* record = fork_record(region);
  if (league) {
    team::league_begin(calls);
  } else if (record != nullptr) {
    record->team = team::is_followed() ? team::fork_begin(calls, code, size) : nullptr;
  }
  return record;
}

void begin_task(int r, Data* region, unsigned size, unsigned number) {
  const support::ErrnoKept errno_kept;
  const Record* record = record_in(region);
  team::Team* team = record != nullptr ? record->team : nullptr;
  enter_member(team);
  begin_member(g_runtimes[r].calls, team, static_cast<int>(number), static_cast<int>(size));
}

void end_task(unsigned number) {
  const support::ErrnoKept errno_kept;
  if (team::Team* team = leave_member()) {
    team::member_end(team, static_cast<int>(number));
  }
}

template <int R>
void stand_in_parallel_begin(Data* task, const Frame* frame, Data* region, unsigned requested,
                             int flags, const void* code) noexcept {
  Record* record = fork_region(R, region, is_league(frame, flags, code), requested, code);
  if (const auto next = second<ParallelBegin>(R, kParallelBegin)) {
    next(task, frame, second_word(record), requested, flags, code);
  }
}

template <int R>
void on_parallel_end(Data*, Data* task, int flags, const void* code) noexcept {
  Record* record = join_record();
  placement::region_is_over();
  if (const auto next = second<ParallelEnd>(R, kParallelEnd)) {
    next(second_word(record), task, flags, code);
  }
  release(record);
}

template <int R>
void stand_in_implicit_task(int endpoint, Data* region, Data* task, unsigned size, unsigned number,
                            int flags) noexcept {
  const bool member = (flags & kTaskInitial) == 0;
  if (!member) {
    initial_task(g_runtimes[R].calls, endpoint, static_cast<int>(number));
  } else if (endpoint == kScopeBegin) {
    begin_task(R, region, size, number);
  }
  if (const auto next = second<ImplicitTask>(R, kImplicitTask)) {
    next(endpoint, word_in(region), task, size, number, flags);
  }
  if (member && endpoint == kScopeEnd) {
    end_task(number);
  }
}

template <int R, Event E, typename... More>
void on_scope(int kind, int endpoint, Data* region, Data* task, More... more) noexcept {
  second<Scope<More...>>(R, E)(kind, endpoint, word_in(region), task, more...);
}

template <int R>
void on_masked(int endpoint, Data* region, Data* task, const void* code) noexcept {
  second<Masked>(R, kMasked)(endpoint, word_in(region), task, code);
}

template <int R>
void on_dispatch(Data* region, Data* task, int kind, Data instance) noexcept {
  second<Dispatch>(R, kDispatch)(word_in(region), task, kind, instance);
}

bool concerns_us(int event) {
  return event == kParallelBegin || event == kParallelEnd || event == kImplicitTask;
}

template <typename F>
Function as_function(F* function) {
  return reinterpret_cast<Function>(function);
}

template <int R>
Function stand_in(int event) {
  return event == kParallelBegin    ? as_function(stand_in_parallel_begin<R>)
         : event == kParallelEnd    ? as_function(on_parallel_end<R>)
         : event == kImplicitTask   ? as_function(stand_in_implicit_task<R>)
         : event == kWork           ? as_function(on_scope<R, kWork, std::uint64_t, const void*>)
         : event == kMasked         ? as_function(on_masked<R>)
         : event == kSyncRegion     ? as_function(on_scope<R, kSyncRegion, const void*>)
         : event == kSyncRegionWait ? as_function(on_scope<R, kSyncRegionWait, const void*>)
         : event == kReduction      ? as_function(on_scope<R, kReduction, const void*>)
         : event == kDispatch       ? as_function(on_dispatch<R>)
                                    : nullptr;
}

// The second tool's lookup returns the following functions instead of the runtime's.

template <int R>
int set_callback(int event, Function callback) noexcept {
  Runtime& self = g_runtimes[R];
  if (event <= 0 || event >= kEvents) {
    return self.set_callback(event, callback);
  }
  const Function ours = stand_in<R>(event);
  // Our callback stays registered. It checks whether the second tool has a callback.
  if (callback == nullptr && concerns_us(event)) {
    self.second[event] = nullptr;
    return kSetAlways;
  }
  if (callback != nullptr) {
    self.second[event] = callback;
    return self.set_callback(event, ours != nullptr ? ours : callback);
  }
  // self.second is not cleared, because a thread may be about to call the function.
  return self.set_callback(event, nullptr);
}

template <typename F>
F inner(int runtime, const char* name) {
  return reinterpret_cast<F>(g_runtimes[runtime].lookup(name));
}

template <int R>
int get_callback(int event, Function* callback) noexcept {
  const int found = inner<GetCallback>(R, "ompt_get_callback")(event, callback);
  if (found == 0 || stand_in<R>(event) == nullptr) {
    return found;
  }
  *callback = g_runtimes[R].second[event];
  return *callback != nullptr ? found : 0;
}

// Puts the second tool's data word in place of the runtime's data word.
int with_second_word(int found, Data** region) {
  if (found != 0 && region != nullptr) {
    *region = word_in(*region);
  }
  return found;
}

template <int R>
int get_parallel_info(int level, Data** region, int* size) noexcept {
  const auto ask = inner<GetParallelInfo>(R, "ompt_get_parallel_info");
  return with_second_word(ask(level, region, size), region);
}

template <int R>
int get_task_info(int level, int* flags, Data** task, Frame** frame, Data** region,
                  int* number) noexcept {
  const auto ask = inner<GetTaskInfo>(R, "ompt_get_task_info");
  return with_second_word(ask(level, flags, task, frame, region, number), region);
}

template <int R>
Function lookup(const char* name) noexcept {
  const Function inner = g_runtimes[R].lookup(name);
  const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
  return inner == nullptr               ? nullptr
         : is("ompt_set_callback")      ? as_function(set_callback<R>)
         : is("ompt_get_callback")      ? as_function(get_callback<R>)
         : is("ompt_get_parallel_info") ? as_function(get_parallel_info<R>)
         : is("ompt_get_task_info")     ? as_function(get_task_info<R>)
                                        : inner;
}

constexpr auto kLookups = make_table([](auto r) -> Lookup { return lookup<r>; });
constexpr auto kStandIns = make_table([](auto r) -> Function (*)(int) { return stand_in<r>; });

}  // namespace

bool start_second(int runtime, int device) {
  Runtime& self = g_runtimes[runtime];
  for (const Event event : {kParallelBegin, kParallelEnd, kImplicitTask}) {
    warn_if_refused(event, self.set_callback(event, kStandIns[runtime](event)));
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
