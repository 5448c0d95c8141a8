// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/loader.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <system_error>
#include <unordered_set>

#include "cli/inspect/elf.hpp"
#include "cli/inspect/text.hpp"

namespace nestbind::cli::inspect {

namespace {

constexpr std::size_t kMaxFolders = 1024;
constexpr std::size_t kMaxPreloadFile = 1 << 20;

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

constexpr std::size_t kMaxOutput = std::size_t{16} << 20;
constexpr char kDefaultCache[] = "/etc/ld.so.cache";

std::string output_of(const std::vector<std::string>& words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return {};
  }
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  char* const no_variables[] = {nullptr};
  pid_t child = 0;
  const int fault = posix_spawn(&child, words[0].c_str(), &files, nullptr,
                                as_arguments(words).data(), no_variables);
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t got = 0; fault == 0 && text.size() < kMaxOutput;) {
    got = read(ends[0], part, sizeof part);
    if (got == 0 || (got < 0 && errno != EINTR)) {
      break;
    }
    text.append(part, got < 0 ? 0 : static_cast<std::size_t>(got));
  }
  close(ends[0]);
  while (fault == 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return text;
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
  bool is_last = list.empty();
  while (!is_last) {
    const std::size_t end = std::min(list.find_first_of(separators), list.size());
    auto folder = expand(list.substr(0, end), tokens);
    is_last = end == list.size();
    list.remove_prefix(is_last ? end : end + 1);
    if (!folder) {
      continue;
    }
    while (folder->size() > 1 && folder->ends_with('/')) {
      folder->pop_back();
    }
    *folder += folder->empty() || folder->ends_with('/') ? "" : "/";
    if (folders.size() == kMaxFolders) {
      is_cut = true;
      break;
    }
    if (known.insert(*folder).second) {
      folders.push_back(std::move(*folder));
    }
  }
  return folders;
}

std::string origin_of(const std::string& path) {
  std::error_code fault;
  return std::filesystem::absolute(path, fault).parent_path().string();
}

std::string real_path(const std::string& path) {
  std::error_code fault;
  const auto real = std::filesystem::canonical(path, fault);
  return fault ? path : real.string();
}

std::vector<std::string> names_in_preload(std::string_view variable) {
  return split(variable, " :");
}

std::vector<std::string> names_in_preload_file(std::string_view text) {
  std::vector<std::string> names;
  for (const std::string& line : split(text.substr(0, kMaxPreloadFile), "\n")) {
    const std::string_view before = std::string_view(line).substr(0, line.find('#'));
    for (std::string& name : split(before, ": \t")) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

Loader loader_in(std::string_view help) {
  constexpr std::string_view kSystem = " (system search path)";
  constexpr std::string_view kSearched = " (supported, searched)";
  constexpr std::string_view kCache = "  (libraries located via ";
  Loader loader;
  std::string heading;
  for (const std::string& line : split(help, "\n")) {
    if (!line.starts_with("  ")) {
      heading = line;
    } else if (heading.starts_with("Shared library search path")) {
      if (line.ends_with(kSystem)) {
        loader.folders.push_back(line.substr(2, line.size() - 2 - kSystem.size()) + "/");
      } else if (line.starts_with(kCache) && line.ends_with(')')) {
        loader.cache = line.substr(kCache.size(), line.size() - kCache.size() - 1);
      }
    } else if (heading.starts_with("Subdirectories of glibc-hwcaps") && line.ends_with(kSearched)) {
      loader.levels.push_back(line.substr(2, line.size() - 2 - kSearched.size()));
    }
  }
  loader.is_asked = !loader.folders.empty();
  return loader;
}

Loader own_loader() {
  const std::string path = read_elf("/proc/self/exe", SymbolTables::kDynamic, nullptr).interpreter;
  Loader loader = path.empty() ? Loader{} : loader_in(output_of({path, "--help"}));
  if (!loader.is_asked) {
    loader.folders = {"/lib64/", "/usr/lib64/", "/lib/", "/usr/lib/"};
    loader.cache = kDefaultCache;
  }
  loader.path = path;
  return loader;
}

Loader loader_at(const std::string& path) {
  Loader loader = own_loader();
  const std::string real = real_path(path);
  if (real != real_path(loader.path)) {
    const std::filesystem::path folder = std::filesystem::path(real).parent_path();
    loader.folders = {folder.string() + "/",
                      (folder.parent_path() / "usr" / folder.filename()).string() + "/"};
    loader.cache.clear();
    loader.is_asked = false;
  }
  loader.path = path;
  return loader;
}

// Reads "\tlibgomp.so.1 (libc6,x86-64, hwcap: "x86-64-v3") => /usr/lib/.../libgomp.so.1".
Cache::Cache(std::string_view listing) : is_known_(!listing.empty()) {
  constexpr std::string_view kPath = ") => ";
  constexpr std::string_view kLevel = "hwcap: ";
  for (const std::string& line : split(listing, "\n")) {
    const std::size_t kind = line.find(" (");
    const std::size_t path = line.find(kPath);
    if (!line.starts_with('\t') || kind == std::string::npos || path == std::string::npos) {
      continue;
    }
    const std::size_t level = line.find(kLevel, kind);
    const auto words = split(
        level == std::string::npos ? "" : std::string_view(line).substr(level + kLevel.size()),
        "\",)");
    entries_[line.substr(1, kind - 1)].push_back(
        {line.substr(path + kPath.size()), words.empty() ? "" : words[0]});
  }
}

std::vector<std::string> Cache::find(const std::string& name,
                                     const std::vector<std::string>& levels) const {
  std::vector<std::string> paths;
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    return paths;
  }
  const auto add = [&](const std::string& level) {
    for (const Entry& entry : found->second) {
      if (entry.level == level) {
        paths.push_back(entry.path);
      }
    }
  };
  for (const std::string& level : levels) {
    add(level);
  }
  add("");
  return paths;
}

Cache read_cache(const std::string& file) {
  Cache cache;
  for (const char* program : {"/sbin/ldconfig", "/usr/sbin/ldconfig"}) {
    if (!file.empty() && !cache.is_known()) {
      cache = Cache(output_of({program, "-p", "-C", file}));
    }
  }
  return cache;
}

}  // namespace nestbind::cli::inspect
