// SPDX-License-Identifier: BSD-3-Clause
// The barriers of a team, the end of a loop among them: what its members agree on may change only
// behind one. Those inside of other calls of the runtime, of a reduction for example, need not be
// known: they are not, to any member.
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
  // Behind a cancelled loop GCC's code may call the runtime for one of its own, or for sections:
  // that comes to us from inside of the runtime, and only where iterations are taken.
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
