// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/ranks/traffic_text.hpp"

#include <charconv>
#include <cstdint>
#include <limits>

namespace nestbind::mapping {

namespace {

constexpr int kMostRanks = 1 << 24;

bool take_word(Lines& lines, const char* word) {
  lines.at_end();
  const std::size_t begin = lines.cursor().at;
  const bool is_there = lines.take_word() == word;
  lines.cursor().at = is_there ? lines.cursor().at : begin;
  return is_there;
}

bool take_rank(Lines& lines, int& rank, Fault& fault) {
  lines.at_end();
  if (lines.read_number(kMostRanks, rank)) {
    return true;
  }
  fault = lines.fault("not a rank", "a number");
  return false;
}

bool take_count(Lines& lines, double& count, Fault& fault) {
  lines.at_end();
  if (!lines.cursor().is_at_digit()) {
    fault = lines.fault("no number of bytes or messages", "a number");
    return false;
  }
  count =
      static_cast<double>(lines.cursor().take_decimal(std::numeric_limits<std::int64_t>::max()));
  return true;
}

std::string rest_of(Lines& lines) {
  lines.at_end();
  return std::string(lines.line().substr(lines.cursor().at));
}

}  // namespace

bool parse_traffic(std::string_view text, RankTrafficFile& file, Fault& fault) {
  Lines lines(text);
  lines.next();
  if (!take_word(lines, "nestbind") || !take_word(lines, "traffic") || !take_word(lines, "1")) {
    fault = lines.fault_at(0, "not a file of nestbind's recorder", "nestbind traffic 1");
    return false;
  }
  while (lines.next()) {
    if (lines.at_end()) {
      continue;
    }
    const std::size_t begin = lines.cursor().at;
    if (take_word(lines, "end")) {
      if (file.ranks > 0) {
        return true;
      }
      fault = lines.fault_at(begin, "the file does not say its rank", "rank NUMBER of RANKS");
      return false;
    }
    if (take_word(lines, "without")) {
      file.without = rest_of(lines);
    } else if (take_word(lines, "rank")) {
      if (!take_rank(lines, file.rank, fault)) {
        return false;
      }
      if (!take_word(lines, "of") || !take_rank(lines, file.ranks, fault)) {
        fault = lines.fault("no number of ranks", "rank NUMBER of RANKS on HOST");
        return false;
      }
      if (take_word(lines, "on")) {
        file.host = rest_of(lines);
      }
    } else if (take_word(lines, "to")) {
      Message message{file.rank, 0, 0};
      double messages = 0;
      const std::size_t at = lines.cursor().at + 1;
      if (!take_rank(lines, message.to, fault) || !take_count(lines, message.bytes, fault) ||
          !take_count(lines, messages, fault)) {
        return false;
      }
      if (message.to >= file.ranks) {
        fault = lines.fault_at(at, "there is no such rank",
                               "a rank below " + std::to_string(file.ranks));
        return false;
      }
      file.messages.push_back(message);
    } else {
      fault = lines.fault("not a line of nestbind's recorder", "rank, without, to or end");
      return false;
    }
  }
  fault = lines.fault_at(0, "the file ends here: it was not written completely", "end");
  return false;
}

bool parse_monitoring(std::string_view text, std::string_view kinds, RankTrafficFile& file,
                      Fault& fault) {
  for (Lines lines(text); lines.next();) {
    if (lines.at_end()) {
      continue;
    }
    const std::string_view kind = lines.take_word();
    if (kind != "E" && kind != "I" && kind != "C") {
      continue;
    }
    Message message;
    if (!take_rank(lines, message.from, fault) || !take_rank(lines, message.to, fault) ||
        !take_count(lines, message.bytes, fault)) {
      return false;
    }
    if (!take_word(lines, "bytes")) {
      fault = lines.fault("not a line of Open MPI's monitoring",
                          "E FROM TO NUMBER bytes NUMBER msgs sent");
      return false;
    }
    file.rank = message.from;
    if (kinds.find(kind) != std::string_view::npos) {
      file.messages.push_back(message);
    } else {
      file.left_out += message.bytes;
    }
  }
  return true;
}

}  // namespace nestbind::mapping
