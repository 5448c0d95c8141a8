// SPDX-License-Identifier: BSD-3-Clause
#include "show/picture/contents.hpp"

#include <algorithm>
#include <cstdlib>

#include "mask/cpu_list.hpp"
#include "show/picture/alike_parts.hpp"
#include "show/picture/contents.hpp"

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

void append(Line& line, const Line& more) { line.insert(line.end(), more.begin(), more.end()); }

Line core_text(const Part& core, const Subject& subject) {
  Line line;
  for (const Stretch& stretch : core.stretches) {
    if (!line.empty()) {
      line.push_back({"|", -1});
    }
    append(line, stretch_text(stretch, subject));
  }
  return line;
}

std::string core_range(const Part& first, const Part& last, const Drawn& drawn) {
  const std::string word = drawn.has_cores ? "core" : "processor";
  const auto number = [&](const Part& core) {
    return std::to_string(drawn.has_cores ? core.number : drawn.cpus[core.begin]);
  };
  return &first == &last ? word + " " + number(first)
                         : word + "s " + number(first) + "-" + number(last);
}

struct Blocks {
  std::size_t length = 1;
  std::size_t count = 1;
  std::size_t cores() const { return length * count; }
};

// If several lengths cover the same number of cores, chooses the shortest length.
Blocks blocks_from(const std::vector<const Part*>& cores, std::size_t first,
                   const std::vector<Occupant>& occupants) {
  constexpr std::size_t kLongest = 16;
  Blocks best;
  for (std::size_t length = 1; length <= kLongest; ++length) {
    const auto followers = run_of_blocks(cores, first, length, occupants).followers;
    const Blocks blocks{length, static_cast<std::size_t>(followers) + 1};
    best = blocks.count > 1 && blocks.cores() > best.cores() ? blocks : best;
  }
  return best;
}

Line block_text(const std::vector<const Part*>& cores, std::size_t first, std::size_t length,
                const Subject& subject) {
  Line line;
  for (std::size_t i = first; i < first + length; ++i) {
    if (!line.empty()) {
      line.push_back({" ", -1});
    }
    append(line, core_text(*cores[i], subject));
  }
  return line;
}

// Returns a caption: "nodes 1-7 alike: team of 1 to team of 7".
std::string caption_of(const std::vector<const Part*>& parts, std::size_t first, const Run& run,
                       const std::vector<Occupant>& occupants) {
  Label label = parts[first + 1]->labels[0];
  for (int i = 2; i <= run.followers; ++i) {
    const std::vector<int>& numbers = parts[first + i]->labels[0].numbers;
    label.numbers.insert(label.numbers.end(), numbers.begin(), numbers.end());
  }
  return object_name(label) + " alike: " + run_text(*parts[first], run, occupants);
}

Item& item_for(const Part& part, std::vector<Item>& items) {
  const auto is_same = [&](const Item& item) {
    if (!part.is_core) {
      return !item.boxes.empty();
    }
    return !item.cores.empty() &&
           item.cores[0]->end - item.cores[0]->begin == part.end - part.begin;
  };
  if (items.empty() || !is_same(items.back())) {
    items.emplace_back();
  }
  return items.back();
}

// Returns lines with threads that may run on several cores: "anywhere: 0-3 (not bound)".
std::vector<Line> roamer_lines(const Part& box, const Subject& subject) {
  constexpr int kMostLines = 4;
  std::vector<Line> lines;
  for (const Roamers& roamers : box.roamers) {
    std::vector<int> cpus;
    cpus.reserve(roamers.processors.size());
    for (const int p : roamers.processors) {
      cpus.push_back(subject.drawn.cpus[p]);
    }
    const bool is_whole = std::ssize(cpus) == box.end - box.begin;
    const std::string where = is_whole ? "anywhere" : "on " + mask::list(cpus);
    Line line{{where + ": ", -1}};
    append(line, names_of(roamers.occupants, subject.occupants, nullptr, ", ",
                          kMostLines * subject.canvas.columns));
    const std::string& mark = subject.occupants[roamers.occupants[0]].mark;
    if (!mark.empty()) {
      line.push_back({" (" + mark + ")", -1});
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

// Returns a line for each run of similar cores: "cores 0-63: 0.0 to 0.63".
std::vector<Line> core_lines(const std::vector<const Part*>& cores, const Subject& subject) {
  std::vector<Line> lines;
  for (std::size_t first = 0; first < cores.size();) {
    const Blocks blocks = blocks_from(cores, first, subject.occupants);
    const std::size_t end = first + blocks.cores();
    Line line{
        {core_range(*cores[first], *cores[end - 1], subject.drawn) +
             (blocks.length > 1 ? ", " + std::to_string(blocks.length) + " at a time: " : ": "),
         -1}};
    const Line text = block_text(cores, first, blocks.length, subject);
    const Line last_text = block_text(cores, end - blocks.length, blocks.length, subject);
    append(line, text);
    if (text != last_text) {
      line.push_back({" to ", -1});
      append(line, last_text);
    }
    lines.push_back(std::move(line));
    first = end;
  }
  return lines;
}

}  // namespace

std::string processors_of(const Part& part, const Drawn& drawn) {
  return mask::list({drawn.cpus.begin() + part.begin, drawn.cpus.begin() + part.end});
}

Line stretch_text(const Stretch& stretch, const Subject& subject) {
  constexpr int kWidest = 16;
  if (stretch.occupants.empty()) {
    return {{stretch.is_reached ? kReached : signs_of(subject.canvas).free, -1}};
  }
  return names_of(stretch.occupants, subject.occupants, &subject.marks, "+", kWidest);
}

std::vector<Item> contents_of(const Part& box, const Subject& subject, const Detail& detail,
                              bool is_below_fold, bool& folds_here) {
  std::vector<Item> items;
  std::vector<const Part*> parts;
  parts.reserve(box.parts.size());
  for (const Part& part : box.parts) {
    parts.push_back(&part);
  }
  const bool may_fold = detail.folds == 2 || (detail.folds == 1 && !is_below_fold);
  folds_here = false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& part = *parts[i];
    Item& item = item_for(part, items);
    if (part.is_core) {
      item.cores.push_back(&part);
      continue;
    }
    const Run run = may_fold ? run_of_blocks(parts, i, 1, subject.occupants) : Run{};
    item.boxes.push_back(&part);
    item.captions.push_back(run.followers > 0 ? caption_of(parts, i, run, subject.occupants) : "");
    folds_here = folds_here || run.followers > 0;
    i += static_cast<std::size_t>(run.followers);
  }
  if (std::vector<Line> roamers = roamer_lines(box, subject); !roamers.empty()) {
    items.insert(items.begin(), Item{std::move(roamers), {}, {}, {}});
  }
  for (Item& item : items) {
    if (!item.cores.empty() && detail.lists_cores) {
      item.lines = core_lines(item.cores, subject);
    }
  }
  return items;
}

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

namespace {

// Three or more names with consecutive numbers are a range: "cuda0-3, mlx5_0". Without ranges,
// eight GPUs and network cards would make a box wider than a terminal.
std::string with_ranges(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0, count = 1; i < names.size(); i += count) {
    const std::string stem = names[i].substr(0, names[i].find_last_not_of("0123456789") + 1);
    const auto first = std::strtoul(names[i].c_str() + stem.size(), nullptr, 10);
    count = 1;
    while (i + count < names.size() && names[i + count] == stem + std::to_string(first + count)) {
      ++count;
    }
    count = count < 3 ? 1 : count;
    text += (text.empty() ? "" : ", ") + names[i] +
            (count == 1 ? "" : "-" + std::to_string(first + count - 1));
  }
  return text;
}

}  // namespace

std::string title_of(const Part& box, bool is_full) {
  const std::string devices = box.devices.empty() ? "" : ": " + with_ranges(box.devices);
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
