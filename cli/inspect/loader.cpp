// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/loader.hpp"

#include <algorithm>

#include "cli/inspect/elf.hpp"
#include "cli/inspect/mapped_file.hpp"
#include "cli/inspect/text.hpp"

namespace nestbind::cli::inspect {

using namespace std::string_view_literals;

namespace {

// A loader has some 200 KB, and four folders at most.
constexpr std::size_t kMaxRead = 1 << 24;
constexpr std::size_t kMaxFolders = 16;
constexpr std::size_t kMaxName = 4096;

constexpr std::string_view kCacheFile = "/ld.so.cache";
constexpr char kDefaultCache[] = "/etc/ld.so.cache";

#if defined(__aarch64__)
constexpr char kFeature[] = "atomics";
#else
constexpr char kFeature[] = "avx512_1";
#endif

bool is_path(std::string_view text) {
  const auto is_of_path = [](char c) { return c > ' ' && c <= '~'; };
  return text.starts_with('/') && text.size() < kMaxName &&
         std::all_of(text.begin(), text.end(), is_of_path);
}

bool is_folder(std::string_view text) {
  return text.ends_with('/') && !text.ends_with("//") &&
         text.find("lib") != std::string_view::npos && is_path(text);
}

// The text that ends at `end`, from the nul before it; of a longer one than any path, its end.
std::string_view text_before(std::string_view bytes, std::size_t end) {
  const std::size_t length = std::min(end, kMaxName);
  const std::string_view before = bytes.substr(end - length, length);
  return before.substr(before.rfind('\0') + 1);  // npos + 1 is 0
}

// system_dirs of glibc's elf/dl-load.c: folders behind each other, with a nul behind each. Where
// there are several such rows, the first of the longest.
std::vector<std::string> folders_in(std::string_view bytes) {
  constexpr std::string_view kEnd = "/\0"sv;
  std::vector<std::string> longest;
  std::vector<std::string> row;
  std::size_t behind = 0;  // of the row
  for (std::size_t at = 0; (at = bytes.find(kEnd, at)) != std::string_view::npos; ++at) {
    const std::string_view text = text_before(bytes, at + 1);
    const std::size_t begin = at + 1 - text.size();
    if (begin != behind || row.size() == kMaxFolders || !is_folder(text)) {
      row.clear();
    }
    if (is_folder(text)) {
      row.emplace_back(text);
      behind = at + kEnd.size();
    }
    if (row.size() > longest.size()) {
      longest = row;
    }
  }
  return longest;
}

std::string cache_in(std::string_view bytes) {
  for (std::size_t at = 0; (at = bytes.find(kCacheFile, at)) != std::string_view::npos; ++at) {
    const std::size_t end = at + kCacheFile.size();
    const std::string_view before = text_before(bytes, at);
    const std::size_t begin = at - before.size();
    const std::string_view path = bytes.substr(begin, end - begin);
    if (end < bytes.size() && bytes[end] == '\0' && is_path(path)) {
      return std::string(path);
    }
  }
  return kDefaultCache;
}

// DL_DST_LIB: the name of the first folder, or, as Debian has it, what is behind its first "/".
std::string lib_of(const std::string& folder) {
  const std::string name = folder.substr(0, folder.size() - 1);
  return name.starts_with("/lib/") ? name.substr(1) : std::string(file_name(name));
}

}  // namespace

Loader read_loader_bytes(const std::string& path, std::string_view bytes) {
  Loader loader;
  loader.path = path;
  loader.soname = read_elf_bytes(bytes, SymbolTables::kDynamic, nullptr).soname;
  bytes = bytes.substr(0, kMaxRead);
  const auto has = [&](std::string_view text) {
    return bytes.find(text) != std::string_view::npos;
  };
  loader.trusted = folders_in(bytes);
  if (loader.trusted.empty()) {
    loader.trusted = {"/lib64/", "/usr/lib64/"};
  }
  loader.cache = cache_in(bytes);
  loader.lib = lib_of(loader.trusted.front());
  loader.knows_levels = has("glibc-hwcaps");
  loader.knows_features = has(kFeature);
  return loader;
}

Loader read_loader(const std::string& path) {
  const MappedFile file(path);
  Loader loader = read_loader_bytes(path, file.bytes());
  loader.fault = file.fault();
  return loader;
}

}  // namespace nestbind::cli::inspect
