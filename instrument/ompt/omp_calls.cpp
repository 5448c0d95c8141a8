// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/ompt/omp_calls.hpp"

#include <dlfcn.h>

#include "interpose/module.hpp"

namespace nestbind::ompt {

namespace {

bool find_in_module_of(const void* address, omp::Calls& calls) {
  // Never closed: the functions have to stay where they are.
  void* module = address == nullptr ? nullptr : interpose::open_module(address);
  return module != nullptr &&
         omp::find_calls(calls, [&](const char* name) { return dlsym(module, name); });
}

}  // namespace

bool find_omp_calls(Lookup lookup, omp::Calls& calls) {
  // A tool that was asked before us may have put its own lookup in front of the runtime's. It hands
  // on what has no data word.
  const auto inner = reinterpret_cast<const void*>(lookup("ompt_get_unique_id"));
  return find_in_module_of(inner, calls) ||
         find_in_module_of(reinterpret_cast<const void*>(lookup), calls);
}

}  // namespace nestbind::ompt
