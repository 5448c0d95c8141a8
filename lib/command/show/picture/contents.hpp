// SPDX-License-Identifier: BSD-3-Clause
// The contents of a box: lines of text, cores in rows, and boxes.
#pragma once

#include <string>
#include <vector>

#include "show/picture.hpp"
#include "show/picture/boxes.hpp"
#include "show/picture/names.hpp"

namespace nestbind::show::picture {

struct Detail {
  bool has_full_titles = true;
  int folds = 0;  // 1: the largest similar boxes are drawn once; 2: all similar boxes
  bool lists_cores = false;
};

struct Item {
  std::vector<Line> lines;
  std::vector<const Part*> cores;  // cores with the same number of hardware threads
  std::vector<const Part*> boxes;
  std::vector<std::string> captions;  // below each box; may be empty
};

struct Subject {
  const Drawn& drawn;
  const std::vector<Occupant>& occupants;
  const Canvas& canvas;
  Marks& marks;
};

std::vector<Item> contents_of(const Part& box, const Subject& subject, const Detail& detail,
                              bool is_below_fold, bool& folds_here);

// Returns lines with threads that may run on several cores: "anywhere: 0-3 (not bound)".
std::vector<Line> roamer_lines(const Part& box, const Subject& subject);

Line stretch_text(const Stretch& stretch, const Subject& subject);

// Returns a line for each run of similar cores: "cores 0-63: 0.0 to 0.63".
std::vector<Line> core_lines(const std::vector<const Part*>& cores, const Subject& subject);

std::string processors_of(const Part& part, const Drawn& drawn);

}  // namespace nestbind::show::picture
