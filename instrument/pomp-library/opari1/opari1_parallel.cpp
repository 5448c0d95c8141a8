// SPDX-License-Identifier: BSD-3-Clause
// The begin and end of a parallel region, and the region that the calling thread is in.
#include <nestbind/region.h>

#include "instrument/pomp-library/next.hpp"
#include "instrument/pomp-library/open_regions.hpp"

// The same structure as in pomp_lib.h.
struct ompregdescr {
  char* name;
  char* sub_name;
  int num_sections;
  char* file_name;
  int begin_first_line;
  int begin_last_line;
  int end_first_line;
  int end_last_line;
  void* data;
  ompregdescr* next;
};

// Programs may read this variable. OPARI 1's library sets it while it records.
extern "C" __attribute__((visibility("default"))) int pomp_tracing;
int pomp_tracing = 0;

// `opari -table` generates the following two definitions.
extern "C" __attribute__((weak)) int POMP_MAX_ID;  // NOLINT(readability-identifier-naming)
extern "C" __attribute__((weak)) ompregdescr* pomp_rd_table[];

namespace nestbind::opari1 {

namespace {

struct Open {
  const ompregdescr* key;
};

constinit thread_local pomp_library::OpenRegions<Open> t_regions{};

const ompregdescr* region_of(int number) {
  const bool known =
      &POMP_MAX_ID != nullptr && pomp_rd_table != nullptr && number > 0 && number < POMP_MAX_ID;
  return known ? pomp_rd_table[number] : nullptr;
}

}  // namespace

}  // namespace nestbind::opari1

using namespace nestbind::opari1;
using nestbind::pomp::hand_on;

NESTBIND_INTERPOSE void pomp_parallel_begin(ompregdescr* region) {
  t_regions.enter({region});
  hand_on<"pomp_parallel_begin">(region);
}

NESTBIND_INTERPOSE void pomp_parallel_begin_(int* region) {
  t_regions.enter({region_of(*region)});
  hand_on<"pomp_parallel_begin_">(region);
}

NESTBIND_INTERPOSE void pomp_parallel_end(ompregdescr* region) {
  hand_on<"pomp_parallel_end">(region);
  t_regions.leave(region);
}

NESTBIND_INTERPOSE void pomp_parallel_end_(int* region) {
  hand_on<"pomp_parallel_end_">(region);
  t_regions.leave(region_of(*region));
}

NESTBIND_INTERPOSE int nestbind_get_region(nestbind_region* region) {
  if (region == nullptr) {
    return NESTBIND_BAD_ARGUMENT;
  }
  const Open* open = t_regions.innermost();
  if (open == nullptr || open->key == nullptr) {
    auto* next = nestbind::pomp::next_function<"nestbind_get_region", int(nestbind_region*)>();
    return next != nullptr ? next(region) : NESTBIND_NOT_PLACED;
  }
  *region = {open->key->file_name, open->key->begin_first_line, open->key->end_last_line};
  return NESTBIND_OK;
}
