// SPDX-License-Identifier: BSD-3-Clause
// After elf/dl-load.c of glibc: is_dst(), _dl_dst_substitute(), fillin_rpath().
#include "cli/inspect/search_path.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <climits>
#include <unordered_set>

namespace nestbind::cli::inspect {

namespace {

constexpr std::size_t kMaxFolders = 1024;
constexpr std::size_t kMaxText = 1 << 17;

// How long a token is that the text, which stands behind a "$", begins with; 0 if it is another.
std::size_t token_length(std::string_view text, std::string_view name) {
  const bool is_curly = text.starts_with('{');
  text.remove_prefix(is_curly ? 1 : 0);
  if (!text.starts_with(name)) {
    return 0;
  }
  const char next = text.size() > name.size() ? text[name.size()] : '\0';
  if (is_curly) {
    return next == '}' ? name.size() + 2 : 0;
  }
  return std::isalnum(static_cast<unsigned char>(next)) != 0 || next == '_' ? 0 : name.size();
}

}  // namespace

std::optional<std::string> expand(std::string_view path, const Tokens& tokens) {
  const struct {
    std::string_view name;
    const std::string& value;
  } known[] = {{"ORIGIN", tokens.origin}, {"PLATFORM", tokens.platform}, {"LIB", tokens.lib}};
  std::string expanded;
  while (!path.empty()) {
    const bool is_dollar = path.front() == '$';
    std::size_t length = 0;
    for (const auto& [name, value] : known) {
      const std::size_t found = is_dollar ? token_length(path.substr(1), name) : 0;
      if (found != 0 && value.empty()) {
        return std::nullopt;
      }
      expanded.append(found != 0 ? value : "");
      length = std::max(length, found);
    }
    if (length == 0) {
      expanded.push_back(path.front());
    }
    path.remove_prefix(1 + length);
    if (expanded.size() >= PATH_MAX) {
      return std::nullopt;
    }
  }
  return expanded;
}

std::vector<std::string> folders_of(std::string_view list, std::string_view separators,
                                    const Tokens& tokens, bool& is_cut) {
  std::vector<std::string> folders;
  std::unordered_set<std::string> known;
  std::size_t size = 0;
  bool is_last = list.empty();
  while (!is_last) {
    const std::size_t end = std::min(list.find_first_of(separators), list.size());
    const std::string_view part = list.substr(0, end);
    auto folder = expand(part, tokens);
    is_last = end == list.size();
    list.remove_prefix(is_last ? end : end + 1);
    if (!folder || (folder->empty() && !part.empty())) {
      continue;
    }
    while (folder->size() > 1 && folder->ends_with('/')) {
      folder->pop_back();
    }
    *folder += folder->empty() || folder->ends_with('/') ? "" : "/";
    if (known.contains(*folder)) {
      continue;
    }
    size += folder->size();
    if (folders.size() == kMaxFolders || size > kMaxText) {
      is_cut = true;
      break;
    }
    known.insert(*folder);
    folders.push_back(std::move(*folder));
  }
  return folders;
}

std::string origin_of(const std::string& path) {
  std::string file = path;
  char here[PATH_MAX];
  if (!path.starts_with('/')) {
    if (getcwd(here, sizeof here) == nullptr) {
      return {};
    }
    const std::string folder = here;
    file = folder + (folder.ends_with('/') ? "" : "/") + path;
  }
  const std::size_t slash = file.rfind('/');
  return slash == 0 ? "/" : file.substr(0, slash);
}

}  // namespace nestbind::cli::inspect
