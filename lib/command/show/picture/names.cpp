// SPDX-License-Identifier: BSD-3-Clause
#include "show/picture/names.hpp"

#include <algorithm>

#include "mask/cpu_list.hpp"

namespace nestbind::show::picture {

namespace {

constexpr Signs kUtf8{"\u00B7", "\u2500", "\u2502", {"\u250C", "\u2510", "\u2514", "\u2518"}};
constexpr Signs kAscii{".", "-", "|", {"+", "+", "+", "+"}};

// True for the threads 0.2 and 0.3, for example. Marks must be equal.
bool follows(const Occupant& next, const Occupant& one) {
  return one.name.empty() && next.name.empty() && one.mark == next.mark && !one.path.empty() &&
         one.path.size() == next.path.size() && one.path.back() + 1 == next.path.back() &&
         std::equal(one.path.begin(), one.path.end() - 1, next.path.begin());
}

struct Entry {
  Span span;
  int threads = 1;
};

Entry entry_of(const Occupant& first, const Occupant& last, int threads, const std::string& sign) {
  const bool is_of_one_team = threads == 1 || first.path.size() > 1;
  const int team = is_of_one_team && !first.path.empty() ? first.path[0] : -1;
  const std::string text = name_of(first) + (threads == 1 ? "" : "-" + name_of(last));
  return {{text + sign, team}, threads};
}

std::vector<Entry> entries_of(const std::vector<int>& who, const std::vector<Occupant>& occupants,
                              Marks* marks) {
  constexpr int kFewestOfRange = 3;
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < who.size();) {
    const Occupant& first = occupants[who[i]];
    std::size_t end = i + 1;
    while (end < who.size() && follows(occupants[who[end]], occupants[who[end - 1]])) {
      ++end;
    }
    const int threads = static_cast<int>(end - i) < kFewestOfRange ? 1 : static_cast<int>(end - i);
    const std::string sign = marks == nullptr ? "" : marks->sign_of(first.mark);
    entries.push_back(entry_of(first, occupants[who[i + threads - 1]], threads, sign));
    i += threads;
  }
  return entries;
}

std::string word_of(Kind kind, bool is_one) {
  static constexpr struct {
    const char* one;
    const char* several;
  } kWords[] = {{"board", "boards"}, {"package", "packages"},
                {"node", "nodes"},   {"die", "dies"},
                {"L3", "L3"},        {"L2", "L2"}};
  const auto& words = kWords[static_cast<int>(kind)];
  return is_one ? words.one : words.several;
}

}  // namespace

const Signs& signs_of(const Canvas& canvas) { return canvas.is_utf8 ? kUtf8 : kAscii; }

std::string name_of(const Occupant& occupant) {
  if (!occupant.name.empty()) {
    return occupant.name;
  }
  std::string text;
  for (const int number : occupant.path) {
    text += (text.empty() ? "" : ".") + std::to_string(number);
  }
  return text.empty() ? "initial" : text;
}

std::string Marks::sign_of(const std::string& mark) {
  static constexpr char kSigns[] = {'!', '?', '*', '#', '&'};
  if (mark.empty()) {
    return "";
  }
  const auto found = std::ranges::find(texts_, mark);
  const auto number = static_cast<std::size_t>(found - texts_.begin());
  if (found == texts_.end()) {
    texts_.push_back(mark);
  }
  return {kSigns[std::min(number, std::size(kSigns) - 1)]};
}

Line names_of(const std::vector<int>& who, const std::vector<Occupant>& occupants, Marks* marks,
              const std::string& between, int most) {
  const std::vector<Entry> entries = entries_of(who, occupants, marks);
  const int all = static_cast<int>(who.size());
  const auto more_text = [&](int threads) {
    return (between == "+" ? "+" : " +") + std::to_string(threads) + " more";
  };
  Line line;
  int width = 0;
  int left = all;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& [span, threads] = entries[i];
    const int own = static_cast<int>(span.text.size() + (i == 0 ? 0 : between.size()));
    const int rest = left - threads;
    const int behind = rest == 0 ? 0 : static_cast<int>(more_text(rest).size());
    if (i > 0 && width + own + behind > most) {
      break;
    }
    if (i > 0) {
      line.push_back({between, -1});
    }
    line.push_back(span);
    width += own;
    left = rest;
  }
  if (left > 0) {
    line.push_back({more_text(left), -1});
  }
  return line;
}

std::string object_name(const Label& label) {
  return word_of(label.kind, label.numbers.size() == 1) + " " + mask::list(label.numbers);
}

std::string title_of(const Part& box, bool is_full) {
  const std::string devices = box.devices.empty() ? "" : ": " + box.devices;
  if (box.labels.empty()) {
    return "machine" + devices;
  }
  std::string title = object_name(box.labels[0]);
  for (std::size_t i = 1; is_full && i < box.labels.size(); ++i) {
    const Label& label = box.labels[i];
    // A cache that is the only one in its box needs no number.
    title += ", " + (label.kind >= Kind::kDie ? word_of(label.kind, true) : object_name(label));
  }
  return title + devices;
}

}  // namespace nestbind::show::picture
