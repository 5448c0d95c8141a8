// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/output_files.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace nestbind::cli {

bool write_file(const std::string& name, const std::string& text) {
  std::FILE* const file = std::fopen(name.c_str(), "we");
  if (file == nullptr) {
    return false;
  }
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && is_written;
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
