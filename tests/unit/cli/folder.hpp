// SPDX-License-Identifier: BSD-3-Clause
// A folder, and a variable's value, that are gone behind a test.
#pragma once

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

class Folder {
 public:
  Folder() {
    char name[] = "/tmp/nestbind-unit-XXXXXX";
    path_ = mkdtemp(name);
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

class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    const char* before = std::getenv(name);
    had_one_ = before != nullptr;
    before_ = had_one_ ? before : "";
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { had_one_ ? setenv(name_, before_.c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::string before_;
  bool had_one_ = false;
};
