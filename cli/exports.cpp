// SPDX-License-Identifier: BSD-3-Clause
#include "cli/exports.hpp"

#include <cstdlib>

namespace nestbind::cli {

std::string shell_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

std::string exports(const std::vector<std::string>& names) {
  std::string lines;
  for (const std::string& name : names) {
    if (const char* value = std::getenv(name.c_str())) {
      lines += "export " + name + "=" + shell_quoted(value) + "\n";
    }
  }
  return lines;
}

}  // namespace nestbind::cli
