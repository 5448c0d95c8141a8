// SPDX-License-Identifier: BSD-3-Clause
#include "cli/rules/rules_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <set>

#include "cli/common/output_files.hpp"
#include "cli/common/own_folder.hpp"
#include "cli/common/say.hpp"
#include "cli/inspect/loaded_libraries.hpp"
#include "cli/inspect/openmp_symbols.hpp"
#include "cli/inspect/text.hpp"
#include "support/user_file.hpp"

namespace nestbind::cli {

namespace {

std::string real_name(const std::string& path) {
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) == nullptr ? path : resolved;
}

inspect::ElfFile elf_of(const std::string& path) {
  return inspect::read_elf(path, inspect::SymbolTables::kDynamic, inspect::is_openmp_symbol);
}

bool may_fork(const inspect::ElfFile& file) {
  return inspect::uses_gomp(file) == inspect::Uses::kImports ||
         inspect::uses_kmpc(file) == inspect::Uses::kImports;
}

bool is_any_needed(const RulesFile& file, bool (*is_needed)(const rules::Where&)) {
  return std::ranges::any_of(file.rules,
                             [&](const NumberedRule& one) { return is_needed(one.rule.where); });
}

}  // namespace

std::string fault_of_rules(const std::string& name, RulesFile& file) {
  const int error = support::read_user_file(name.c_str(), rules::kMostBytes,
                                            support::Streams::kRefused, file.text);
  if (error != 0) {
    return printable(name) + ": " + support::why_unread(error);
  }
  return parse_rules(name, file);
}

std::string parse_rules(const std::string& name, RulesFile& file) {
  std::string said;
  rules::each_line(file.text, [&](std::string_view line, int number) {
    rules::Rule rule;
    rules::Fault fault;
    const rules::Line kind = rules::read_line(line, rule, fault);
    if (kind == rules::Line::kRule) {
      file.rules.push_back({rule, number});
    } else if (kind == rules::Line::kFaulty) {
      char message[1024];
      said =
          fmt::format("{}, line {}, {}", printable(name), number,
                      std::string(message, rules::describe(line, fault, message, sizeof message)));
    }
    if (number > rules::kMostRules) {
      said = fmt::format("{}: more than {} lines", printable(name), rules::kMostRules);
    }
    return said.empty();
  });
  return said;
}

std::vector<RegionModule> region_modules(const std::string& program, const RulesFile& file,
                                         bool& is_open) {
  const auto detail =
      is_any_needed(file, rules::needs_code) ? source::Detail::kAll : source::Detail::kRegions;
  std::vector<RegionModule> modules;
  const auto add = [&](const std::string& name, const std::string& path) {
    const auto is_it = [&](const RegionModule& module) { return module.name == name; };
    if (std::ranges::none_of(modules, is_it)) {
      modules.push_back({name, source::regions_of(path, detail)});
    }
  };
  const inspect::ElfFile own = elf_of(program);
  is_open = own.kind != inspect::ElfFile::Kind::kElf || inspect::starts_others(own);
  if (may_fork(own)) {
    add(std::string(inspect::file_name(real_name(program))), program);
  }
  const auto listing = inspect::list_libraries(program, own, inspect::own_loader_variables());
  for (const inspect::LoadedLibrary& library : listing.libraries) {
    if (!library.path.empty() && may_fork(library.file)) {
      add(std::string(inspect::file_name(library.path)), library.path);
    }
  }
  is_open = is_open || modules.empty();  // such as Python: libpython loads modules
  std::set<std::string> names;
  for (const auto& [rule, line] : file.rules) {
    if (rules::needs_code(rule.where) && !rule.where.module.empty()) {
      names.emplace(rule.where.module);
    }
  }
  for (const std::string& name : names) {
    const std::string path =
        name.find('/') != std::string::npos ? name : inspect::find_library_file(name);
    if (!path.empty() && may_fork(elf_of(path))) {
      add(std::string(inspect::file_name(name)), path);
    }
  }
  return modules;
}

std::optional<std::string> hand_over_rules(const RulesFile& file, const std::string& name,
                                           const std::string& program) {
  if (program.empty() && is_any_needed(file, rules::needs_code)) {
    say("{}: rules with lines or functions need a program", name);
    return std::nullopt;
  }
  bool is_open = true;
  const std::vector<RegionModule> modules =
      program.empty() ? std::vector<RegionModule>() : region_modules(program, file, is_open);
  const ResolvedRules resolved = resolve(file.rules, modules, is_open);
  const auto lines = std::ranges::count(resolved.text, '\n');
  if (lines - std::ranges::count(resolved.text, '#') > rules::kMostRules) {
    say("{}: the rules name more than {} places in the code", name, rules::kMostRules);
    return std::nullopt;
  }
  for (const auto& [line, said] : resolved.unmatched) {
    warn("{}, line {}: {}", name, line, said);
  }
  std::string fault;
  const auto folder = own_folder("rules", fault);
  std::string path =
      folder ? fmt::format("{}/{:016x}", *folder, std::hash<std::string>()(resolved.text)) : "";
  if (!folder || !replace_file(path, resolved.text)) {
    say("the rules cannot be written for the program: {}",
        folder ? path + ": " + std::strerror(errno) : fault);
    return std::nullopt;
  }
  return path;
}

}  // namespace nestbind::cli
