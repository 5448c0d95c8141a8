// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

#include "cli/inspect/text.hpp"
#include "support/decimal.hpp"

namespace nestbind::cli {

namespace {

// Returns the locale's name from the variables (setlocale(3)). The locale need not be installed.
std::string locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (const std::string value = inspect::variable(name); !value.empty()) {
      return value;
    }
  }
  return "C";
}

int columns_variable() {
  const std::string value = inspect::variable("COLUMNS");
  int columns = 0;
  support::read_decimal(value.data(), value.size(), INT_MAX, columns);
  return columns;
}

}  // namespace

bool is_on_terminal() { return isatty(STDOUT_FILENO) == 1; }

bool is_utf8(const std::string& locale) {
  const std::size_t dot = locale.find('.');
  if (dot == std::string::npos) {
    return false;
  }
  std::string encoding;
  for (const char c : locale.substr(dot + 1, locale.find('@') - dot - 1)) {
    if (c != '-') {
      encoding += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
  }
  return encoding == "utf8";
}

show::Canvas output_canvas() {
  constexpr int kRowsOfOthers = 8;
  constexpr int kFewestRows = 16;
  show::Canvas canvas;
  canvas.is_utf8 = is_utf8(locale());
  if (is_on_terminal()) {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
      canvas.columns = size.ws_col;
      canvas.rows = std::max(size.ws_row - kRowsOfOthers, kFewestRows);
    }
    const std::string terminal = inspect::variable("TERM");
    canvas.has_colour =
        inspect::variable("NO_COLOR").empty() && !terminal.empty() && terminal != "dumb";
  }
  const int columns = columns_variable();
  canvas.columns = columns > 0 ? columns : canvas.columns;
  return canvas;
}

int text_columns(int otherwise) {
  return is_on_terminal() || columns_variable() > 0 ? output_canvas().columns : otherwise;
}

}  // namespace nestbind::cli
