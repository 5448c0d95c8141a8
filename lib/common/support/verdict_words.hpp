// SPDX-License-Identifier: BSD-3-Clause
// Why threads are not bound, or not as specified.
#pragma once

#include <strings.h>

namespace nestbind::support {

// These texts follow the name of a program.
inline constexpr char kForeign[] = "is built for another architecture than nestbind";
inline constexpr char kStatic[] = "is linked statically, so it loads no other library";
inline constexpr char kMusl[] = "is built for musl, and nestbind needs glibc";
inline constexpr char kContainsRuntime[] =
    "contains GCC's OpenMP runtime (libgomp.a), so nestbind cannot see its forks";
inline constexpr char kStartsNoTool[] =
    "is on LLVM's or Intel's OpenMP runtime, which starts no tool (OMP_TOOL=disabled, or a word "
    "that it does not know)";
// Reads OMP_TOOL as these runtimes do. value: null if it is not set.
inline bool starts_tools(const char* value) {
  return value == nullptr || value[0] == '\0' || strcasecmp(value, "enabled") == 0;
}
inline constexpr char kNoToolInterface[] =
    "is on an OpenMP runtime that was built without tool interface";
inline constexpr char kNoRuntime[] = "has no OpenMP runtime, and loads none";

inline constexpr char kLoadFirst[] =
    "link the program itself with nestbind, before the OpenMP runtime, or start it by nestbind run";
inline constexpr char kBlankInPath[] =
    "the loader cannot preload a library if its path has a blank or a colon";
inline constexpr char kNothingBound[] = "no thread is bound, and team sizes are the program's own";
// Format: %d, the plural's "s", %d, %d.
inline constexpr char kNestingIsOff[] =
    "the runtime allows %d active level%s. To allow more, name %d levels in the specification, or "
    "with auto set OMP_MAX_ACTIVE_LEVELS=%d";
inline constexpr char kWordsMakeAtMost[] =
    "sizes given as words, and auto's default size, make at most";
inline constexpr char kNoneMeasured[] =
    "no distances were measured (nestbind probe --save, or --xml for a file): the firmware's are "
    "used, if there are any";
inline constexpr char kSpecificationWins[] = "the specification wins";

}  // namespace nestbind::support
