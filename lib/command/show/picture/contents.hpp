// SPDX-License-Identifier: BSD-3-Clause
// The contents of a box: lines of text, cores in rows, and boxes.
#pragma once

#include <string>
#include <vector>

#include "show/picture.hpp"
#include "show/picture/boxes.hpp"

namespace nestbind::show::picture {

struct Signs {
  const char* free;
  const char* across;
  const char* down;
  const char* corners[4];  // upper left, upper right, lower left, lower right
};
const Signs& signs_of(const Canvas& canvas);
inline constexpr char kReached[] = "~";

std::string name_of(const Occupant& occupant);

// Each new mark gets the next sign: "!", "?" and so on. If there are too many marks, the last ones
// share a sign.
class Marks {
 public:
  std::string sign_of(const std::string& mark);
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
};

// Consecutive names become a range: "0.0-0.3". `most` limits the columns: "0.0+14 more".
Line names_of(const std::vector<int>& who, const std::vector<Occupant>& occupants, Marks* marks,
              const std::string& between, int most);

std::string object_name(const Label& label);

std::string title_of(const Part& box, bool is_full);

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

Line stretch_text(const Stretch& stretch, const Subject& subject);

std::string processors_of(const Part& part, const Drawn& drawn);

}  // namespace nestbind::show::picture
