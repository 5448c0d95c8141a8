// SPDX-License-Identifier: BSD-3-Clause
#include "show/picture/prepare.hpp"

#include <algorithm>
#include <set>

#include "show/picture/alike.hpp"
#include "show/picture/cells.hpp"
#include "show/picture/seating.hpp"

namespace nestbind::show::picture {

namespace {

std::vector<bool> to_be_drawn(const machine::Hardware& hardware,
                              const std::optional<std::vector<int>>& allowed,
                              const std::vector<Occupant>& occupants) {
  std::set<int> wanted;
  if (allowed) {
    wanted.insert(allowed->begin(), allowed->end());
  }
  std::set<int> used;
  for (const Occupant& occupant : occupants) {
    used.insert(occupant.cpus.begin(), occupant.cpus.end());
  }
  std::vector<bool> is_drawn;
  for (std::size_t p = 0; p < hardware.cpus.size(); ++p) {
    const int cpu = hardware.cpus[p];
    const bool is_allowed = hardware.is_allowed[p] && (!allowed || wanted.contains(cpu));
    is_drawn.push_back(is_allowed || used.contains(cpu));
  }
  if (std::ranges::find(is_drawn, true) == is_drawn.end()) {
    is_drawn.assign(is_drawn.size(), true);
  }
  return is_drawn;
}

bool any_core(const Part& part, bool (*is_meant)(const Part&)) {
  return (part.is_core && is_meant(part)) ||
         std::ranges::any_of(part.parts,
                             [&](const Part& child) { return any_core(child, is_meant); });
}

std::string cores(int count, const Drawn& drawn) {
  return std::to_string(count) + (drawn.has_cores ? " core" : " processor") +
         (count == 1 ? "" : "s");
}

// Puts entries into lines, as many as fit, with "; " between them.
void put(std::vector<Line>& lines, const std::vector<std::string>& entries,
         const Subject& subject) {
  std::string text;
  const auto flush = [&] {
    for (Line& line : wrap({{text, -1}}, subject.canvas.columns, 2)) {
      lines.push_back(std::move(line));
    }
  };
  for (const std::string& entry : entries) {
    std::string longer = text;
    longer += text.empty() ? "" : "; ";
    longer += entry;
    if (!text.empty() && width_of({{longer, -1}}) > subject.canvas.columns) {
      flush();
      text = entry;
    } else {
      text = longer;
    }
  }
  if (!text.empty()) {
    flush();
  }
}

// What a path means, by the first that has two numbers.
std::string example(const std::vector<Occupant>& occupants) {
  const auto found = std::ranges::find_if(occupants, [](const Occupant& occupant) {
    return occupant.name.empty() && occupant.path.size() > 1 && occupant.path.back() > 0;
  });
  if (found == occupants.end()) {
    return "";
  }
  Occupant leader = *found;
  leader.path.pop_back();
  return name_of(*found) + ": thread " + std::to_string(found->path.back()) +
         " of the team of thread " + name_of(leader);
}

}  // namespace

Prepared prepare(const machine::Hardware& hardware, const std::optional<std::vector<int>>& allowed,
                 const std::vector<Occupant>& occupants) {
  Prepared prepared;
  prepared.drawn = make_boxes(hardware, to_be_drawn(hardware, allowed, occupants));
  prepared.elsewhere = seat(prepared.drawn, occupants);
  return prepared;
}

std::vector<Line> legend_of(const Prepared& prepared, const Subject& subject,
                            const std::string& core) {
  const Drawn& drawn = prepared.drawn;
  const Count count = count_cores(drawn.machine);
  const std::string free = signs_of(subject.canvas).free;
  std::vector<std::string> entries;
  entries.push_back(count.free == 0 ? drawn.has_cores ? "no core is free" : "no processor is free"
                                    : free + " free: " + std::to_string(count.free) + " of " +
                                          cores(count.cores, drawn));
  if (count.reached > 0) {
    entries.push_back(kReached +
                      (" in reach of threads bound to several: " + cores(count.reached, drawn)));
  }
  if (any_core(drawn.machine, [](const Part& part) { return part.end - part.begin > 1; })) {
    entries.push_back(core + " a core with several hardware threads");
  }
  entries.push_back(example(subject.occupants));
  std::erase(entries, "");
  for (const std::string& mark : subject.marks.texts()) {
    entries.push_back(subject.marks.sign_of(mark) + " " + mark);
  }
  std::vector<Line> lines;
  put(lines, entries, subject);
  if (!prepared.elsewhere.empty()) {
    Line line{{"on none of these processors: ", -1}};
    const Line names =
        names_of(prepared.elsewhere, subject.occupants, nullptr, ", ", 4 * subject.canvas.columns);
    line.insert(line.end(), names.begin(), names.end());
    for (Line& part : wrap(line, subject.canvas.columns, 2)) {
      lines.push_back(std::move(part));
    }
  }
  return lines;
}

}  // namespace nestbind::show::picture
