// SPDX-License-Identifier: BSD-3-Clause
// What the doctor finds: lines under topics, and whether any of it prevents binding.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace nestbind::cli {

class Findings {
 public:
  void fact(std::string topic, std::string text) {
    lines_.push_back({std::move(topic), std::move(text)});
  }
  // Something because of which the program will not be bound.
  void problem(std::string text) {
    fact("problem", std::move(text));
    has_problem_ = true;
  }
  bool has_problem() const { return has_problem_; }

  struct Line {
    std::string topic;
    std::string text;
  };
  const std::vector<Line>& lines() const { return lines_; }

 private:
  std::vector<Line> lines_;
  bool has_problem_ = false;
};

}  // namespace nestbind::cli
