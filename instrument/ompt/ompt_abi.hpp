// SPDX-License-Identifier: BSD-3-Clause
// The part of OMPT that we use (OpenMP 5.2, chapters 19 and 20). We declare it ourselves, because
// only Clang has omp-tools.h. The header's folder must not be on GCC's include path.
#pragma once

#include <cstdint>

namespace nestbind::ompt {

// ompt_data_t
union Data {
  std::uint64_t value;
  void* ptr;
};

// ompt_callbacks_t
using Event = int;
inline constexpr Event kParallelBegin = 3;
inline constexpr Event kParallelEnd = 4;
inline constexpr Event kImplicitTask = 7;
inline constexpr Event kSyncRegionWait = 16;
inline constexpr Event kWork = 20;
inline constexpr Event kMasked = 21;
inline constexpr Event kSyncRegion = 23;
inline constexpr Event kReduction = 31;
inline constexpr Event kDispatch = 32;
inline constexpr Event kEvents = 64;

inline constexpr int kScopeBegin = 1;  // ompt_scope_endpoint_t
inline constexpr int kScopeEnd = 2;
inline constexpr int kTaskInitial = 0x1;            // ompt_task_flag_t
inline constexpr int kParallelLeague = 0x40000000;  // ompt_parallel_flag_t
inline constexpr int kSetImpossible = 2;  // ompt_set_result_t; above 2, the event is reported
inline constexpr int kSetAlways = 5;

// ompt_frame_t
struct Frame {
  Data exit_frame;
  Data enter_frame;
  int exit_frame_flags;
  int enter_frame_flags;
};

using Function = void (*)();                        // ompt_interface_fn_t, ompt_callback_t
using Lookup = Function (*)(const char* name);      // ompt_function_lookup_t
using SetCallback = int (*)(int event, Function);   // ompt_set_callback_t
using GetCallback = int (*)(int event, Function*);  // ompt_get_callback_t
using GetParallelInfo = int (*)(int ancestor_level, Data** parallel_data, int* team_size);
using GetTaskInfo = int (*)(int ancestor_level, int* flags, Data** task_data, Frame** task_frame,
                            Data** parallel_data, int* thread_num);

// ompt_start_tool_result_t
struct StartToolResult {
  int (*initialize)(Lookup lookup, int initial_device_num, Data* tool_data);
  void (*finalize)(Data* tool_data);
  Data tool_data;
};
using StartTool = StartToolResult* (*)(unsigned omp_version, const char* runtime_version);

using ParallelBegin = void (*)(Data* encountering_task_data, const Frame* encountering_task_frame,
                               Data* parallel_data, unsigned requested_parallelism, int flags,
                               const void* codeptr_ra);
using ParallelEnd = void (*)(Data* parallel_data, Data* encountering_task_data, int flags,
                             const void* codeptr_ra);
using ImplicitTask = void (*)(int endpoint, Data* parallel_data, Data* task_data,
                              unsigned actual_parallelism, unsigned index, int flags);
template <typename... More>
using Scope = void (*)(int kind, int endpoint, Data* parallel_data, Data* task_data, More...);
using Masked = void (*)(int endpoint, Data* parallel_data, Data* task_data, const void* codeptr_ra);
using Dispatch = void (*)(Data* parallel_data, Data* task_data, int kind, Data instance);

}  // namespace nestbind::ompt
