// SPDX-License-Identifier: BSD-3-Clause
// The program's first code calls the C library's __libc_start_main, by a word of its own that the
// loader has filled in.
#include "interpose/program_start.hpp"

#include <dlfcn.h>
#include <string.h>
#include <sys/auxv.h>

#include <iterator>

#include "interpose/bound_words.hpp"

namespace nestbind::interpose {

namespace {

constexpr char kStart[] = "__libc_start_main";
using Main = int(int, char**, char**);
using Start = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);

using Function = void();
constinit Function* g_functions[4] = {};
constinit Start* g_next = nullptr;

int start_program(Main* main, int count, char** arguments, void (*begin)(), void (*end)(),
                  void (*end_of_loader)(), void* stack_end) {
  for (auto* function : g_functions) {
    if (function != nullptr) {
      function();
    }
  }
  return g_next(main, count, arguments, begin, end, end_of_loader, stack_end);
}

int stand_before_start(dl_phdr_info* info, size_t, void*) {
  if (!range_of(*info).has(getauxval(AT_ENTRY))) {
    return 0;
  }
  rebind_words(*info, read_dynamic(*info), [](const char* name, void*) -> void* {
    return strcmp(name, kStart) == 0 ? reinterpret_cast<void*>(&start_program) : nullptr;
  });
  return 1;
}

}  // namespace

void at_program_start(void (*function)()) {
  if (g_next == nullptr) {
    g_next = reinterpret_cast<Start*>(dlsym(RTLD_DEFAULT, kStart));
    if (g_next == nullptr) {
      return;
    }
    dl_iterate_phdr(stand_before_start, nullptr);
  }
  for (auto*& place : g_functions) {
    if (place == nullptr) {
      place = function;
      return;
    }
  }
}

}  // namespace nestbind::interpose
