// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "cli/common/printable.hpp"
#include "cli/inspect/text.hpp"
#include "cli/rules/rules_file.hpp"
#include "spec/spec.hpp"
#include "support/text_cursor.hpp"

namespace nestbind::cli {

namespace {

constexpr std::string_view kOperator = "operator";
constexpr std::string_view kUnnamed = "(anonymous namespace)";

bool is_lambda(const std::string& part) {
  return part.starts_with("{lambda") || part.starts_with("$_");
}

// Splits a demangled name at "::", or Fortran's "%", outside of all brackets.
class Parts {
 public:
  std::vector<std::string> of(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      at += step(text.substr(at));
    }
    finish();
    return std::move(parts_);
  }

 private:
  std::size_t step(std::string_view rest) {
    const char c = rest[0];
    const bool is_of_operator = part_.ends_with(kOperator);
    if (depth_ == 0 && rest.starts_with(kUnnamed)) {
      part_ = kUnnamed;
      return kUnnamed.size();
    }
    if (depth_ == 0 && is_of_operator && (c == '(' || c == '<' || c == '>' || c == '-')) {
      const std::size_t size = std::min(rest.find_first_not_of("<>-=", 1), rest.size());
      const std::size_t sign = c == '(' ? 2 : size;
      part_ += rest.substr(0, sign);
      return sign;
    }
    if (depth_ == 0 && rest.starts_with("::")) {
      finish();
      return 2;
    }
    if (depth_ == 0 && c == '%' && !is_of_operator) {
      finish();
      return 1;
    }
    if (depth_ == 0 && c == ' ') {
      // Text before this blank is the return type. Text after the arguments is a qualifier.
      has_arguments_ ? void() : part_.clear();
      return 1;
    }
    const bool opens = c == '(' || c == '<' || c == '{' || c == '[';
    const bool closes = c == ')' || c == '>' || c == '}' || c == ']';
    has_arguments_ = has_arguments_ || (depth_ == 0 && c == '(');
    is_in_lambda_ = is_in_lambda_ || (depth_ == 0 && c == '{');
    depth_ += opens ? 1 : 0;
    if ((depth_ == 0 && !has_arguments_) || is_in_lambda_) {
      part_ += c;
    }
    depth_ -= closes && depth_ > 0 ? 1 : 0;
    is_in_lambda_ = is_in_lambda_ && depth_ > 0;
    return 1;
  }

  void finish() {
    if (!part_.empty()) {
      parts_.push_back(part_);
    }
    part_.clear();
    has_arguments_ = false;
  }

  std::vector<std::string> parts_;
  std::string part_;
  int depth_ = 0;
  bool has_arguments_ = false;
  bool is_in_lambda_ = false;
};

// Returns the parts of a Fortran compiler's symbol, without those of the compiler; empty if it is
// none.
std::vector<std::string> fortran_parts(const std::string& symbol) {
  constexpr std::string_view kModule = "_MOD_";  // gfortran: __MODULE_MOD_PROCEDURE
  constexpr std::string_view kTags = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const std::size_t module = symbol.find(kModule);
  if (symbol.starts_with("__") && module != symbol.npos) {
    return {symbol.substr(2, module - 2), symbol.substr(module + kModule.size())};
  }
  if (symbol.starts_with("_Q")) {  // Flang: _QMmoduleFhostPprocedure, _QFPprocedure, _QQmain
    return inspect::split(std::string_view(symbol).substr(1), kTags);
  }
  if (symbol == "MAIN__") {
    return {"main"};
  }
  const bool has_mark = symbol.size() > 1 && symbol.ends_with('_') && !symbol.starts_with("_Z") &&
                        symbol.find_first_of(":(") == symbol.npos;
  return has_mark ? std::vector{symbol.substr(0, symbol.size() - 1)} : std::vector<std::string>();
}

bool is_same(char one, char other) { return one == other; }

bool is_same_in_fortran(char one, char other) {
  return support::to_lower(one) == support::to_lower(other);
}

using rules::Where;

// A range of addresses, both ends included.
using Range = std::pair<std::uint64_t, std::uint64_t>;

std::string text_of(const spec::Spec& spec) {
  char text[spec::kMaxText];
  return {text, spec::print(spec, text, sizeof text)};
}

bool is_of_lines(const Where& where, const std::string& file, int line) {
  return line > 0 && where.first <= static_cast<std::uint64_t>(line) &&
         static_cast<std::uint64_t>(line) <= where.last && is_file(file, where.name);
}

// Without the compiler's suffixes of outlined functions and copies.
std::string owner_of(const std::string& symbol) { return symbol.substr(0, symbol.find('.')); }

bool is_of(const Where& where, const source::Outlined& region) {
  if (where.kind == Where::Kind::kLines) {
    return is_of_lines(where, region.file, region.line) ||
           (region.is_statement && is_of_lines(where, region.file, region.line - 1));
  }
  return is_meant_by(std::string(where.name), region.function, owner_of(region.symbol),
                     region.is_fortran);
}

// Returns ranges that contain the last byte of a call that forks. Some runtimes report only the
// call's return address. This address minus one is the last byte of the call. A range leaves out
// the first byte of its line or function. A region may begin at this byte, but no call ends at this
// byte.
std::vector<Range> calls_of(const Where& where, const source::Regions& regions) {
  std::vector<Range> calls;
  for (const source::Row& row : regions.rows) {
    if (where.kind == Where::Kind::kLines && is_of_lines(where, *row.file, row.line) &&
        row.begin + 1 < row.end) {
      calls.emplace_back(row.begin + 1, row.end - 1);
    }
  }
  std::set<std::string> owners;
  for (const source::Outlined& region : regions.outlined) {
    if (where.kind == Where::Kind::kFunction && is_of(where, region)) {
      owners.insert(owner_of(region.symbol));
    }
  }
  for (const source::Function& function : regions.functions) {
    if (function.begin + 1 < function.end && owners.contains(owner_of(function.symbol))) {
      calls.emplace_back(function.begin + 1, function.end - 1);
    }
  }
  return calls;
}

std::vector<Range> ranges_of(const Where& where, const RegionModule& module) {
  std::vector<Range> ranges;
  for (const source::Outlined& region : module.regions.outlined) {
    if (is_of(where, region)) {
      ranges.emplace_back(region.begin, region.begin);
    }
  }
  if (!ranges.empty() || (where.kind == Where::Kind::kLines && module.regions.outlined.empty())) {
    const std::vector<Range> calls = calls_of(where, module.regions);
    ranges.insert(ranges.end(), calls.begin(), calls.end());
  }
  return ranges;
}

bool is_in(const Where& where, const RegionModule& module) {
  return where.module.empty() ||
         rules::is_named(module.name.c_str(), inspect::file_name(where.module));
}

std::string shown(const Where& where) {
  const std::string before = where.module.empty() ? "" : std::string(where.module) + ":";
  const std::string name = before + std::string(where.name);
  return where.kind == Where::Kind::kModule     ? before + "*"
         : where.kind == Where::Kind::kFunction ? name
         : where.first == where.last            ? fmt::format("{}:{}", name, where.first)
                                     : fmt::format("{}:{}-{}", name, where.first, where.last);
}

std::string nearest_line(const Where& where, const std::vector<RegionModule>& modules) {
  std::vector<std::string> files;
  bool is_known = false;
  const source::Outlined* best = nullptr;
  const auto far = [&](const source::Outlined& region) {
    const auto line = static_cast<std::uint64_t>(region.line);
    return line < where.first ? where.first - line : line - where.first;
  };
  for (const RegionModule& module : modules) {
    for (const source::Outlined& region : module.regions.outlined) {
      files.emplace_back(inspect::file_name(region.file));
      is_known = is_known || is_file(region.file, where.name);
      if (region.line > 0 && is_file(region.file, where.name) &&
          (best == nullptr || far(region) < far(*best))) {
        best = &region;
      }
    }
  }
  return best != nullptr
             ? fmt::format("; the nearest is {}:{}", inspect::file_name(best->file), best->line)
         : is_known ? ""
                    : suggestion(where.name, files);
}

std::string name_of(const source::Outlined& region) {
  return fmt::format("{}", fmt::join(parts_of_name(region.function), "::"));
}

// Without a similar name, returns all names if they are few.
std::string nearest_function(const Where& where, const std::vector<RegionModule>& modules) {
  constexpr std::size_t kFew = 8;
  std::set<std::string> names;
  std::vector<std::string> all;
  for (const RegionModule& module : modules) {
    for (const source::Outlined& region : module.regions.outlined) {
      const std::vector<std::string> parts = parts_of_name(region.function);
      if (!parts.empty()) {
        all.push_back(name_of(region));
        all.push_back(parts.back());
        names.insert(name_of(region));
      }
    }
  }
  const std::string meant = suggestion(where.name, all);
  return !meant.empty() || names.empty() || names.size() > kFew
             ? meant
             : fmt::format("; functions with regions: {}", fmt::join(names, ", "));
}

// Returns "" if a module has lines or symbols for the place. Otherwise says what each module lacks.
std::string missing_for(const Where& where, const std::vector<RegionModule>& modules) {
  const bool is_of_line = where.kind == Where::Kind::kLines;
  std::string missing;
  for (const RegionModule& module : modules) {
    const source::Regions& regions = module.regions;
    const bool is_there = is_of_line ? regions.has_lines : regions.has_symbols;
    if (!is_in(where, module)) {
      continue;
    }
    if (is_there) {
      return "";
    }
    missing +=
        fmt::format("; {} {}", module.name,
                    !regions.fault.empty() ? "cannot be read: " + regions.fault
                    : is_of_line ? "has no line tables: compile it with -g, and do not strip it"
                                 : "has no symbols: it is stripped");
  }
  return missing;
}

std::string said_of(const Where& where, const std::vector<RegionModule>& modules, bool is_open) {
  if (where.kind == Where::Kind::kModule) {
    std::vector<std::string> names;
    names.reserve(modules.size());
    for (const RegionModule& module : modules) {
      names.push_back(module.name);
    }
    const std::string meant = suggestion(std::string(inspect::file_name(where.module)), names);
    return is_open && meant.empty()
               ? ""
               : shown(where) + ": no library with parallel regions that the program starts with" +
                     meant;
  }
  const std::string missing =
      std::ranges::any_of(modules, [&](const RegionModule& one) { return is_in(where, one); })
          ? missing_for(where, modules)
      : where.module.empty() ? "; for a library that is loaded later write LIBRARY: before it"
                             : "; no program or library of this name is found: name a library "
                               "with its folder";
  return shown(where) + ": no parallel region of the program" +
         (!missing.empty()                    ? missing
          : where.kind == Where::Kind::kLines ? nearest_line(where, modules)
                                              : nearest_function(where, modules));
}

}  // namespace

std::vector<std::string> parts_of_name(const std::string& demangled) {
  if (auto parts = fortran_parts(demangled); !parts.empty()) {
    return parts;
  }
  // A compiler numbers the copies of a C function, and the procedures in one of Fortran: "inner.0".
  const bool is_symbol = demangled.find('(') == demangled.npos;
  std::vector<std::string> parts =
      Parts().of(is_symbol ? demangled.substr(0, demangled.find('.')) : demangled);
  while (parts.size() > 2 && is_lambda(parts[parts.size() - 2])) {
    parts.resize(parts.size() - 2);
  }
  return parts;
}

bool is_meant_by(const std::string& name, const std::string& demangled, const std::string& symbol,
                 bool is_fortran) {
  if (name.empty() || demangled.empty()) {
    return false;
  }
  if (name == symbol || name == demangled) {
    return true;
  }
  const auto is_letter =
      is_fortran || !fortran_parts(symbol).empty() ? is_same_in_fortran : is_same;
  const auto is_part = [&](const std::string& one, const std::string& other) {
    return std::ranges::equal(one, other, is_letter);
  };
  const std::vector<std::string> wanted = Parts().of(name);
  return std::ranges::any_of(std::array{demangled, symbol}, [&](const std::string& whole) {
    const std::vector<std::string> parts = parts_of_name(whole);
    return !wanted.empty() && wanted.size() <= parts.size() &&
           std::equal(wanted.rbegin(), wanted.rend(), parts.rbegin(), is_part);
  });
}

std::string where_of(const RegionModule& module, const source::Outlined& region) {
  if (region.line > 0) {
    return fmt::format("{}:{}", inspect::file_name(region.file), region.line);
  }
  const std::vector<std::string> parts = parts_of_name(region.function);
  const std::string whole = name_of(region);
  const std::string name = whole.find(' ') == std::string::npos ? whole : parts.back();
  return name.empty() || name.find(' ') != std::string::npos ? name_in_rules(module.name) + ":*"
                                                             : name;
}

std::string name_in_rules(std::string file) {
  std::ranges::replace_if(
      file, [](char c) { return (c > 0 && c <= ' ') || c == ':' || c == '#'; }, '?');
  return file;
}

bool is_file(const std::string& path, std::string_view name) {
  return path == name || (path.size() > name.size() && path.ends_with(name) &&
                          path[path.size() - name.size() - 1] == '/');
}

ResolvedRules resolve(const std::vector<NumberedRule>& rules,
                      const std::vector<RegionModule>& modules, bool is_open) {
  ResolvedRules resolved;
  for (const auto& [rule, line] : rules) {
    const Where& where = rule.where;
    const std::string spec = text_of(rule.spec);
    resolved.text += resolved.text.empty() ? "" : "#\n";  // lines in a row are one rule's places
    bool is_matched = where.kind == Where::Kind::kEvery || where.kind == Where::Kind::kAddresses;
    if (where.kind == Where::Kind::kEvery) {
      resolved.text += fmt::format("* {}\n", spec);
    } else if (where.kind == Where::Kind::kModule) {
      resolved.text += fmt::format("{}:* {}\n", inspect::file_name(where.module), spec);
    } else if (where.kind == Where::Kind::kAddresses) {
      resolved.text += fmt::format("{}:{:#x}-{:#x} {}\n", inspect::file_name(where.module),
                                   where.first, where.last, spec);
    }
    for (const RegionModule& module : modules) {
      if (!is_in(where, module) || where.kind == Where::Kind::kEvery) {
        continue;
      }
      is_matched = is_matched || where.kind == Where::Kind::kModule;
      for (const auto& [first, last] :
           rules::needs_code(where) ? ranges_of(where, module) : std::vector<Range>()) {
        is_matched = true;
        resolved.text +=
            fmt::format("{}:{:#x}-{:#x} {}\n", name_in_rules(module.name), first, last, spec);
      }
    }
    const std::string said = is_matched ? "" : said_of(where, modules, is_open);
    if (!said.empty()) {
      resolved.unmatched.emplace_back(line, said);
    }
  }
  return resolved;
}

}  // namespace nestbind::cli
