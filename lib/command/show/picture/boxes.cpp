// SPDX-License-Identifier: BSD-3-Clause
#include "show/picture/boxes.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <tuple>

#include "machine/devices.hpp"

namespace nestbind::show::picture {

namespace {

bool is_blank(const Cell& cell) { return cell.glyph == " "; }

// Breaks the line at a blank if possible. The line must be longer than `columns`.
std::size_t length_of_line(const std::vector<Cell>& cells, std::size_t begin, std::size_t columns) {
  for (std::size_t length = columns; length > 0; --length) {
    if (is_blank(cells[begin + length])) {
      return length;
    }
  }
  return columns;
}

using machine::Object;
using machine::Type;

// `begin` and `end` count only drawn processors. A candidate without `kind` is a core.
struct Candidate {
  int begin = 0;
  int end = 0;
  std::optional<Kind> kind;
  int number = 0;
};

bool comes_before(const Candidate& a, const Candidate& b) {
  const auto rank = [](const Candidate& candidate) {
    return candidate.kind ? static_cast<int>(*candidate.kind) : static_cast<int>(Kind::kL2) + 1;
  };
  return std::tuple(a.begin, -a.end, rank(a), a.number) <
         std::tuple(b.begin, -b.end, rank(b), b.number);
}

std::optional<Kind> kind_of(const Object& object) {
  switch (object.type) {
    case Type::kPackage:
      return Kind::kPackage;
    case Type::kDie:
      return Kind::kDie;
    case Type::kL3:
      return Kind::kL3;
    case Type::kL2:
      return Kind::kL2;
    default:
      return std::nullopt;
  }
}

class Collector {
 public:
  Collector(const machine::Hardware& hardware, const std::vector<bool>& is_drawn)
      : hardware_(hardware),
        drawn_before_(count_before(is_drawn)),
        core_begins_(hardware.cpus.size() + 1, false) {
    std::vector<bool> begins(hardware.cpus.size(), false);
    for (const Object& object : hardware.objects) {
      if (object.type == Type::kCore) {
        begins[object.begin] = true;
      }
    }
    cores_before_ = count_before(begins);
  }

  std::vector<Candidate> collect() {
    int boards = 0;
    std::vector<int> of_type(static_cast<int>(Type::kCore) + 1, 0);
    for (const Object& object : hardware_.objects) {
      const int number = of_type[static_cast<int>(object.type)]++;
      if (object.is_board) {
        add(object.begin, object.end, Kind::kBoard, boards++);
      }
      if (object.type == Type::kCore) {
        add(object.begin, object.end, std::nullopt, number);
      } else if (const auto kind = kind_of(object); kind && is_of_interest(object, *kind)) {
        add(object.begin, object.end, kind, number);
      }
    }
    for (const Candidate& core : candidates_) {
      if (!core.kind) {
        core_begins_[core.begin] = core_begins_[core.end] = true;
      }
    }
    for (std::size_t node = 0; node < hardware_.numa_processors.size(); ++node) {
      add_node(hardware_.numa_processors[node],
               machine::numa_number(hardware_, static_cast<int>(node)));
    }
    std::ranges::sort(candidates_, comes_before);
    return std::move(candidates_);
  }

 private:
  static std::vector<int> count_before(const std::vector<bool>& counted) {
    std::vector<int> before(counted.size() + 1, 0);
    std::inclusive_scan(counted.begin(), counted.end(), before.begin() + 1, std::plus<int>(), 0);
    return before;
  }

  // A cache is drawn only if several of the machine's cores (drawn or not) share the cache.
  bool is_of_interest(const Object& object, Kind kind) const {
    return (kind != Kind::kL3 && kind != Kind::kL2) ||
           cores_before_[object.end] - cores_before_[object.begin] > 1;
  }

  void add(int begin, int end, std::optional<Kind> kind, int number) {
    if (drawn_before_[begin] < drawn_before_[end]) {
      candidates_.push_back({drawn_before_[begin], drawn_before_[end], kind, number});
    }
  }

  // Adds a node whose processors are adjacent whole cores. No other node can be a box.
  void add_node(const std::vector<int>& processors, int number) {
    int count = 0;
    int first = -1;
    int end = 0;
    for (const int p : processors) {
      if (drawn_before_[p] < drawn_before_[p + 1]) {
        first = count++ == 0 ? drawn_before_[p] : first;
        end = drawn_before_[p] + 1;
      }
    }
    if (count > 0 && end - first == count && core_begins_[first] && core_begins_[end]) {
      candidates_.push_back({first, end, Kind::kNuma, number});
    }
  }

  const machine::Hardware& hardware_;
  std::vector<int> drawn_before_;  // for each processor: number of drawn processors before it
  std::vector<int> cores_before_;
  std::vector<bool> core_begins_;
  std::vector<Candidate> candidates_;
};

void put_label(Part& part, const Candidate& candidate) {
  const Kind kind = candidate.kind.value_or(Kind::kL2);
  if (part.labels.empty() || part.labels.back().kind != kind) {
    part.labels.push_back({kind, {}});
  }
  part.labels.back().numbers.push_back(candidate.number);
}

void fill(Part& part, const std::vector<Candidate>& candidates, std::size_t& next) {
  for (; next < candidates.size() && candidates[next].begin < part.end;) {
    const Candidate& candidate = candidates[next++];
    const bool is_same = candidate.begin == part.begin && candidate.end == part.end;
    if (candidate.end > part.end) {
      continue;
    }
    if (candidate.kind && is_same && part.parts.empty()) {
      put_label(part, candidate);
      continue;
    }
    Part& child = part.parts.emplace_back();
    child.begin = candidate.begin;
    child.end = candidate.end;
    if (candidate.kind) {
      put_label(child, candidate);
      fill(child, candidates, next);
    } else {
      child.is_core = true;
      child.number = candidate.number;
    }
  }
}

// The smallest box around processors [begin, end).
Part& box_around(Part& part, int begin, int end) {
  for (Part& child : part.parts) {
    if (!child.is_core && child.begin <= begin && end <= child.end) {
      return box_around(child, begin, end);
    }
  }
  return part;
}

// drawn_before: for each processor, the number of drawn processors before it.
void put_devices(const machine::Hardware& hardware, const std::vector<int>& drawn_before,
                 Part& machine) {
  for (const auto kind : {machine::DeviceKind::kGpu, machine::DeviceKind::kNic}) {
    for (const int one : machine::to_divide(hardware, kind)) {
      const machine::Device& device = hardware.devices[one];
      int begin = machine.end;
      int end = 0;
      for (const int p : device.processors) {
        if (drawn_before[p] < drawn_before[p + 1]) {
          begin = std::min(begin, drawn_before[p]);
          end = std::max(end, drawn_before[p + 1]);
        }
      }
      const bool is_shown = kind == machine::DeviceKind::kGpu || device.choice > 0;
      if (is_shown && begin < end) {
        box_around(machine, begin, end).devices.push_back(device.name);
      }
    }
  }
}

}  // namespace

std::vector<Cell> cells_of(const Line& line) {
  std::vector<Cell> cells;
  for (const Span& span : line) {
    for (const char c : span.text) {
      const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
      if (continues && !cells.empty()) {
        cells.back().glyph += c;
      } else {
        cells.push_back({std::string(1, c), span.team});
      }
    }
  }
  return cells;
}

Line line_of(const std::vector<Cell>& cells) {
  std::size_t end = cells.size();
  while (end > 0 && is_blank(cells[end - 1]) && cells[end - 1].team < 0) {
    --end;
  }
  Line line;
  for (std::size_t i = 0; i < end; ++i) {
    if (line.empty() || line.back().team != cells[i].team) {
      line.push_back({"", cells[i].team});
    }
    line.back().text += cells[i].glyph;
  }
  return line;
}

std::vector<Line> wrap(const Line& line, int columns, int indent) {
  const std::vector<Cell> cells = cells_of(line);
  std::vector<Line> lines;
  for (std::size_t begin = 0; begin < cells.size() || lines.empty();) {
    const std::size_t margin = lines.empty() ? 0 : std::min(indent, columns - 1);
    const std::size_t room = static_cast<std::size_t>(columns) - margin;
    const std::size_t length =
        cells.size() - begin <= room ? cells.size() - begin : length_of_line(cells, begin, room);
    std::vector<Cell> part(margin);
    part.insert(part.end(), cells.begin() + static_cast<std::ptrdiff_t>(begin),
                cells.begin() + static_cast<std::ptrdiff_t>(begin + length));
    lines.push_back(line_of(part));
    begin += length;
    while (begin < cells.size() && is_blank(cells[begin]) && cells[begin].team < 0) {
      ++begin;
    }
    if (cells.empty()) {
      break;
    }
  }
  return lines;
}

Drawn make_boxes(const machine::Hardware& hardware, const std::vector<bool>& is_drawn) {
  Drawn drawn;
  drawn.has_cores = hardware.has_cores;
  for (std::size_t p = 0; p < hardware.cpus.size(); ++p) {
    if (is_drawn[p]) {
      drawn.cpus.push_back(hardware.cpus[p]);
      drawn.speed.push_back(hardware.speed.empty() ? 0 : hardware.speed[p]);
    }
  }
  if (std::ranges::count(drawn.speed, drawn.speed[0]) == std::ssize(drawn.speed)) {
    drawn.speed.clear();
  }
  drawn.machine.end = static_cast<int>(drawn.cpus.size());
  std::size_t next = 0;
  fill(drawn.machine, Collector(hardware, is_drawn).collect(), next);
  std::vector<Label>& labels = drawn.machine.labels;
  if (labels.size() == 1 && labels[0].kind == Kind::kNuma) {
    labels.clear();
  }
  std::vector<int> before(is_drawn.size() + 1, 0);
  std::inclusive_scan(is_drawn.begin(), is_drawn.end(), before.begin() + 1, std::plus<int>(), 0);
  put_devices(hardware, before, drawn.machine);
  return drawn;
}

bool has_frame(const Part& part) {
  return !part.labels.empty() || !part.devices.empty() ||
         std::ranges::any_of(part.parts, [](const Part& child) { return child.is_core; });
}

}  // namespace nestbind::show::picture
