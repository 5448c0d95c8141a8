// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/loaded_libraries.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "cli/inspect/openmp_symbols.hpp"
#include "cli/inspect/program.hpp"
#include "cli/inspect/text.hpp"

namespace nestbind::cli::inspect {

namespace {

namespace fs = std::filesystem;

constexpr char kOwnProgram[] = "/proc/self/exe";

std::string own_loader() {
  return read_elf(kOwnProgram, SymbolTables::kDynamic, nullptr).interpreter;
}

// Returns the path without symbolic links, or `path` if it cannot be resolved.
std::string real_path(const std::string& path) {
  std::error_code fault;
  const auto real = fs::canonical(path, fault);
  return fault ? path : real.string();
}

enum class How { kByOption, kByVariable };

// Returns what the loader writes to both outputs. The loader maps the files of the program and of
// its libraries, but does not start them.
std::string answer_of(const std::vector<std::string>& words, const LoaderVariables& variables,
                      How how) {
  std::vector<std::string> environment = {"LD_LIBRARY_PATH=" + variables.library_path,
                                          "LD_PRELOAD=" + variables.preload};
  if (how == How::kByVariable) {
    environment.emplace_back("LD_TRACE_LOADED_OBJECTS=1");
  }
  int status = 0;
  return inspect::answer_of(words, environment, "", Errors::kKept, status).value_or("");
}

// With the option, the loader stops at a missing library. The variable does not work under tools
// that start another program first, such as valgrind.
Listing list(const std::vector<std::string>& options, const std::string& program,
             const LoaderVariables& variables) {
  std::vector<std::string> words = {own_loader()};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--list", program});
  Listing listing = listing_in(answer_of(words, variables, How::kByOption));
  if (!listing.fault.empty()) {
    words.erase(words.end() - 2);
    listing = listing_in(answer_of(words, variables, How::kByVariable));
  }
  return listing;
}

// Another loader is not started, because a file can name any program as its loader. Our loader
// searches the folders of the other loader instead of its own cache.
Listing list_for_another(const std::string& loader, const std::string& program,
                         LoaderVariables variables) {
  const fs::path folder = fs::path(real_path(loader)).parent_path();
  const fs::path usr = folder.parent_path() / "usr" / folder.filename();
  variables.library_path +=
      (variables.library_path.empty() ? "" : ":") + folder.string() + ":" + usr.string();
  Listing listing = list({"--inhibit-cache"}, program, variables);
  for (const LoadedLibrary& library : listing.libraries) {
    if (library.path.empty() && listing.fault.empty()) {
      listing.fault = library.name + " is not found, and the loader " + loader +
                      " is not asked for its folders of libraries";
    }
  }
  return listing;
}

}  // namespace

LoaderVariables own_loader_variables() {
  return {variable("LD_LIBRARY_PATH"), variable("LD_PRELOAD")};
}

// Reads "\tlibgomp.so.1 => /usr/lib/.../libgomp.so.1 (0x00007fbf2bc15000)". Names with a slash have
// no arrow. The vDSO has neither an arrow nor a slash.
Listing listing_in(std::string_view answer) {
  constexpr std::string_view kArrow = " => ";
  constexpr std::string_view kVersion = ": version `";
  constexpr std::string_view kRequired = "' not found (required by ";
  constexpr std::string_view kError = "error while loading shared libraries: ";
  Listing listing;
  if (answer.empty()) {
    listing.fault = "the loader does not list them";
  }
  for (const std::string& line : split(answer, "\n")) {
    if (const auto error = line.find(kError); error != std::string::npos) {
      listing.fault = line.substr(error + kError.size());
    }
    const auto version = line.find(kVersion);
    const auto required = line.find(kRequired);
    if (version != std::string::npos && required != std::string::npos && version < required) {
      const std::string from = line.substr(0, version);
      const auto begin = version + kVersion.size();
      listing.missing.push_back({line.substr(begin, required - begin),
                                 from.substr(from.rfind(' ') + 1),
                                 line.substr(required + kRequired.size())});
      listing.missing.back().needed_by.pop_back();  // the closing bracket
    }
    if (!line.starts_with('\t')) {
      continue;
    }
    const std::string text = line.substr(1, line.rfind(" (0x") - 1);
    const auto arrow = text.find(kArrow);
    LoadedLibrary library{text.substr(0, arrow), text, {}};
    if (arrow != std::string::npos) {
      library.path = text.substr(arrow + kArrow.size());
      library.path = library.path == "not found" ? "" : library.path;
    } else if (text.find('/') == std::string::npos) {
      continue;
    }
    const auto is_it = [&](const LoadedLibrary& other) { return other.name == library.name; };
    if (std::none_of(listing.libraries.begin(), listing.libraries.end(), is_it)) {
      listing.libraries.push_back(std::move(library));
    }
  }
  return listing;
}

Listing list_libraries(const std::string& program, const ElfFile& file,
                       const LoaderVariables& variables) {
  const ElfFile loader = read_elf(file.interpreter, SymbolTables::kDynamic, nullptr);
  if (!loader.fault.empty()) {
    return {{}, "its loader " + file.interpreter + ": " + loader.fault};
  }
  const std::string real = real_path(program);  // for $ORIGIN
  Listing listing = real_path(file.interpreter) == real_path(own_loader())
                        ? list({}, real, variables)
                        : list_for_another(file.interpreter, real, variables);
  for (LoadedLibrary& library : listing.libraries) {
    if (!library.path.empty()) {
      library.file = read_elf(library.path, SymbolTables::kDynamic, is_openmp_symbol);
    }
  }
  return listing;
}

// The loader finds a preloaded library as dlopen(3) does.
std::string find_library_file(const std::string& name) {
  const Listing listing =
      list({}, real_path(kOwnProgram), {own_loader_variables().library_path, name});
  for (const LoadedLibrary& library : listing.libraries) {
    if (library.name == name) {
      return library.path;
    }
  }
  return "";
}

}  // namespace nestbind::cli::inspect
