// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include <climits>
#include <cstdlib>
#include <cstring>

#include "instrument/ompt/tool_parts.hpp"
#include "interpose/module.hpp"

namespace nestbind::ompt {

namespace {

struct Question {
  unsigned omp_version;
  const char* runtime_version;
  StartTool ours;
};

StartToolResult* ask(void* symbol, const Question& question) {
  const auto start = reinterpret_cast<StartTool>(symbol);
  if (start == nullptr || start == question.ours) {
    return nullptr;
  }
  return start(question.omp_version, question.runtime_version);
}

// Only the first `length` characters of `name` count.
StartToolResult* ask_library(const char* name, std::size_t length, const Question& question) {
  char file[PATH_MAX];
  if (length == 0 || length >= sizeof file) {
    return nullptr;
  }
  std::memcpy(file, name, length);
  file[length] = '\0';
  void* library = dlopen(file, RTLD_LAZY);
  if (library == nullptr) {
    return nullptr;
  }
  StartToolResult* result = ask(dlsym(library, "ompt_start_tool"), question);
  if (result == nullptr) {
    interpose::close_module(library);
  }
  return result;
}

StartToolResult* ask_listed(const char* list, const Question& question) {
  while (list != nullptr && *list != '\0') {
    const std::size_t length = std::strcspn(list, ":");
    if (StartToolResult* result = ask_library(list, length, question)) {
      return result;
    }
    list += length + (list[length] == ':' ? 1 : 0);
  }
  return nullptr;
}

// LLVM's runtime finds Archer by its search path. We search in the runtime's folder, too.
StartToolResult* ask_archer(const void* caller, const Question& question) {
  static constexpr char kArcher[] = "libarcher.so";
  if (dlsym(RTLD_DEFAULT, "__tsan_init") == nullptr) {
    return nullptr;
  }
  if (StartToolResult* result = ask_library(kArcher, sizeof kArcher - 1, question)) {
    return result;
  }
  Dl_info info;
  if (dladdr(caller, &info) == 0 || info.dli_fname == nullptr) {
    return nullptr;
  }
  const char* slash = std::strrchr(info.dli_fname, '/');
  const std::size_t folder = slash != nullptr ? slash - info.dli_fname + 1 : 0;
  char file[PATH_MAX];
  if (folder == 0 || folder + sizeof kArcher > sizeof file) {
    return nullptr;
  }
  std::memcpy(file, info.dli_fname, folder);
  std::memcpy(file + folder, kArcher, sizeof kArcher);
  return ask_library(file, std::strlen(file), question);
}

}  // namespace

StartToolResult* ask_next_tool(unsigned omp_version, const char* runtime_version,
                               const void* caller, StartTool ours) {
  const Question question{omp_version, runtime_version, ours};
  // Another runtime may define the next ompt_start_tool. That runtime then asks further tools.
  if (StartToolResult* result = ask(dlsym(RTLD_NEXT, "ompt_start_tool"), question)) {
    return result;
  }
  if (StartToolResult* result = ask_listed(std::getenv("OMP_TOOL_LIBRARIES"), question)) {
    return result;
  }
  return ask_archer(caller, question);
}

}  // namespace nestbind::ompt
