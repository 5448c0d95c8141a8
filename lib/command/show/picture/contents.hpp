// SPDX-License-Identifier: BSD-3-Clause
// What is drawn of a box: lines of text, cores in rows, boxes; and what is folded.
#pragma once

#include <string>
#include <vector>

#include "show/picture.hpp"
#include "show/picture/boxes.hpp"
#include "show/picture/names.hpp"

namespace nestbind::show::picture {

// How much is drawn.
struct Detail {
  bool has_full_titles = true;  // all labels of a box
  int folds = 0;             // alike boxes: 0 all drawn, 1 folded where they are largest, 2 folded
  bool lists_cores = false;  // runs of alike cores are a line, where that is shorter
};

// Neighbours in a box that are drawn in one way.
struct Item {
  std::vector<Line> lines;            // to be wrapped; of cores in place of them
  std::vector<const Part*> cores;     // with the same number of hardware threads
  std::vector<const Part*> boxes;     // those that are drawn
  std::vector<std::string> captions;  // below each of them; empty: none
};

// All that a picture is made from.
struct Subject {
  const Drawn& drawn;
  const std::vector<Occupant>& occupants;
  const Canvas& canvas;
  Marks& marks;
};

// `is_below_fold`: whether boxes around this one have been folded.
std::vector<Item> contents_of(const Part& box, const Subject& subject, const Detail& detail,
                              bool is_below_fold, bool& folds_here);

// Threads that may run on several cores: "anywhere: 0-3 (not bound)".
std::vector<Line> roamer_lines(const Part& box, const Subject& subject);

// What is in a stretch: names, or the sign of nobody.
Line stretch_text(const Stretch& stretch, const Subject& subject);

// Runs of alike cores: "cores 0-63: 0.0 to 0.63".
std::vector<Line> core_lines(const std::vector<const Part*>& cores, const Subject& subject);

// The operating system's numbers of a part: "0-3,8".
std::string processors_of(const Part& part, const Drawn& drawn);

}  // namespace nestbind::show::picture
