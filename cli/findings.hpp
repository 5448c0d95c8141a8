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
    lines_.push_back({"problem", std::move(text)});
    ++problems_;
  }
  bool has_problem() const { return problems_ > 0; }

  struct Line {
    std::string topic;
    std::string text;
  };
  const std::vector<Line>& lines() const { return lines_; }

 private:
  std::vector<Line> lines_;
  int problems_ = 0;
};

}  // namespace nestbind::cli
