// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/output_files.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "cli/common/printable.hpp"
#include "cli/common/say.hpp"
#include "cli/inspect/program.hpp"
#include "cli/inspect/text.hpp"
#include "support/decimal.hpp"

namespace nestbind::cli {

bool write_file(const std::string& name, const std::string& text) {
  std::FILE* const file = std::fopen(name.c_str(), "we");
  if (file == nullptr) {
    return false;
  }
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && is_written;
}

bool replace_file(const std::string& name, const std::string& text) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_type type = fs::symlink_status(name, error).type();
  const std::string folder = fs::path(name).parent_path();
  if ((type != fs::file_type::regular && type != fs::file_type::not_found) ||
      access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) {
    return write_file(name, text);
  }
  const std::string temporary = name + "." + std::to_string(getpid());
  const bool is_written =
      write_file(temporary, text) && std::rename(temporary.c_str(), name.c_str()) == 0;
  const int fault = errno;
  if (!is_written) {
    fs::remove(temporary, error);
  }
  errno = fault;
  return is_written;
}

int output_error(const std::string& name) {
  std::error_code error;
  if (std::filesystem::is_directory(name, error)) {
    return EISDIR;
  }
  const std::string folder = std::filesystem::path(name).parent_path();
  const bool is_there = std::filesystem::exists(name, error);
  const int known = is_there ? access(name.c_str(), W_OK)
                             : access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK);
  return known == 0 ? 0 : errno;
}

namespace {

// The file of --output.
struct {
  std::string file;
  bool is_png = false;
  std::FILE* opened = nullptr;  // the file, or the converter
} g_output;

bool open_output() {
  if (g_output.opened == nullptr) {
    g_output.opened =
        g_output.is_png
            ? popen(("rsvg-convert --output " + shell_word(g_output.file)).c_str(), "we")
            : std::fopen(g_output.file.c_str(), "we");
  }
  return g_output.opened != nullptr;
}

ssize_t put(void* /*cookie*/, const char* text, std::size_t size) {
  const bool is_written = open_output() && std::fwrite(text, 1, size, g_output.opened) == size &&
                          std::fflush(g_output.opened) == 0;
  return is_written ? static_cast<ssize_t>(size) : 0;
}

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

void redirect_output(const std::string& file, bool draws) {
  g_output.is_png = draws && file.ends_with(".png");
  if (g_output.is_png && !inspect::find_program("rsvg-convert")) {
    throw std::runtime_error("--output " + printable(file) +
                             ": a PNG needs rsvg-convert, which is not installed (Debian: "
                             "librsvg2-bin); FILE.svg needs nothing");
  }
  g_output.file = file;
  int error = output_error(file);
  // The standard output is no terminal now, so pictures do not depend on a terminal's width.
  if (error == 0 && std::freopen("/dev/null", "we", stdout) == nullptr) {
    error = errno;
  }
  if (error != 0) {
    throw std::runtime_error("--output " + printable(file) + ": " + std::strerror(error));
  }
  stdout = fopencookie(nullptr, "w", {nullptr, put, nullptr, nullptr});
}

int close_output(int status) {
  status = written(status);
  if (g_output.file.empty() || (status != kSuccess && g_output.opened == nullptr)) {
    return status;
  }
  const bool is_open = open_output();
  if (is_open && (g_output.is_png ? pclose(g_output.opened) : std::fclose(g_output.opened)) == 0) {
    return status;
  }
  if (!g_output.is_png) {
    say("--output {}: {}", g_output.file, std::strerror(errno));
  }
  return status == kSuccess ? kFailure : status;
}

TemporaryFolder::TemporaryFolder(const std::string& name) {
  const char* parent = std::getenv("TMPDIR");
  std::string path = std::string(parent == nullptr || *parent == '\0' ? "/tmp" : parent) +
                     "/nestbind-" + name + "-XXXXXX";
  if (mkdtemp(path.data()) != nullptr) {
    path_ = path;
  } else {
    fault_ = path + ": " + std::strerror(errno);
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) {
    std::filesystem::remove_all(path_, ignored);
  }
}

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

namespace {

bool wants_colour(const std::string& asked) {
  if (asked != "auto") {
    return asked == "always";
  }
  const std::string terminal = inspect::variable("TERM");
  const std::string forced = inspect::variable("CLICOLOR_FORCE");
  const bool is_able = is_on_terminal() && !terminal.empty() && terminal != "dumb";
  return inspect::variable("NO_COLOR").empty() && (is_able || (!forced.empty() && forced != "0"));
}

}  // namespace

show::Canvas output_canvas(const std::string& colour) {
  constexpr int kRowsOfOthers = 8;
  constexpr int kFewestRows = 16;
  show::Canvas canvas;
  canvas.is_utf8 = is_utf8(locale());
  canvas.has_colour = wants_colour(colour);
  if (is_on_terminal()) {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
      canvas.columns = size.ws_col;
      canvas.rows = std::max(size.ws_row - kRowsOfOthers, kFewestRows);
    }
  }
  const int columns = columns_variable();
  canvas.columns = columns > 0 ? columns : canvas.columns;
  return canvas;
}

int text_columns(int otherwise) {
  return is_on_terminal() || columns_variable() > 0 ? output_canvas().columns : otherwise;
}

}  // namespace nestbind::cli
