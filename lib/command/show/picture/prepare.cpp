// SPDX-License-Identifier: BSD-3-Clause
// Prepares hardware and threads for drawing, and makes the legend.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "mask/cpu_list.hpp"
#include "show/picture.hpp"
#include "show/picture/boxes.hpp"
#include "show/picture/scene.hpp"

namespace nestbind::show::picture {

namespace {

// A core is free if it has no threads, or only threads that may run everywhere.
struct Count {
  int cores = 0;
  int free = 0;
  int reached = 0;  // cores that are not free, but whose threads may also run elsewhere
};

// Both vectors are indexed by processor.
struct Occupied {
  std::vector<std::vector<int>> bound;
  std::vector<bool> is_reached;
};

void index_cores(Part& part, std::vector<Part*>& core_of) {
  if (part.is_core) {
    std::fill(core_of.begin() + part.begin, core_of.begin() + part.end, &part);
  }
  for (Part& child : part.parts) {
    index_cores(child, core_of);
  }
}

Part& box_around(Part& machine, const std::vector<int>& processors) {
  Part* box = &machine;
  for (bool is_smaller = true; is_smaller;) {
    const auto child = std::ranges::find_if(box->parts, [&](const Part& part) {
      return !part.is_core && part.begin <= processors.front() && processors.back() < part.end;
    });
    is_smaller = child != box->parts.end();
    box = is_smaller ? &*child : box;
  }
  return *box;
}

void put_roamer(Part& box, const std::vector<int>& processors, int number,
                const std::vector<Occupant>& occupants) {
  const auto same = std::ranges::find_if(box.roamers, [&](const Roamers& roamers) {
    return roamers.processors == processors &&
           occupants[roamers.occupants[0]].mark == occupants[number].mark;
  });
  if (same != box.roamers.end()) {
    same->occupants.push_back(number);
  } else {
    box.roamers.push_back({processors, {number}});
  }
}

void make_stretches(Part& part, const Occupied& occupied) {
  for (Part& child : part.parts) {
    make_stretches(child, occupied);
  }
  for (int p = part.begin; part.is_core && p < part.end; ++p) {
    if (p > part.begin && part.stretches.back().occupants == occupied.bound[p] &&
        part.stretches.back().is_reached == occupied.is_reached[p]) {
      ++part.stretches.back().processors;
    } else {
      part.stretches.push_back({1, occupied.bound[p], occupied.is_reached[p]});
    }
  }
}

std::vector<int> drawn_of(const Occupant& occupant, const std::map<int, int>& index_of) {
  std::vector<int> processors;
  for (const int cpu : occupant.cpus) {
    if (const auto found = index_of.find(cpu); found != index_of.end()) {
      processors.push_back(found->second);
    }
  }
  std::ranges::sort(processors);
  const auto twice = std::ranges::unique(processors);
  processors.erase(twice.begin(), twice.end());
  return processors;
}

// Returns the occupants that have no processor in the picture. Threads with different marks are
// different Roamers.
std::vector<int> put(Drawn& drawn, const std::vector<Occupant>& occupants) {
  std::map<int, int> index_of;
  for (std::size_t p = 0; p < drawn.cpus.size(); ++p) {
    index_of[drawn.cpus[p]] = static_cast<int>(p);
  }
  std::vector<Part*> core_of(drawn.cpus.size(), nullptr);
  index_cores(drawn.machine, core_of);
  Occupied occupied{std::vector<std::vector<int>>(drawn.cpus.size()),
                    std::vector<bool>(drawn.cpus.size(), false)};
  std::vector<int> elsewhere;
  for (int number = 0; number < static_cast<int>(occupants.size()); ++number) {
    const std::vector<int> processors = drawn_of(occupants[number], index_of);
    if (processors.empty()) {
      elsewhere.push_back(number);
    } else if (core_of[processors.front()] == core_of[processors.back()]) {
      for (const int p : processors) {
        occupied.bound[p].push_back(number);
      }
    } else {
      Part& box = box_around(drawn.machine, processors);
      put_roamer(box, processors, number, occupants);
      for (const int p : processors) {
        occupied.is_reached[p] = occupied.is_reached[p] || processors.size() < drawn.cpus.size();
      }
    }
  }
  make_stretches(drawn.machine, occupied);
  return elsewhere;
}

Count count_cores(const Part& part) {
  if (part.is_core) {
    const bool is_taken = std::ranges::any_of(
        part.stretches, [](const Stretch& stretch) { return !stretch.occupants.empty(); });
    const bool is_reached = std::ranges::any_of(part.stretches, &Stretch::is_reached);
    return {1, !is_taken && !is_reached ? 1 : 0, !is_taken && is_reached ? 1 : 0};
  }
  Count count;
  for (const Part& child : part.parts) {
    const Count of_child = count_cores(child);
    count.cores += of_child.cores;
    count.free += of_child.free;
    count.reached += of_child.reached;
  }
  return count;
}

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

std::vector<std::string> speeds(const Drawn& drawn, const std::string& slow) {
  std::map<int, std::vector<int>, std::greater<>> of_speed;
  for (std::size_t p = 0; p < drawn.speed.size(); ++p) {
    of_speed[drawn.speed[p]].push_back(drawn.cpus[p]);
  }
  std::vector<std::string> entries;
  for (auto& [speed, cpus] : of_speed) {
    const bool is_last = entries.size() + 1 == of_speed.size();
    const std::string word = entries.empty() ? "fast" : slow + (is_last ? " slow" : " slower");
    entries.push_back(word + (" cores: processors " + mask::list(std::move(cpus))));
  }
  return entries;
}

// Explains what a path means. The example is the first path of two or more numbers.
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

std::vector<Line> legend_of(const Subject& subject, const std::vector<int>& elsewhere,
                            const Looks& looks) {
  const Drawn& drawn = subject.drawn;
  const Count count = count_cores(drawn.machine);
  const std::string free = signs_of(subject.canvas).free;
  std::vector<std::string> entries;
  entries.push_back(count.free == 0 ? drawn.has_cores ? "no core is free" : "no processor is free"
                                    : free + " free: " + std::to_string(count.free) + " of " +
                                          cores(count.cores, drawn));
  if (count.reached > 0) {
    entries.push_back(kReached + (" a thread may move there: " + cores(count.reached, drawn)));
  }
  if (any_core(drawn.machine, [](const Part& part) { return part.end - part.begin > 1; })) {
    entries.push_back(looks.several + " a core with several hardware threads");
  }
  for (std::string& entry : speeds(drawn, looks.slow)) {
    entries.push_back(std::move(entry));
  }
  entries.push_back(example(subject.occupants));
  std::erase(entries, "");
  for (const std::string& mark : subject.marks.texts()) {
    entries.push_back(subject.marks.sign_of(mark) + " " + mark);
  }
  std::vector<Line> lines;
  put(lines, entries, subject);
  if (!elsewhere.empty()) {
    Line line{{"on none of these processors: ", -1}};
    const Line names =
        names_of(elsewhere, subject.occupants, nullptr, ", ", 4 * subject.canvas.columns);
    line.insert(line.end(), names.begin(), names.end());
    for (Line& part : wrap(line, subject.canvas.columns, 2)) {
      lines.push_back(std::move(part));
    }
  }
  return lines;
}

}  // namespace

Drawing drawing_of(const machine::Hardware& hardware,
                   const std::optional<std::vector<int>>& allowed,
                   const std::vector<Occupant>& occupants, const Canvas& canvas,
                   const Looks& looks) {
  Drawn drawn = make_boxes(hardware, to_be_drawn(hardware, allowed, occupants));
  const std::vector<int> elsewhere = put(drawn, occupants);
  Marks marks;
  const Subject subject{drawn, occupants, canvas, marks};
  Drawing drawing{arrange(subject), {}};
  drawing.legend = legend_of(subject, elsewhere, looks);  // the marks are known now
  return drawing;
}

}  // namespace nestbind::show::picture
