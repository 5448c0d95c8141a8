// SPDX-License-Identifier: BSD-3-Clause
// What the doctor finds: lines under topics, and whether any of it prevents binding.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/printable.hpp"

namespace nestbind::cli {

struct Findings {
  struct Line {
    std::string topic;
    std::string text;  // printable but for line breaks of our own
  };
  std::vector<Line> lines;
  bool has_problem = false;
  std::string ignored;  // the variables with such a setting: "A and B"

  // Of the text, names and values may be anything.
  void fact(std::string topic, const std::string& text) {
    lines.push_back({std::move(topic), printable(text)});
  }
  // Something because of which the program will not be bound.
  void problem(const std::string& text) { printable_problem(printable(text)); }
  // A setting of this variable that the library ignores, of something that binding does not depend
  // on.
  void printable_ignored(std::string topic, const char* variable, std::string text) {
    lines.push_back({std::move(topic), std::move(text)});
    ignored += (ignored.empty() ? "" : " and ") + std::string(variable);
  }
  // The same in several lines.
  void printable_problem(std::string text) {
    lines.push_back({"problem", std::move(text)});
    has_problem = true;
  }
};

// On the standard output, a column of topics before the texts.
void print(const Findings& findings);

}  // namespace nestbind::cli
