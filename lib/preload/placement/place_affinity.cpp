// SPDX-License-Identifier: BSD-3-Clause
#include "placement/place_affinity.hpp"

#include <stdlib.h>

#include "binding/kernel_mask.hpp"
#include "binding/thread.hpp"
#include "omp/runtime_affinity.hpp"
#include "placement/outside.hpp"
#include "support/allocate.hpp"

namespace nestbind::placement {

namespace {

struct Found {
  const unsigned long* bits;
  const omp::Calls* runtime;
  int place;
};
constinit thread_local Found t_found __attribute__((tls_model("initial-exec"))) = {};

bool has_all(const omp::AffinityCalls& calls, int place, const mask::CpuMask& mask, int wanted) {
  const int count = calls.get_place_num_procs(place);
  if (count < wanted) {
    return false;
  }
  int* processors = support::allocate<int>(static_cast<std::size_t>(count));
  if (processors == nullptr) {
    return false;
  }
  calls.get_place_proc_ids(place, processors);
  int found = 0;
  for (int i = 0; i < count; ++i) {
    found += mask::has(mask, processors[i]) ? 1 : 0;
  }
  free(processors);
  return found == wanted;
}

int find_place(const omp::AffinityCalls& calls, const mask::CpuMask& mask) {
  if (calls.get_num_places == nullptr || calls.get_place_num_procs == nullptr ||
      calls.get_place_proc_ids == nullptr) {
    return -1;
  }
  const int places = calls.get_num_places();
  const int wanted = places > 0 ? mask::count(mask) : 0;
  int place = 0;
  while (place < places && !has_all(calls, place, mask, wanted)) {
    ++place;
  }
  return place < places ? place : -1;
}

}  // namespace

bool affinity_format(const omp::Calls& runtime, const char* format, support::TextBuffer& text) {
  mask::MaskBuffer cpus;
  const omp::AffinityCalls& calls = omp::affinity_calls(runtime);
  const bool is_own = format == nullptr || format[0] == '\0';
  if (!binding::read_self(cpus) || (is_own && calls.get_format == nullptr)) {
    return false;
  }
  if (!is_own) {
    omp::add_format(format, cpus.view(), !calls.is_llvm, text);
    return true;
  }
  const std::size_t size = calls.get_format(nullptr, 0) + 1;
  char* own = support::allocate<char>(size);
  if (own == nullptr) {
    return false;
  }
  calls.get_format(own, size);
  omp::add_format(own, cpus.view(), !calls.is_llvm, text);
  free(own);
  return true;
}

int affinity_place(const omp::Calls& runtime) {
  const mask::CpuMask bound = binding::bound_mask();
  const omp::AffinityCalls& calls = omp::affinity_calls(runtime);
  if (bound.bits == nullptr) {
    mask::MaskBuffer cpus;
    return binding::read_self(cpus) ? find_place(calls, cpus.view()) : -1;
  }
  Found& found = t_found;
  if (found.bits != bound.bits || found.runtime != &runtime) {
    found = {bound.bits, &runtime, find_place(calls, bound)};
  }
  return found.place;
}

bool is_bound_member() { return binding::bound_mask().bits != nullptr && !is_outside_regions(); }

}  // namespace nestbind::placement
