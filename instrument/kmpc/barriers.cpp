// SPDX-License-Identifier: BSD-3-Clause
// Counts a team's barriers, also those at ends of loops. Decisions that all members share may
// change only after a barrier. Barriers inside other calls, such as a reduction, need not be
// counted, because members cannot see them.
#include <cstdint>

#include "instrument/kmpc/kmpc_straight.hpp"
#include "interpose/next_function.hpp"
#include "worksharing/loop.hpp"

namespace nestbind::kmpc {

struct Ident;

namespace {

template <typename Result>
[[gnu::noinline]] Result pass(int entry, const void* caller, const Ident* ident,
                              std::int32_t thread) {
  const Runtime* runtime = runtime_of_call(entry, caller);
  if (runtime == nullptr) {
    return Result();
  }
  // A cancelled loop must end here. Our hooks do not see how GCC's ordered loops and sections
  // begin.
  worksharing::come_to_barrier(runtime->calls);
  struct Passed {
    const Runtime& runtime;
    ~Passed() { worksharing::pass_barrier(runtime.calls); }
  };
  const Passed passed{*runtime};
  return function_of<Result(const Ident*, std::int32_t)>(*runtime, entry)(ident, thread);
}

}  // namespace

}  // namespace nestbind::kmpc

using namespace nestbind::kmpc;

// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): the runtime's names
NESTBIND_INTERPOSE void __kmpc_barrier(const Ident* ident, std::int32_t thread) {
  constexpr int kEntry = entry_of("__kmpc_barrier");
  if (auto* function = straight<void(const Ident*, std::int32_t)>(kEntry)) {
    function(ident, thread);
    return;
  }
  pass<void>(kEntry, __builtin_return_address(0), ident, thread);
}

NESTBIND_INTERPOSE std::int32_t __kmpc_cancel_barrier(const Ident* ident, std::int32_t thread) {
  constexpr int kEntry = entry_of("__kmpc_cancel_barrier");
  if (auto* function = straight<std::int32_t(const Ident*, std::int32_t)>(kEntry)) {
    return function(ident, thread);
  }
  return pass<std::int32_t>(kEntry, __builtin_return_address(0), ident, thread);
}
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)
