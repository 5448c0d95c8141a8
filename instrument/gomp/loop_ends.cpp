// SPDX-License-Identifier: BSD-3-Clause
// The end of a member's loop, and the barriers of its team. The runtime does not know a loop that
// we share. So at the loop's end we call only the runtime's barrier, not the function that ends a
// loop.
#include <type_traits>

#include "instrument/gomp/forked_loop.hpp"
#include "instrument/gomp/gomp_straight.hpp"
#include "interpose/next_function.hpp"

namespace nestbind::gomp {

namespace {

constexpr int kEnd = loop_entry_of("GOMP_loop_end");
constexpr int kEndNowait = loop_entry_of("GOMP_loop_end_nowait");
constexpr int kEndCancel = loop_entry_of("GOMP_loop_end_cancel");
constexpr int kBarrier = loop_entry_of("GOMP_barrier");
constexpr int kBarrierCancel = loop_entry_of("GOMP_barrier_cancel");

template <typename Result>
Result call(const Runtime* runtime, int entry) {
  return runtime != nullptr && runtime->loop[entry] != nullptr
             ? reinterpret_cast<Result (*)()>(runtime->loop[entry])()
             : Result();
}

const Runtime* runtime_of_end(int entry, const void* caller) {
  const Runtime* runtime = runtime_of_call(entry, caller, t_loop.runtime);
  t_loop.runtime = nullptr;
  return runtime;
}

template <typename Result>
Result pass(const Runtime* runtime, int entry) {
  if (runtime == nullptr) {
    return Result();
  }
  if constexpr (std::is_void_v<Result>) {
    call<void>(runtime, entry);
    worksharing::pass_barrier(runtime->calls);
  } else {
    const Result result = call<Result>(runtime, entry);
    worksharing::pass_barrier(runtime->calls);
    return result;
  }
}

template <typename Result>
[[gnu::noinline]] Result end_apart(int entry, int barrier, const void* caller) {
  const Runtime* runtime = runtime_of_end(entry, caller);
  return pass<Result>(runtime, worksharing::end() ? barrier : entry);
}

[[gnu::noinline]] void end_nowait_apart(const void* caller) {
  const Runtime* runtime = runtime_of_end(kEndNowait, caller);
  if (!worksharing::end()) {
    call<void>(runtime, kEndNowait);
  }
}

template <typename Result>
[[gnu::noinline]] Result barrier_apart(int entry, const void* caller) {
  return pass<Result>(runtime_of_call(entry, caller), entry);
}

}  // namespace

}  // namespace nestbind::gomp

using namespace nestbind::gomp;

NESTBIND_INTERPOSE void GOMP_loop_end() {
  if (auto* next = straight<void()>(kEnd)) {
    next();
    return;
  }
  end_apart<void>(kEnd, kBarrier, __builtin_return_address(0));
}

NESTBIND_INTERPOSE bool GOMP_loop_end_cancel() {
  if (auto* next = straight<bool()>(kEndCancel)) {
    return next();
  }
  return end_apart<bool>(kEndCancel, kBarrierCancel, __builtin_return_address(0));
}

NESTBIND_INTERPOSE void GOMP_loop_end_nowait() {
  if (auto* next = straight<void()>(kEndNowait)) {
    next();
    return;
  }
  end_nowait_apart(__builtin_return_address(0));
}

NESTBIND_INTERPOSE void GOMP_barrier() {
  if (auto* next = straight<void()>(kBarrier)) {
    next();
    return;
  }
  barrier_apart<void>(kBarrier, __builtin_return_address(0));
}

NESTBIND_INTERPOSE bool GOMP_barrier_cancel() {
  if (auto* next = straight<bool()>(kBarrierCancel)) {
    return next();
  }
  return barrier_apart<bool>(kBarrierCancel, __builtin_return_address(0));
}
