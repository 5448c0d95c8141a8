// SPDX-License-Identifier: BSD-3-Clause
// What the doctor finds: lines under topics, and whether any of it prevents binding.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace nestbind::cli {

struct Findings {
  struct Line {
    std::string topic;
    std::string text;
  };
  std::vector<Line> lines;
  bool has_problem = false;

  void fact(std::string topic, std::string text) {
    lines.push_back({std::move(topic), std::move(text)});
  }
  // Something because of which the program will not be bound.
  void problem(std::string text) {
    fact("problem", std::move(text));
    has_problem = true;
  }
};

}  // namespace nestbind::cli
