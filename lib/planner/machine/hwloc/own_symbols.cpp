// SPDX-License-Identifier: BSD-3-Clause
// libnestbind-topology.so is loaded with RTLD_DEEPBIND. So the hwloc in this library calls the
// functions of this file.
#include <dlfcn.h>
#include <malloc.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#define NESTBIND_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

// A program may have its own allocator, and the C library's strdup allocates with it. So hwloc must
// free memory with the same allocator.
template <typename Function>
Function* of_program(const char* name) {
  static void* const program = dlopen(nullptr, RTLD_LAZY);
  return reinterpret_cast<Function*>(dlsym(program, name));
}

}  // namespace

NESTBIND_EXPORT void* malloc(size_t size) noexcept {
  static auto* const function = of_program<void*(size_t)>("malloc");
  return function(size);
}

NESTBIND_EXPORT void* calloc(size_t count, size_t size) noexcept {
  static auto* const function = of_program<void*(size_t, size_t)>("calloc");
  return function(count, size);
}

NESTBIND_EXPORT void* realloc(void* memory, size_t size) noexcept {
  static auto* const function = of_program<void*(void*, size_t)>("realloc");
  return function(memory, size);
}

NESTBIND_EXPORT void free(void* memory) noexcept {
  static auto* const function = of_program<void(void*)>("free");
  function(memory);
}

NESTBIND_EXPORT int posix_memalign(void** memory, size_t alignment, size_t size) noexcept {
  static auto* const function = of_program<int(void**, size_t, size_t)>("posix_memalign");
  return function(memory, alignment, size);
}

NESTBIND_EXPORT void* aligned_alloc(size_t alignment, size_t size) noexcept {
  static auto* const function = of_program<void*(size_t, size_t)>("aligned_alloc");
  return function(alignment, size);
}

NESTBIND_EXPORT void* memalign(size_t alignment, size_t size) noexcept {
  static auto* const function = of_program<void*(size_t, size_t)>("memalign");
  return function(alignment, size);
}

// Keeps hwloc from opening plugins, which takes longer than reading the machine. Hides all other
// variables of hwloc, because they may name another machine.
NESTBIND_EXPORT char* getenv(const char* name) noexcept {
  static char no_plugins[] = "/nonexistent";
  static char hide_errors[] = "2";
  if (std::strncmp(name, "HWLOC_", 6) == 0) {
    if (std::strcmp(name, "HWLOC_PLUGINS_PATH") == 0) {
      return no_plugins;
    }
    return std::strcmp(name, "HWLOC_HIDE_ERRORS") == 0 ? hide_errors : nullptr;
  }
  return secure_getenv(name);
}

namespace {

// Looks up all functions while this library is loaded. Later a thread may hold the loader's lock
// while it waits for a worker. So the worker must not wait for this lock.
__attribute__((constructor)) void look_up() {
  free(realloc(malloc(1), 2));
  free(calloc(1, 1));
  free(aligned_alloc(sizeof(void*), sizeof(void*)));
  free(memalign(sizeof(void*), sizeof(void*)));
  void* memory = nullptr;
  if (posix_memalign(&memory, sizeof(void*), sizeof(void*)) == 0) {
    free(memory);
  }
}

}  // namespace
