// SPDX-License-Identifier: BSD-3-Clause
// Edits the list of libraries in LD_PRELOAD. Needs libstdc++.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nestbind::support {

// The library's other names begin with this name, such as libnestbind.so.0.
inline constexpr std::string_view kLibraryFile = "libnestbind.so";
// The libraries for MPI, for example libnestbind-mpi-openmpi.so.
inline constexpr std::string_view kMpiLibraryFile = "libnestbind-mpi-";

// The loader splits the list at colons and blanks, which cannot be quoted.
inline constexpr std::string_view kPreloadSeparators = ": ";

namespace preload_list {

inline std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

inline std::vector<std::string_view> entries(std::string_view list) {
  std::vector<std::string_view> found;
  std::size_t begin = 0;
  while ((begin = list.find_first_not_of(kPreloadSeparators, begin)) != std::string_view::npos) {
    const std::size_t end = std::min(list.find_first_of(kPreloadSeparators, begin), list.size());
    found.push_back(list.substr(begin, end - begin));
    begin = end;
  }
  return found;
}

inline void append(std::string& list, std::string_view entry) {
  list.append(list.empty() ? "" : ":").append(entry);
}

inline bool is_own_library(std::string_view entry) {
  return file_name(entry).starts_with(kLibraryFile) ||
         file_name(entry).starts_with(kMpiLibraryFile);
}

}  // namespace preload_list

inline bool is_sanitizer(std::string_view name) {
  constexpr std::array<std::string_view, 6> kBegins = {"libasan.",         "libtsan.",
                                                       "libhwasan.",       "libclang_rt.asan",
                                                       "libclang_rt.tsan", "libclang_rt.hwasan"};
  return std::ranges::any_of(kBegins, [&](std::string_view begin) {
    return preload_list::file_name(name).starts_with(begin);
  });
}

inline std::string preload_without(std::string_view before) {
  std::string list;
  for (const std::string_view entry : preload_list::entries(before)) {
    if (!preload_list::is_own_library(entry)) {
      preload_list::append(list, entry);
    }
  }
  return list;
}

// Returns LD_PRELOAD with nestbind's library first, but after the run-times of sanitizers.
inline std::string preload_with(std::string_view before, std::string_view library,
                                std::string_view sanitizer) {
  std::string first;
  std::string others;
  for (const std::string_view entry : preload_list::entries(before)) {
    if (!preload_list::is_own_library(entry)) {
      preload_list::append(is_sanitizer(entry) ? first : others, entry);
    }
  }
  if (first.empty() && !sanitizer.empty()) {
    first = sanitizer;
  }
  preload_list::append(first, library);
  if (!others.empty()) {
    preload_list::append(first, others);
  }
  return first;
}

// Makes a file's name absolute, because the program may change its folder.
inline std::string absolute_path(std::string_view folder, std::string_view path) {
  if (path.empty() || path.front() == '/' || folder.empty()) {
    return std::string(path);
  }
  return std::string(folder).append("/").append(path);
}

// If a value has a file's name after a colon (NESTBIND_REPORT=text:FILE), makes this name absolute.
inline std::string with_absolute_file(std::string_view folder, std::string_view value) {
  const auto colon = value.find(':');
  return colon == std::string_view::npos ? std::string(value)
                                         : std::string(value.substr(0, colon + 1)) +
                                               absolute_path(folder, value.substr(colon + 1));
}

}  // namespace nestbind::support
