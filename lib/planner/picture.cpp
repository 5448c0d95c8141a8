// SPDX-License-Identifier: BSD-3-Clause
#include "planner/picture.hpp"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "mask/cpu_list.hpp"
#include "show/picture.hpp"

namespace nestbind::planner {

namespace {

using Path = std::vector<int>;

// Each thread once: one that leads inner teams by its path in the deepest one, which has a zero
// more. A path comes as often as it has been seen in different places.
std::vector<show::Occupant> occupants_of(std::span<const PlannerOccupant> threads) {
  std::map<Path, std::map<std::vector<int>, std::string>> marks;  // by path, and where that is
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

}  // namespace nestbind::planner
