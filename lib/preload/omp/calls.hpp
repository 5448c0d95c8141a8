// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nestbind::omp {

// The functions of one OpenMP runtime. No function is null. The address of this record identifies
// the runtime, so the record never moves.
struct Calls {
  int (*get_thread_num)();
  int (*get_num_threads)();
  int (*get_max_threads)();
  int (*get_level)();
  int (*get_ancestor_thread_num)(int level);
  int (*get_team_size)(int level);
  int (*get_max_active_levels)();
  void (*set_num_threads)(int);
  void (*set_max_active_levels)(int);
  bool is_llvm = false;  // LLVM's or Intel's runtime
  // True for GCC's entries. They pass the region's function, and can change a team's size.
  bool tells_functions = false;
};

// Finds all functions by `address_of(name)`, which may return null. Returns false at the first
// missing function.
template <typename AddressOf>
bool find_calls(Calls& calls, AddressOf address_of) {
  const auto find = [&]<typename Function>(const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(address_of(name));
    return function != nullptr;
  };
  calls.is_llvm = address_of("__kmpc_fork_call") != nullptr;
  return find("omp_get_thread_num", calls.get_thread_num) &&
         find("omp_get_num_threads", calls.get_num_threads) &&
         find("omp_get_max_threads", calls.get_max_threads) &&
         find("omp_get_level", calls.get_level) &&
         find("omp_get_ancestor_thread_num", calls.get_ancestor_thread_num) &&
         find("omp_get_team_size", calls.get_team_size) &&
         find("omp_get_max_active_levels", calls.get_max_active_levels) &&
         find("omp_set_num_threads", calls.set_num_threads) &&
         find("omp_set_max_active_levels", calls.set_max_active_levels);
}

}  // namespace nestbind::omp
