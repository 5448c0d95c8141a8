// SPDX-License-Identifier: BSD-3-Clause
// Where a preloaded libnestbind stands before OPARI 1's own library, which is shared. The method is
// the paper's: binding at pomp_parallel_begin.
#include "instrument/pomp/hooks.hpp"

#include "instrument/pomp/next.hpp"

struct ompregdescr;

namespace nestbind::pomp {

namespace {

// A Fortran entry of the library behind calls its C entry, and so comes to us again.
constinit thread_local bool t_handing_on __attribute__((tls_model("initial-exec"))) = false;

template <Name kName, typename Region>
void hand_on_guarded(Region region) {
  const bool before = t_handing_on;
  t_handing_on = true;
  hand_on<kName>(region);
  t_handing_on = before;
}

template <Name kName, typename Region>
void fork(Region region) {
  if (!t_handing_on) {
    nestbind_pomp_fork();
  }
  hand_on_guarded<kName>(region);
}

template <Name kName, typename Region>
void begin(Region region) {
  if (!t_handing_on) {
    nestbind_pomp_begin(kNoWord);
  }
  hand_on_guarded<kName>(region);
}

template <Name kName, typename Region>
void end(Region region) {
  hand_on_guarded<kName>(region);
  if (!t_handing_on) {
    nestbind_pomp_end(kNoWord);
  }
}

}  // namespace

}  // namespace nestbind::pomp

using namespace nestbind::pomp;

NESTBIND_POMP void pomp_parallel_fork(ompregdescr* region) { fork<"pomp_parallel_fork">(region); }

NESTBIND_POMP void pomp_parallel_fork_(int* region) { fork<"pomp_parallel_fork_">(region); }

NESTBIND_POMP void pomp_parallel_begin(ompregdescr* region) {
  begin<"pomp_parallel_begin">(region);
}

NESTBIND_POMP void pomp_parallel_begin_(int* region) { begin<"pomp_parallel_begin_">(region); }

NESTBIND_POMP void pomp_parallel_end(ompregdescr* region) { end<"pomp_parallel_end">(region); }

NESTBIND_POMP void pomp_parallel_end_(int* region) { end<"pomp_parallel_end_">(region); }
