// SPDX-License-Identifier: BSD-3-Clause
// The contents of a box: lines of text, cores in rows, and boxes. Similar parts are drawn once.
#pragma once

#include <string>
#include <vector>

#include "show/picture.hpp"
#include "show/picture/boxes.hpp"
#include "show/picture/names.hpp"

namespace nestbind::show::picture {

// The amount of detail.
struct Detail {
  bool has_full_titles = true;  // whether titles have all labels of a box
  int folds = 0;                // which similar boxes are drawn once: 0 none, 1 the largest, 2 all
  bool lists_cores = false;     // whether similar cores are one line, if that is shorter
};

// Neighbours in a box that are drawn alike.
struct Item {
  std::vector<Line> lines;            // lines in place of cores; wrapped later
  std::vector<const Part*> cores;     // cores with the same number of hardware threads
  std::vector<const Part*> boxes;     // boxes that are drawn
  std::vector<std::string> captions;  // below each box; may be empty
};

// All inputs of a picture.
struct Subject {
  const Drawn& drawn;
  const std::vector<Occupant>& occupants;
  const Canvas& canvas;
  Marks& marks;
};

// is_below_fold: whether outer boxes were folded. folds_here: set if boxes in this box are folded.
std::vector<Item> contents_of(const Part& box, const Subject& subject, const Detail& detail,
                              bool is_below_fold, bool& folds_here);

// Returns lines with threads that may run on several cores: "anywhere: 0-3 (not bound)".
std::vector<Line> roamer_lines(const Part& box, const Subject& subject);

// Returns the text of a stretch: names, or the sign of a free core.
Line stretch_text(const Stretch& stretch, const Subject& subject);

// Returns a line for each run of similar cores: "cores 0-63: 0.0 to 0.63".
std::vector<Line> core_lines(const std::vector<const Part*>& cores, const Subject& subject);

// Returns the operating system's numbers of a part: "0-3,8".
std::string processors_of(const Part& part, const Drawn& drawn);

}  // namespace nestbind::show::picture
