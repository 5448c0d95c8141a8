// SPDX-License-Identifier: BSD-3-Clause
// Programs size arrays by omp_get_max_threads() before their first region, so we set the sizes
// before main. The constructor of a static libgomp runs after the constructors of all libraries. So
// we set the sizes when the C library calls main.
#include "instrument/pomp-library/next.hpp"
#include "instrument/pomp/hooks.hpp"

extern "C" {
// These functions are weak, because a program may have no runtime. A program with a static runtime
// exports them.
__attribute__((weak)) int omp_get_thread_num(void);
__attribute__((weak)) int omp_get_num_threads(void);
__attribute__((weak)) int omp_get_level(void);
__attribute__((weak)) int omp_get_ancestor_thread_num(int);
__attribute__((weak)) int omp_get_team_size(int);
int omp_get_max_threads(void);
int omp_get_max_active_levels(void);
void omp_set_num_threads(int);
void omp_set_max_active_levels(int);
#pragma weak nestbind_pomp_runtime
#pragma weak nestbind_pomp_start
}

namespace {

using Main = int(int, char**, char**);

constinit Main* g_main = nullptr;

int start_and_main(int count, char** arguments, char** environment) {
  if (nestbind_pomp_start != nullptr && omp_get_thread_num != nullptr) {
    nestbind_pomp_start();
  }
  return g_main(count, arguments, environment);
}

// Never called. These references are not weak. So the linker links the functions of libgomp.a. A
// missing function does no harm, because the loader binds a call only when the call is made.
__attribute__((used)) void take_from_archive() {
  omp_set_num_threads(omp_get_max_threads());
  omp_set_max_active_levels(omp_get_max_active_levels());
}

// Never called. Each program with a parallel region and libgomp.a has these functions. The linker
// exports them from the program because this function refers to them.
__attribute__((used)) int export_from_program() {
  return omp_get_num_threads() + omp_get_level() + omp_get_ancestor_thread_num(0) +
         omp_get_team_size(0);
}

__attribute__((constructor)) void name_the_runtime() {
  if (nestbind_pomp_runtime != nullptr && omp_get_thread_num != nullptr) {
    nestbind_pomp_runtime(omp_get_thread_num);
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming,bugprone-reserved-identifier): the C library's name
NESTBIND_INTERPOSE int __libc_start_main(Main* main, int count, char** arguments, void (*init)(),
                                         void (*fini)(), void (*loader_fini)(), void* stack_end) {
  using StartMain = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);
  auto* next = nestbind::pomp::next_function<"__libc_start_main", StartMain>();
  g_main = main;
  return next(start_and_main, count, arguments, init, fini, loader_fini, stack_end);
}
