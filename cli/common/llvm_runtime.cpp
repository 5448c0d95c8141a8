// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/llvm_runtime.hpp"

#include <glob.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "cli/common/own_folder.hpp"
#include "cli/inspect/elf.hpp"
#include "cli/inspect/llvm.hpp"
#include "cli/inspect/loaded_libraries.hpp"
#include "cli/inspect/openmp_symbols.hpp"
#include "cli/inspect/text.hpp"

namespace nestbind::cli {

namespace {

std::string found_by_loader() {
  std::string path;
  for (const char* name : {"libomp.so.5", "libomp.so"}) {
    path = path.empty() ? inspect::find_library_file(name) : path;
  }
  return path;
}

// Returns the newest libomp in the folders in which distributions keep several versions of LLVM.
std::string found_in_llvm_folders() {
  glob_t matches{};
  int flags = 0;
  for (const char* pattern : {"/usr/lib/llvm-*/lib/libomp.so.5", "/usr/lib/llvm-*/lib/libomp.so",
                              "/usr/lib64/llvm*/lib*/libomp.so"}) {
    glob(pattern, flags, nullptr, &matches);
    flags = GLOB_APPEND;
  }
  const auto is_older = [](const char* a, const char* b) { return strverscmp(a, b) < 0; };
  char** end = matches.gl_pathv + matches.gl_pathc;
  char** newest = std::max_element(matches.gl_pathv, end, is_older);
  std::string path = newest == end ? "" : *newest;
  globfree(&matches);
  return path;
}

std::string find_file(const std::string& asked) {
  std::string path = asked.empty() ? found_by_loader() : asked;
  path = path.empty() ? found_in_llvm_folders() : path;
  // The path may be a link that an outer `nestbind run` has made.
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) == nullptr ? path : resolved;
}

}  // namespace

std::optional<LlvmRuntime> find_llvm_runtime(const std::string& asked, std::string& fault) {
  LlvmRuntime runtime{find_file(asked), {}};
  if (runtime.file.empty()) {
    fault =
        "there is no libomp.so.5 on this machine (Debian: libomp5); name one by "
        "--runtime=llvm:FILE";
    return std::nullopt;
  }
  const inspect::ElfFile file =
      inspect::read_elf(runtime.file, inspect::SymbolTables::kDynamic, inspect::is_openmp_symbol);
  fault = inspect::fault_of_llvm(runtime.file, file);
  if (!fault.empty()) {
    return std::nullopt;
  }
  // Each runtime file has its own folder, whose name is made of the file's path.
  std::string name = "llvm" + runtime.file;
  std::replace(name.begin(), name.end(), '/', '!');
  const auto folder = own_folder(name, fault);
  if (!folder || !make_link(*folder, inspect::kGnuFile, runtime.file, fault)) {
    return std::nullopt;
  }
  if (!file.soname.empty() && file.soname.find('/') == std::string::npos &&
      !make_link(*folder, file.soname, runtime.file, fault)) {
    return std::nullopt;
  }
  runtime.folder = *folder;
  return runtime;
}

void prefer(const LlvmRuntime& runtime) {
  const std::string before = inspect::variable("LD_LIBRARY_PATH");
  setenv("LD_LIBRARY_PATH", (runtime.folder + (before.empty() ? "" : ":" + before)).c_str(), 1);
}

}  // namespace nestbind::cli
