// SPDX-License-Identifier: BSD-3-Clause
#include "cli/rules/region_names.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "cli/inspect/text.hpp"
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

}  // namespace nestbind::cli
