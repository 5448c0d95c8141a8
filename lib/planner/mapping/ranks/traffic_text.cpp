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

// A line "# ..." of nestbind's recorder, or a comment.
bool read_comment(Lines& lines, RankTrafficFile& file, Fault& fault) {
  ++lines.cursor().at;
  if (take_word(lines, "without")) {
    lines.at_end();
    file.without = lines.line().substr(lines.cursor().at);
  } else if (take_word(lines, "end")) {
    file.is_complete = true;
  } else if (take_word(lines, "nestbind:")) {
    file.is_complete = false;
    if (!take_word(lines, "rank") || !take_rank(lines, file.rank, fault) ||
        !take_word(lines, "of") || !take_rank(lines, file.ranks, fault) ||
        file.rank >= file.ranks) {
      fault = lines.fault("the file does not say its rank", "rank NUMBER of RANKS");
      return false;
    }
  }
  return true;
}

}  // namespace

bool parse_traffic(std::string_view text, std::string_view kinds, RankTrafficFile& file,
                   Fault& fault) {
  Lines lines(text);
  bool has_traffic = false;  // or a comment, as each file of a recorder has
  while (lines.next()) {
    if (lines.at_end()) {
      continue;
    }
    if (lines.cursor().is_at('#')) {
      has_traffic = true;
      if (!read_comment(lines, file, fault)) {
        return false;
      }
      continue;
    }
    const std::string_view kind = lines.take_word();
    if (kind != "E" && kind != "I" && kind != "C") {
      continue;
    }
    has_traffic = true;
    Message message;
    if (!take_rank(lines, message.from, fault) || !take_rank(lines, message.to, fault) ||
        !take_count(lines, message.bytes, fault)) {
      return false;
    }
    if (!take_word(lines, "bytes")) {
      fault = lines.fault("not a line of traffic", "E FROM TO NUMBER bytes NUMBER msgs sent");
      return false;
    }
    if (kinds.find(kind) != std::string_view::npos) {
      file.messages.push_back(message);
    } else {
      file.left_out += message.bytes;
    }
  }
  if (!has_traffic || !file.is_complete) {
    fault = lines.fault_at(0, "the file ends here: it was not written completely",
                           has_traffic ? "# end" : "lines of traffic");
  }
  return has_traffic && file.is_complete;
}

}  // namespace nestbind::mapping
