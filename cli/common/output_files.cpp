// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/output_files.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "cli/common/printable.hpp"
#include "cli/common/say.hpp"
#include "cli/inspect/program.hpp"

namespace nestbind::cli {

bool write_file(const std::string& name, const std::string& text) {
  std::FILE* const file = std::fopen(name.c_str(), "we");
  if (file == nullptr) {
    return false;
  }
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && is_written;
}

namespace {

std::FILE* g_converter = nullptr;  // of --output FILE.png

}  // namespace

void redirect_output(const std::string& file, bool draws) {
  const bool is_png = draws && file.ends_with(".png");
  if (is_png && !inspect::find_program("rsvg-convert")) {
    throw std::runtime_error("--output " + printable(file) +
                             ": a PNG takes rsvg-convert, which is not installed (Debian: "
                             "librsvg2-bin); FILE.svg does not");
  }
  if (is_png) {
    g_converter = popen(("rsvg-convert --output " + shell_word(file)).c_str(), "we");
  }
  const bool is_open =
      is_png ? g_converter != nullptr && dup2(fileno(g_converter), STDOUT_FILENO) == STDOUT_FILENO
             : std::freopen(file.c_str(), "w", stdout) != nullptr;
  if (!is_open) {
    throw std::runtime_error("--output " + printable(file) + ": " + std::strerror(errno));
  }
}

int close_output(int status) {
  status = written(status);
  if (g_converter == nullptr) {
    return status;
  }
  close(STDOUT_FILENO);
  const bool is_converted = pclose(g_converter) == 0;
  return is_converted || status != kSuccess ? status : kFailure;
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

}  // namespace nestbind::cli
