// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "machine/numbers.hpp"
#include "mask/cpu_list.hpp"
#include "planner/planner_geometry.hpp"
#include "show/picture.hpp"

namespace nestbind::planner {

namespace {

using Path = std::vector<int>;

// A primary thread has several paths, such as 1 and 1.0. Only the longest is kept.
std::vector<show::Occupant> occupants_of(std::span<const PlannerOccupant> threads) {
  std::map<Path, std::map<std::vector<int>, std::string>> marks;  // by path and mask
  for (const PlannerOccupant& thread : threads) {
    marks[Path(thread.path, thread.path + thread.depth)][mask::cpus_in(thread.cpus)] =
        thread.mark == nullptr ? "" : thread.mark;
  }
  std::vector<show::Occupant> occupants;
  for (const auto& [path, places] : marks) {
    Path deeper = path;
    deeper.push_back(0);
    for (const auto& [cpus, mark] : places) {
      if (!marks.contains(deeper)) {
        occupants.push_back({.path = path, .cpus = cpus, .mark = mark});
      }
    }
  }
  return occupants;
}

std::string list(const std::vector<int>& numbers) {
  std::string text = "[";
  for (const int number : numbers) {
    text += (text.size() == 1 ? "" : ", ") + std::to_string(number);
  }
  return text + "]";
}

std::string or_null(int number) { return number < 0 ? "null" : std::to_string(number); }

// A processor that belongs to no core is written alone, with "core": null.
std::string cores(const machine::Hardware& hardware) {
  const machine::Numbers numbers = machine::number_allowed(hardware);
  std::vector<int> cpus;
  for (std::size_t p = 0; p < hardware.cpus.size(); ++p) {
    if (hardware.is_allowed[p]) {
      cpus.push_back(hardware.cpus[p]);
    }
  }
  std::string text;
  for (std::size_t begin = 0; begin < cpus.size();) {
    std::vector<int> siblings{cpus[begin]};
    std::size_t end = begin + 1;
    while (end < cpus.size() && numbers.core[begin] >= 0 &&
           numbers.core[end] == numbers.core[begin]) {
      siblings.push_back(cpus[end++]);
    }
    text += text.empty() ? "" : ", ";
    text += "{\"core\": " + or_null(numbers.core[begin]) +
            ", \"package\": " + or_null(numbers.package[begin]) +
            ", \"numa\": " + or_null(numbers.numa[begin]) + ", \"cpus\": " + list(siblings) + "}";
    begin = end;
  }
  return "[" + text + "]";
}

}  // namespace

char* picture(const machine::Hardware& hardware, const std::optional<std::vector<int>>& allowed,
              std::span<const PlannerOccupant> threads, const PlannerCanvas& canvas) {
  const show::Canvas on{.columns = canvas.columns,
                        .rows = canvas.rows,
                        .has_colour = canvas.has_colour,
                        .is_utf8 = canvas.is_utf8};
  const show::Picture drawn = show::draw(hardware, allowed, occupants_of(threads), on);
  const std::string text = show::text_of(drawn.lines, on) + show::text_of(drawn.legend, on);
  const std::size_t bytes = text.size() + 1;
  void* const copy = std::malloc(bytes);
  return copy == nullptr ? nullptr : static_cast<char*>(std::memcpy(copy, text.c_str(), bytes));
}

char* node(const machine::Hardware& hardware, const std::optional<std::vector<int>>& allowed) {
  const std::string text =
      (allowed ? "\"allowed\": " + list(*allowed) + ", " : "") + "\"cores\": " + cores(hardware);
  const std::size_t bytes = text.size() + 1;
  void* const copy = std::malloc(bytes);
  return copy == nullptr ? nullptr : static_cast<char*>(std::memcpy(copy, text.c_str(), bytes));
}

}  // namespace nestbind::planner
