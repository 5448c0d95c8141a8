// SPDX-License-Identifier: BSD-3-Clause
#include "show/planned.hpp"

#include <algorithm>

#include "show/picture/boxes.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::show {

namespace {

constexpr int kGap = 4;

void put(std::vector<Line>& lines, const std::string& text, int columns) {
  for (Line& line : picture::wrap({{text, -1}}, columns, 2)) {
    lines.push_back(std::move(line));
  }
}

void append(std::vector<Line>& lines, const std::vector<Line>& more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

std::vector<Line> lines_of(const Layout& layout, const std::vector<std::string>& first,
                           const Whole& whole, const Canvas& canvas) {
  std::vector<Line> lines = heading_of(layout, first, canvas.columns);
  lines.emplace_back();
  const Picture picture = draw(whole.hardware, whole.allowed, occupants_of(layout, whole), canvas);
  append(lines, picture.lines);
  append(lines, picture.legend);
  return lines;
}

}  // namespace

std::vector<Line> heading_of(const Layout& layout, const std::vector<std::string>& first,
                             int columns) {
  std::vector<Line> lines;
  for (const std::string& text : first) {
    put(lines, text, columns);
  }
  for (const std::string& note : notes_of(layout)) {
    put(lines, note, columns);
  }
  for (const std::string& warning : layout.warnings) {
    put(lines, "warning: " + warning, columns);
  }
  if (layout.levels.empty()) {
    put(lines, support::kNothingBound, columns);
  }
  return lines;
}

std::vector<Occupant> occupants_of(const Layout& layout, const Whole& whole) {
  std::vector<int> everything;
  if (whole.allowed) {
    everything = *whole.allowed;
  } else {
    for (std::size_t p = 0; p < whole.hardware.cpus.size(); ++p) {
      if (whole.hardware.is_allowed[p]) {
        everything.push_back(whole.hardware.cpus[p]);
      }
    }
  }
  std::vector<Occupant> occupants;
  occupants.reserve(layout.threads.size());
  for (const ThreadRow& thread : layout.threads) {
    if (thread.is_bound) {
      occupants.push_back({thread.path, layout.machine.slots[thread.slot].cpus});
    } else {
      occupants.push_back({thread.path, everything, "not bound"});
    }
  }
  return occupants;
}

std::string picture_of(const Layout& layout, const Whole& whole, const Canvas& canvas) {
  return text_of(lines_of(layout, {layout.spec, layout.summary}, whole, canvas), canvas);
}

std::string pictures_of(const Layout& left, const Layout& right, const Whole& whole,
                        const Canvas& canvas) {
  std::vector<Line> below = lines_of(left, {left.spec}, whole, canvas);
  below.emplace_back();
  append(below, lines_of(right, {right.spec}, whole, canvas));

  Canvas half = canvas;
  half.columns = (canvas.columns - kGap) / 2;
  std::vector<Line> lines;
  put(lines, left.summary, canvas.columns);
  lines.emplace_back();
  std::vector<Line> together;
  if (half.columns >= kFewestColumns) {
    const std::vector<Line> first = lines_of(left, {left.spec}, whole, half);
    together = beside(first, lines_of(right, {right.spec}, whole, half), width_of(first), kGap);
  }
  append(lines, !together.empty() && together.size() <= below.size() ? together : below);
  return text_of(lines, canvas);
}

}  // namespace nestbind::show
