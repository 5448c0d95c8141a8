// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/communication.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace nestbind::mapping {

namespace {

constexpr char kBanner[] = "%%matrixmarket";
constexpr int kMostThreads = std::numeric_limits<int>::max();

class Sums {
 public:
  void add(int a, int b, double weight) {
    if (a != b && weight > 0) {
      sums_[std::minmax(a, b)] += weight;
    }
  }
  Communication pairs() const {
    Communication pairs;
    for (const auto& [threads, weight] : sums_) {
      pairs.push_back({threads.first, threads.second, weight});
    }
    return pairs;
  }

 private:
  std::map<std::pair<int, int>, double> sums_;
};

bool is_comment(Lines& lines) {
  return lines.at_end() || lines.cursor().is_at('#') || lines.cursor().is_at('%');
}

bool expect_end(Lines& lines, Fault& fault) {
  if (is_comment(lines)) {
    return true;
  }
  fault = lines.fault("too many words in this line", "the end of the line");
  return false;
}

bool read_weight(Lines& lines, double& weight, Fault& fault) {
  lines.at_end();
  support::TextCursor& cursor = lines.cursor();
  const char* const begin = cursor.text + cursor.at;
  const char* const end = cursor.text + cursor.size;
  double number = 0;
  const auto [rest, error] = std::from_chars(begin, end, number);
  const bool is_apart = rest == end || support::is_blank(*rest) || *rest == '#' || *rest == '%';
  if (begin == end || error != std::errc{} || !is_apart ||
      !(number >= 0 && number <= kLargestWeight)) {
    fault = lines.fault("no weight", "a number from 0 to 1e15");
    return false;
  }
  cursor.at += static_cast<std::size_t>(rest - begin);
  weight = number;
  return true;
}

std::string range_of(int threads) { return "0 to " + std::to_string(threads - 1); }

bool read_thread(Lines& lines, const Threads& threads, int& number, Fault& fault) {
  lines.at_end();
  const std::size_t position = lines.cursor().at;
  std::vector<int> path;
  if (!lines.read_path(kMostThreads, path)) {
    fault = lines.fault(std::string("no ") + threads.word,
                        (threads.all.size() > 1 ? "a path such as 0.2, or " : "") +
                            std::string("a number from ") + range_of(threads.count()));
    return false;
  }
  if (!lines.cursor().at_end() && !support::is_blank(lines.line()[lines.cursor().at])) {
    fault = lines.fault(std::string("not a ") + threads.word + "'s name",
                        "numbers with points between them");
    return false;
  }
  const bool is_number = path.size() == 1;
  number = is_number && path[0] < threads.count() ? path[0]
           : is_number                            ? -1
                                                  : find_thread(threads, path);
  if (number < 0) {
    fault = lines.fault_at(position, std::string(threads.of) + " has no such " + threads.word,
                           is_number || threads.all.size() == 1
                               ? range_of(threads.count())
                               : "the path of a thread of the last level");
    return false;
  }
  return true;
}

bool parse_lines(Lines lines, const Threads& threads, Sums& sums, Fault& fault) {
  do {
    int a = 0;
    int b = 0;
    double weight = 0;
    if (is_comment(lines)) {
      continue;
    }
    if (!read_thread(lines, threads, a, fault) || !read_thread(lines, threads, b, fault) ||
        !read_weight(lines, weight, fault) || !expect_end(lines, fault)) {
      return false;
    }
    sums.add(a, b, weight);
  } while (lines.next());
  return true;
}

bool next_line(Lines& lines) {
  while (lines.next()) {
    if (!is_comment(lines)) {
      return true;
    }
  }
  return false;
}

struct Kind {
  bool has_weights = true;
  bool is_symmetric = false;
};

std::optional<int> read_word(Lines& lines, const std::vector<const char*>& words, Fault& fault) {
  lines.at_end();
  support::TextCursor& cursor = lines.cursor();
  const std::size_t end = cursor.word_end();
  std::string expected;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (cursor.has_word(end, words[i])) {
      cursor.at = end;
      return static_cast<int>(i);
    }
    expected += (expected.empty() ? "" : " or ") + std::string(words[i]);
  }
  fault = lines.fault("a matrix of another kind", expected);
  return std::nullopt;
}

// Reads the words after the first in "%%MatrixMarket matrix coordinate real general".
bool read_kind(Lines& lines, Kind& kind, Fault& fault) {
  lines.cursor().at = sizeof kBanner - 1;
  if (!read_word(lines, {"matrix"}, fault) || !read_word(lines, {"coordinate"}, fault)) {
    return false;
  }
  const auto field = read_word(lines, {"real", "integer", "pattern"}, fault);
  const auto symmetry = field ? read_word(lines, {"general", "symmetric"}, fault) : std::nullopt;
  kind = {field != 2, symmetry == 1};
  return symmetry.has_value();
}

bool read_index(Lines& lines, const Threads& threads, int& index, Fault& fault) {
  lines.at_end();
  const std::size_t position = lines.cursor().at;
  if (lines.read_number(threads.count(), index) && index >= 1) {
    return true;
  }
  fault = lines.fault_at(position, std::string("not a ") + threads.word + "'s number",
                         "1 to " + std::to_string(threads.count()));
  return false;
}

bool read_sizes(Lines& lines, const Threads& threads, int& entries, Fault& fault) {
  for (int i = 0; i < 2; ++i) {
    lines.at_end();
    const std::size_t position = lines.cursor().at;
    int size = 0;
    if (!lines.read_number(kMostThreads, size) || size != threads.count()) {
      fault = lines.fault_at(position, std::string("not as large as ") + threads.of,
                             std::to_string(threads.count()) + ", its " + threads.word + "s");
      return false;
    }
  }
  lines.at_end();
  if (!lines.read_number(kMostThreads, entries)) {
    fault = lines.fault("no number of entries", "how many lines follow");
    return false;
  }
  return expect_end(lines, fault);
}

bool is_banner(Lines& lines) {
  return lines.line().size() >= sizeof kBanner - 1 &&
         lines.cursor().has_word(sizeof kBanner - 1, kBanner);
}

bool parse_matrix(Lines& lines, const Threads& threads, Sums& sums, Fault& fault) {
  Kind kind;
  int entries = 0;
  if (!read_kind(lines, kind, fault)) {
    return false;
  }
  const Lines banner = lines;
  if (!next_line(lines)) {
    fault = banner.fault_at(banner.line().size(), "the matrix ends here",
                            "its rows, columns and entries");
    return false;
  }
  if (!read_sizes(lines, threads, entries, fault)) {
    return false;
  }
  int found = 0;
  Lines last = lines;
  while (next_line(lines)) {
    int row = 0;
    int column = 0;
    double weight = 1;
    if (++found > entries) {
      fault = lines.fault("more entries than were announced", std::to_string(entries) + " of them");
      return false;
    }
    if (!read_index(lines, threads, row, fault) || !read_index(lines, threads, column, fault) ||
        (kind.has_weights && !read_weight(lines, weight, fault)) || !expect_end(lines, fault)) {
      return false;
    }
    sums.add(row - 1, column - 1, kind.is_symmetric ? 2 * weight : weight);
    last = lines;
  }
  if (found < entries) {
    fault = last.fault_at(last.line().size(), "fewer entries than were announced",
                          std::to_string(entries) + " of them");
    return false;
  }
  return true;
}

}  // namespace

bool is_matrix(std::string_view text) {
  Lines lines(text);
  return lines.next() && is_banner(lines);
}

int threads_in(std::string_view text, int most) {
  int threads = 0;
  Lines lines(text);
  if (!lines.next()) {
    return 0;
  }
  if (is_banner(lines)) {
    return next_line(lines) && lines.read_number(most, threads) ? threads : 0;
  }
  do {
    int number = 0;
    for (int i = 0; i < 2 && !is_comment(lines) && lines.read_number(most - 1, number); ++i) {
      threads = std::max(threads, number + 1);
    }
  } while (lines.next());
  return threads;
}

bool parse_communication(std::string_view text, const Threads& threads, Communication& pairs,
                         Fault& fault) {
  Sums sums;
  Lines lines(text);
  bool is_good = true;
  if (lines.next()) {
    is_good = is_banner(lines) ? parse_matrix(lines, threads, sums, fault)
                               : parse_lines(lines, threads, sums, fault);
  }
  if (is_good) {
    pairs = sums.pairs();
  }
  return is_good;
}

}  // namespace nestbind::mapping
