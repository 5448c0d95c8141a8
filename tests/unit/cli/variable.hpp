// SPDX-License-Identifier: BSD-3-Clause
// Sets a variable until the end of a test.
#pragma once

#include <cstdlib>
#include <string>

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
