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

void put(std::vector<Line>& lines, const Line& line, const Subject& subject) {
  for (Line& part : wrap(line, subject.canvas.columns, 2)) {
    lines.push_back(std::move(part));
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

std::vector<Line> legend_of(const Prepared& prepared, const Subject& subject) {
  std::vector<Line> lines;
  const Drawn& drawn = prepared.drawn;
  const Count count = count_cores(drawn.machine);
  const std::string free = signs_of(subject.canvas).free;
  std::string text = count.free == 0 ? "no core is free"
                                     : free + " free: " + std::to_string(count.free) + " of " +
                                           cores(count.cores, drawn);
  if (count.reached > 0) {
    text += std::string("; ") + kReached +
            " only of threads that may run on several: " + cores(count.reached, drawn);
  }
  if (any_core(drawn.machine, [](const Part& core) { return core.end - core.begin > 1; })) {
    text += "; [ ] a core with several hardware threads";
  }
  if (const std::string path = example(subject.occupants); !path.empty()) {
    text += "; " + path;
  }
  put(lines, {{text, -1}}, subject);
  for (const std::string& mark : subject.marks.texts()) {
    put(lines, {{subject.marks.sign_of(mark) + " " + mark, -1}}, subject);
  }
  if (!prepared.elsewhere.empty()) {
    Line line{{"on none of these processors: ", -1}};
    const Line names =
        names_of(prepared.elsewhere, subject.occupants, nullptr, ", ", 4 * subject.canvas.columns);
    line.insert(line.end(), names.begin(), names.end());
    put(lines, line, subject);
  }
  return lines;
}

}  // namespace nestbind::show::picture
