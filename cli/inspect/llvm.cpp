// SPDX-License-Identifier: BSD-3-Clause
#include <unordered_set>

#include "cli/inspect/loaded_libraries.hpp"
#include "cli/inspect/openmp_symbols.hpp"
#include "cli/inspect/text.hpp"

namespace nestbind::cli::inspect {

namespace {

// Returns a text such as "it lacks GOMP_target_ext, needed by ./program"; empty if nothing is
// missing.
std::string lacks(const std::vector<Missing>& missing, const std::string& folder) {
  constexpr std::size_t kMostNames = 6;
  std::vector<std::string> names;
  std::string needed_by;
  for (const Missing& one : missing) {
    const bool is_node = !one.library.empty();
    const std::string name = (is_node ? "version node " : "") + one.name;
    const bool is_of_llvm = is_node ? one.library == folder + "/" + kGnuFile
                                    : name.find("_nesting_info") == std::string::npos;
    if (is_of_llvm && !contains(names, name)) {
      names.push_back(name);
      needed_by = needed_by.empty() ? one.needed_by : needed_by;
    }
  }
  if (names.empty()) {
    return {};
  }
  std::string more;
  if (names.size() > kMostNames) {
    more = " and " + std::to_string(names.size() - kMostNames) + " more";
    names.resize(kMostNames);
  }
  return "it lacks " + join(names, ", ") + more + ", needed by " + needed_by;
}

// Says why the loader takes GCC's runtime, although LLVM's folder is the first in LD_LIBRARY_PATH.
std::string reason_of(const LoadedLibrary& gnu, const std::string& path, const ElfFile& program,
                      const std::vector<LoadedLibrary>& libraries) {
  const std::string still = "GCC's runtime " + gnu.path + " would still be loaded: ";
  if (gnu.name.find('/') != std::string::npos) {
    return still + "it is asked for by its path";
  }
  if (gnu.name != kGnuFile) {
    return still + "it is a copy under a name of its own, " + gnu.name;
  }
  std::string owner = program.has_rpath ? path : "";
  for (const LoadedLibrary& library : libraries) {
    owner = owner.empty() && library.file.has_rpath ? library.path : owner;
  }
  return still + (owner.empty() ? "the loader finds it before LD_LIBRARY_PATH"
                                : "the DT_RPATH of " + owner +
                                      " is searched before LD_LIBRARY_PATH; link with "
                                      "-Wl,--enable-new-dtags, or change it with patchelf "
                                      "--set-rpath");
}

}  // namespace

std::string fault_of_llvm(const std::string& path, const ElfFile& file) {
  if (file.kind == ElfFile::Kind::kUnreadable) {
    return path + ": " + file.fault;
  }
  if (maker_of(file) != Maker::kLlvm || !file.does_export("GOMP_parallel")) {
    return path + " is not LLVM's OpenMP runtime, or lacks the functions that code of GCC calls";
  }
  return file.does_export("ompt_start_tool")
             ? ""
             : path + " is built without OMPT, so nestbind cannot see its forks";
}

std::vector<Missing> find_missing(const std::string& path, const ElfFile& program,
                                  const Listing& listing) {
  std::vector<Missing> missing = listing.missing;
  std::unordered_set<std::string> exports(program.exports.begin(), program.exports.end());
  for (const LoadedLibrary& library : listing.libraries) {
    exports.insert(library.file.exports.begin(), library.file.exports.end());
  }
  const auto find_of = [&](const ElfFile& file, const std::string& needed_by) {
    for (const std::string& name : file.imports) {
      if (is_openmp_function(name) && !exports.contains(name) && !contains(file.weak, name)) {
        missing.push_back({name, "", needed_by});
      }
    }
  };
  find_of(program, path);
  for (const LoadedLibrary& library : listing.libraries) {
    find_of(library.file, library.path);
  }
  return missing;
}

LlvmVerdict judge_on_llvm(const std::string& path, const ElfFile& program, const Listing& listing,
                          const std::string& folder) {
  LlvmVerdict verdict;
  if (!listing.fault.empty()) {
    verdict.obstacle = "its libraries cannot be listed: " + listing.fault;
    return verdict;
  }
  const LoadedLibrary* llvm = nullptr;
  for (const LoadedLibrary& library : listing.libraries) {
    const Maker maker = maker_of(library.file);
    if (maker == Maker::kGnu) {
      verdict.obstacle = reason_of(library, path, program, listing.libraries);
      return verdict;
    }
    if (maker == Maker::kLlvm && llvm != nullptr) {
      verdict.obstacle = "two of LLVM's runtimes would be loaded, " + llvm->path + " and " +
                         library.path + "; choose one by --runtime=llvm:FILE";
      return verdict;
    }
    llvm = maker == Maker::kLlvm ? &library : llvm;
  }
  verdict.obstacle = lacks(find_missing(path, program, listing), folder);
  verdict.is_checked = llvm != nullptr;
  return verdict;
}

}  // namespace nestbind::cli::inspect
