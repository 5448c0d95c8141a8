// SPDX-License-Identifier: BSD-3-Clause
// Hooks for calls that make the runtime release its threads. The hooks also end kept workers.
#include <dlfcn.h>
#include <stdint.h>

#include "instrument/gomp/gomp_runtime.hpp"
#include "interpose/module.hpp"
#include "interpose/next_function.hpp"
#include "workers/ending.hpp"

using namespace nestbind;
using namespace nestbind::gomp;

namespace {

template <typename Function>
Function* next_pause(interpose::NextFunction& next, const char* name, const void* caller) {
  void* found = next.known();
  const Runtime* runtime = found != nullptr ? nullptr : runtime_of(caller);
  if (runtime != nullptr) {
    void* library = interpose::open_module(reinterpret_cast<void*>(runtime->calls.get_level));
    if (library != nullptr) {
      found = dlsym(library, name);
      interpose::close_module(library);
    }
  }
  return reinterpret_cast<Function*>(found);
}

// Calls the runtime's function, which ends only the runtime's threads.
template <typename Function, typename... Arguments>
int32_t pause(Function* next, Arguments... arguments) {
  if (next == nullptr) {
    return -1;
  }
  workers::end_idle();
  const int32_t result = next(arguments...);
  workers::end_idle();
  return result;
}

}  // namespace

NESTBIND_INTERPOSE int32_t omp_pause_resource(int kind, int device) {
  return pause(next_pause<int(int, int)>(NESTBIND_NEXT_RECORD(omp_pause_resource), __func__,
                                         __builtin_return_address(0)),
               kind, device);
}

NESTBIND_INTERPOSE int32_t omp_pause_resource_(const int32_t* kind, const int32_t* device) {
  return pause(
      next_pause<int32_t(const int32_t*, const int32_t*)>(NESTBIND_NEXT_RECORD(omp_pause_resource_),
                                                          __func__, __builtin_return_address(0)),
      kind, device);
}

NESTBIND_INTERPOSE int32_t omp_pause_resource_all(int kind) {
  return pause(next_pause<int(int)>(NESTBIND_NEXT_RECORD(omp_pause_resource_all), __func__,
                                    __builtin_return_address(0)),
               kind);
}

NESTBIND_INTERPOSE int32_t omp_pause_resource_all_(const int32_t* kind) {
  return pause(next_pause<int32_t(const int32_t*)>(NESTBIND_NEXT_RECORD(omp_pause_resource_all_),
                                                   __func__, __builtin_return_address(0)),
               kind);
}
