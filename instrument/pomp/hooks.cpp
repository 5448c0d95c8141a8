// SPDX-License-Identifier: BSD-3-Clause
// Hooks for OPARI 1's own shared library. As in the paper, pomp_parallel_begin binds threads.
#include "instrument/pomp/hooks.hpp"

#include "interpose/next_function.hpp"

struct ompregdescr;

namespace nestbind::pomp {

namespace {

// The next library's Fortran entry calls the C entry, and this call reaches our hook again.
constinit thread_local bool t_handing_on __attribute__((tls_model("initial-exec"))) = false;

// Searches only at the first call, because most programs have no such library.
void hand_on(interpose::NextFunction& next, auto* region) {
  auto* function = reinterpret_cast<void (*)(decltype(region))>(next.get_if_any());
  const bool before = t_handing_on;
  t_handing_on = true;
  if (function != nullptr) {
    function(region);
  }
  t_handing_on = before;
}

void fork(interpose::NextFunction& next, auto* region) {
  if (!t_handing_on) {
    nestbind_pomp_fork();
  }
  hand_on(next, region);
}

void begin(interpose::NextFunction& next, auto* region) {
  if (!t_handing_on) {
    nestbind_pomp_begin(kNoWord);
  }
  hand_on(next, region);
}

void end(interpose::NextFunction& next, auto* region) {
  hand_on(next, region);
  if (!t_handing_on) {
    nestbind_pomp_end(kNoWord);
  }
}

}  // namespace

}  // namespace nestbind::pomp

using namespace nestbind::pomp;

#define NESTBIND_POMP(name, what)                                      \
  NESTBIND_INTERPOSE void name(ompregdescr* region) {                  \
    static constinit nestbind::interpose::NextFunction next{__func__}; \
    what(next, region);                                                \
  }                                                                    \
  NESTBIND_INTERPOSE void name##_(int* region) {                       \
    static constinit nestbind::interpose::NextFunction next{__func__}; \
    what(next, region);                                                \
  }

NESTBIND_POMP(pomp_parallel_fork, fork)
NESTBIND_POMP(pomp_parallel_begin, begin)
NESTBIND_POMP(pomp_parallel_end, end)
