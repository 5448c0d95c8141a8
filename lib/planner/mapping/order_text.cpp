// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/order_text.hpp"

#include <algorithm>
#include <optional>

#include "spec/spec.hpp"

namespace nestbind::mapping {

namespace {

constexpr char kTeam[] = "team";
constexpr int kMostNumber = spec::kMaxThreads - 1;

bool is_empty(Lines& lines) { return lines.at_end() || lines.cursor().is_at('#'); }

// Reads "team", the path of its primary thread (which may be missing), and ":".
bool read_primary(Lines& lines, std::vector<int>& primary, Fault& fault) {
  support::TextCursor& cursor = lines.cursor();
  const std::size_t end = cursor.word_end();
  if (!cursor.has_word(end, kTeam)) {
    fault = lines.fault("not a line of an order", "\"team\", or # and a comment");
    return false;
  }
  cursor.at = end;
  cursor.skip_blanks();
  if (!cursor.is_at(':') && !lines.read_path(kMostNumber, primary)) {
    fault = lines.fault("no thread", "its numbers, such as 0.3, or \":\"");
    return false;
  }
  cursor.skip_blanks();
  if (!cursor.is_at(':')) {
    fault = lines.fault("the team's primary thread ends here", "\":\"");
    return false;
  }
  ++cursor.at;
  if (primary.size() >= static_cast<std::size_t>(spec::kMaxLevels)) {
    fault = lines.fault_at(0, "a team on too deep a level",
                           "at most " + std::to_string(spec::kMaxLevels - 1) + " numbers");
    return false;
  }
  return true;
}

struct Seen {
  int number;
  std::size_t position;
};

bool read_positions(Lines& lines, std::vector<Seen>& positions, Fault& fault) {
  while (!is_empty(lines)) {
    const std::size_t position = lines.cursor().at;
    int number = 0;
    const bool is_number = lines.read_number(kMostNumber, number);
    if (!is_number ||
        (!lines.cursor().at_end() && !support::is_blank(lines.line()[lines.cursor().at]))) {
      fault = lines.fault("not the number of a member", "numbers with blanks between them");
      return false;
    }
    positions.push_back({number, position});
  }
  if (positions.empty()) {
    fault = lines.fault("a team without members", "0, and the numbers of its other members");
    return false;
  }
  return true;
}

bool check_positions(const Lines& lines, const std::vector<Seen>& positions, Fault& fault) {
  if (positions[0].number != 0) {
    fault = lines.fault_at(positions[0].position, "the primary thread keeps its place", "0");
    return false;
  }
  std::vector<bool> taken(positions.size(), false);
  for (const auto& [number, position] : positions) {
    if (number >= static_cast<int>(positions.size())) {
      fault = lines.fault_at(
          position, "a team of " + std::to_string(positions.size()) + " has no such member",
          "a number below that");
      return false;
    }
    if (taken[number]) {
      fault = lines.fault_at(position, "two members on one place", "each number once");
      return false;
    }
    taken[number] = true;
  }
  return true;
}

std::optional<plan::Path> path_of(const std::vector<int>& primary, plan::Plan& plan) {
  plan::Path path;
  for (const int number : primary) {
    const int size = plan.next_size(path);
    if (number >= size) {
      return std::nullopt;
    }
    path.push_back({number, size});
  }
  return path;
}

std::string name_of(const std::vector<int>& primary) {
  std::string name;
  for (const int number : primary) {
    name += (name.empty() ? " of thread " : ".") + std::to_string(number);
  }
  return name.empty() ? "outermost team" : "team" + name;
}

}  // namespace

bool parse_order(std::string_view text, plan::Order& order, Fault& fault) {
  plan::Order read;
  for (Lines lines(text); lines.next();) {
    if (is_empty(lines)) {
      continue;
    }
    std::vector<int> primary;
    std::vector<Seen> positions;
    if (!read_primary(lines, primary, fault) || !read_positions(lines, positions, fault) ||
        !check_positions(lines, positions, fault)) {
      return false;
    }
    if (read.teams().contains(primary)) {
      fault = lines.fault_at(0, "this team has its order already", "each team once");
      return false;
    }
    plan::Order::Positions numbers;
    for (const Seen& seen : positions) {
      numbers.push_back(seen.number);
    }
    read.set(std::move(primary), std::move(numbers));
  }
  order = std::move(read);
  return true;
}

std::string print_order(const plan::Order& order, const std::vector<std::string>& comments) {
  std::string text;
  for (const std::string& comment : comments) {
    text += "# " + comment + "\n";
  }
  for (const auto& [primary, positions] : order.teams()) {
    text += kTeam;
    for (std::size_t i = 0; i < primary.size(); ++i) {
      text += (i == 0 ? " " : ".") + std::to_string(primary[i]);
    }
    text += ":";
    for (const int position : positions) {
      text += " " + std::to_string(position);
    }
    text += "\n";
  }
  return text;
}

std::string unused_in(const plan::Order& order, plan::Plan& plan) {
  for (const auto& [primary, positions] : order.teams()) {
    const auto path = path_of(primary, plan);
    const int size = path ? plan.next_size(*path) : 0;
    if (size != static_cast<int>(positions.size())) {
      return "is for other teams: the " + name_of(primary) + " has " +
             std::to_string(positions.size()) + " members there, and " +
             (size == 0 ? "there is none" : std::to_string(size)) +
             " by the specification; such teams have the plain order";
    }
  }
  return "";
}

}  // namespace nestbind::mapping
