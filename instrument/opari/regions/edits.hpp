// SPDX-License-Identifier: BSD-3-Clause
// Collects changes of a text, and applies them in the text's order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace nestbind::opari {

class Edits {
 public:
  // Replaces [begin, end). If several changes are at one position, the lowest rank is first.
  void replace(std::size_t begin, std::size_t end, std::string text, int rank = 0) {
    edits_.push_back({begin, end, rank, edits_.size(), std::move(text)});
  }

  std::string applied_to(std::string_view text) const {
    std::vector<Edit> sorted = edits_;
    std::sort(sorted.begin(), sorted.end(), [](const Edit& a, const Edit& b) {
      return std::tie(a.begin, a.rank, a.order) < std::tie(b.begin, b.rank, b.order);
    });
    std::string result;
    std::size_t at = 0;
    for (const Edit& edit : sorted) {
      result += text.substr(at, edit.begin - at);
      result += edit.text;
      at = std::max(at, edit.end);
    }
    result += text.substr(std::min(at, text.size()));
    return result;
  }

 private:
  struct Edit {
    std::size_t begin;
    std::size_t end;
    int rank;
    std::size_t order;
    std::string text;
  };

  std::vector<Edit> edits_;
};

}  // namespace nestbind::opari
