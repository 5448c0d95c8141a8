// SPDX-License-Identifier: BSD-3-Clause
#include "cli/llvm_runtime.hpp"

#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "cli/loaded_libraries.hpp"
#include "cli/openmp_symbols.hpp"
#include "cli/own_folder.hpp"

namespace nestbind::cli {

namespace {

constexpr char kGnuName[] = "libgomp.so.1";

// As the loader searches for it: its cache has no other interface.
std::string found_by_loader() {
  std::string path;
  for (const char* name : {"libomp.so.5", "libomp.so"}) {
    void* library = path.empty() ? dlopen(name, RTLD_LAZY | RTLD_LOCAL) : nullptr;
    link_map* map = nullptr;
    if (library != nullptr && dlinfo(library, RTLD_DI_LINKMAP, static_cast<void*>(&map)) == 0) {
      path = map->l_name;
    }
    if (library != nullptr) {
      dlclose(library);
    }
  }
  return path;
}

// Where distributions keep several versions beside each other: the newest.
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
  // Not our own link to it, which the loader finds if a nestbind has started this one.
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) == nullptr ? path : resolved;
}

// What is wrong with a file as a runtime; empty if nothing is.
std::string fault_of_file(const std::string& path, const ElfFile& file) {
  if (file.kind == ElfFile::Kind::kUnreadable) {
    return path + ": " + file.fault;
  }
  if (maker_of(file) != Maker::kLlvm || !file.does_export("GOMP_parallel")) {
    return path + " is not LLVM's OpenMP runtime, or lacks the entry points of GCC's";
  }
  return file.does_export("ompt_start_tool")
             ? ""
             : path + " is built without OMPT, so that it would not tell of its forks";
}

// Functions of OpenMP, without those that the preloaded library has.
bool is_openmp(const std::string& symbol) {
  constexpr std::string_view kPrefixes[] = {"GOMP_", "omp_", "GOACC_", "acc_"};
  return symbol.find("_nesting_info") == std::string::npos &&
         std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                     [&](std::string_view prefix) { return symbol.starts_with(prefix); });
}

// "it lacks GOMP_target_ext (GOMP_4.5), which ./program needs"; empty if it lacks nothing.
std::string lacks(const std::vector<Missing>& missing, const LlvmRuntime& runtime) {
  constexpr std::size_t kMostNames = 6;
  std::vector<std::string> names;
  std::string needed_by;
  const auto add = [&](const Missing& one, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
      needed_by = needed_by.empty() ? one.needed_by : needed_by;
    }
  };
  for (const Missing& one : missing) {
    if (is_openmp(one.symbol)) {
      add(one, one.symbol + (one.version.empty() ? "" : " (" + one.version + ")"));
    } else if (one.symbol.empty() && one.library == runtime.folder + "/" + kGnuName) {
      add(one, "version node " + one.version);
    }
  }
  if (names.empty()) {
    return {};
  }
  std::string text = "it lacks ";
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kMostNames) {
    text += " and " + std::to_string(names.size() - kMostNames) + " more";
  }
  return text + ", needed by " + needed_by;
}

// Whose DT_RPATH is in force; null: nobody's.
const std::string* with_rpath(const std::string& path, const ElfFile& program,
                              const std::vector<LoadedLibrary>& libraries) {
  const auto has_rpath = [](const ElfFile& file) {
    return !file.rpath.empty() && file.runpath.empty();
  };
  if (has_rpath(program)) {
    return &path;
  }
  const auto found =
      std::find_if(libraries.begin(), libraries.end(),
                   [&](const LoadedLibrary& library) { return has_rpath(library.file); });
  return found == libraries.end() ? nullptr : &found->path;
}

// Why GCC's runtime is loaded all the same.
std::string reason_of(const LoadedLibrary& gnu, const std::string& path, const ElfFile& program,
                      const std::vector<LoadedLibrary>& libraries) {
  const std::string still = "GCC's runtime " + gnu.path + " would be loaded all the same: ";
  if (gnu.name.find('/') != std::string::npos) {
    return still + "it is asked for by its path";
  }
  if (gnu.name != kGnuName) {
    return still + "it is a copy under a name of its own, " + gnu.name;
  }
  if (const std::string* owner = with_rpath(path, program, libraries)) {
    return still + "the DT_RPATH of " + *owner +
           " is searched before LD_LIBRARY_PATH; link with -Wl,--enable-new-dtags, or change it "
           "with patchelf --set-rpath";
  }
  return still + "the loader finds it before LD_LIBRARY_PATH";
}

}  // namespace

std::optional<LlvmRuntime> find_llvm_runtime(const std::string& asked, std::string& fault) {
  LlvmRuntime runtime{find_file(asked), {}};
  if (runtime.file.empty()) {
    fault =
        "there is no libomp.so.5 on this machine (Debian: libomp5); --runtime=llvm:FILE names one";
    return std::nullopt;
  }
  const ElfFile file = read_elf(runtime.file, SymbolTables::kDynamic, is_openmp_symbol);
  fault = fault_of_file(runtime.file, file);
  if (!fault.empty()) {
    return std::nullopt;
  }
  // A folder for each file, named by it.
  std::string name = "llvm" + runtime.file;
  std::replace(name.begin(), name.end(), '/', '!');
  const auto folder = own_folder(name, fault);
  if (!folder || !make_link(*folder, kGnuName, runtime.file, fault)) {
    return std::nullopt;
  }
  // Libraries that were made by Clang share it.
  if (!file.soname.empty() && file.soname.find('/') == std::string::npos &&
      !make_link(*folder, file.soname, runtime.file, fault)) {
    return std::nullopt;
  }
  runtime.folder = *folder;
  return runtime;
}

void prefer(const LlvmRuntime& runtime) {
  const char* before = std::getenv("LD_LIBRARY_PATH");
  const std::string rest = before == nullptr || *before == '\0' ? "" : std::string(":") + before;
  setenv("LD_LIBRARY_PATH", (runtime.folder + rest).c_str(), 1);
}

LlvmVerdict examine_on_llvm(const std::string& path, const ElfFile& program,
                            const LlvmRuntime& runtime) {
  LlvmVerdict verdict;
  std::vector<LoadedLibrary> libraries;
  std::vector<Missing> missing;
  std::string fault;
  if (!link_libraries(path, libraries, missing, fault)) {
    verdict.obstacle = "its libraries cannot be listed: " + fault;
    return verdict;
  }
  const LoadedLibrary* llvm = nullptr;
  for (const LoadedLibrary& library : libraries) {
    const Maker maker = maker_of(library.file);
    if (maker == Maker::kGnu) {
      verdict.obstacle = reason_of(library, path, program, libraries);
      return verdict;
    }
    if (maker == Maker::kLlvm && llvm != nullptr) {
      verdict.obstacle = "two of LLVM's runtimes would be loaded, " + llvm->path + " and " +
                         library.path + "; --runtime=llvm:FILE names the one for both";
      return verdict;
    }
    llvm = maker == Maker::kLlvm ? &library : llvm;
  }
  verdict.obstacle = lacks(missing, runtime);
  verdict.is_checked = llvm != nullptr;
  return verdict;
}

}  // namespace nestbind::cli
