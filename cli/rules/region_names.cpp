// SPDX-License-Identifier: BSD-3-Clause
#include "cli/rules/region_names.hpp"

#include <algorithm>

namespace nestbind::cli {

namespace {

constexpr std::string_view kOperator = "operator";
constexpr std::string_view kUnnamed = "(anonymous namespace)";

bool is_lambda(const std::string& part) {
  return part.starts_with("{lambda") || part.starts_with("$_");
}

// Splits a demangled name at "::" outside of all brackets.
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

}  // namespace

std::vector<std::string> parts_of_name(std::string_view demangled) {
  std::vector<std::string> parts = Parts().of(demangled);
  while (parts.size() > 2 && is_lambda(parts[parts.size() - 2])) {
    parts.resize(parts.size() - 2);
  }
  return parts;
}

std::string plain_name(const std::string& name) {
  if (const std::size_t module = name.rfind("_MOD_"); module != std::string::npos) {
    return name.substr(module + 5);  // gfortran: __MODULE_MOD_PROCEDURE
  }
  if (name.starts_with("_Q")) {  // Flang: _QMMODULEPprocedure, _QPprocedure, _QQmain
    return name.substr(name.find_last_of("PQFS") + 1);
  }
  if (name == "MAIN__") {
    return "main";
  }
  const bool is_fortran = name.size() > 1 && name.ends_with('_') &&
                          name.find("::") == std::string::npos && name.find('(') == name.npos;
  return is_fortran ? name.substr(0, name.size() - 1) : name;
}

bool is_meant_by(std::string_view name, const std::string& demangled, std::string_view symbol) {
  if (name.empty() || demangled.empty()) {
    return false;
  }
  if (name == symbol || name == demangled || name == plain_name(demangled)) {
    return true;
  }
  const std::vector<std::string> wanted = Parts().of(name);
  const std::vector<std::string> parts = parts_of_name(demangled);
  return !wanted.empty() && wanted.size() <= parts.size() &&
         std::equal(wanted.rbegin(), wanted.rend(), parts.rbegin());
}

}  // namespace nestbind::cli
