// SPDX-License-Identifier: BSD-3-Clause
// A folder that the destructor removes, and functions for the contents of files.
#pragma once

#include <stdlib.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

class Folder {
 public:
  Folder() {
    std::string name = "/tmp/nestbind-unit-XXXXXX";
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name, const std::string& text, mode_t mode = 0644) const {
    std::ofstream(path_ + "/" + name) << text;
    chmod((path_ + "/" + name).c_str(), mode);
    return path_ + "/" + name;
  }

 private:
  std::string path_;
};

inline std::string content(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}
