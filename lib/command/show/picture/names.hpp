// SPDX-License-Identifier: BSD-3-Clause
// What is written for threads and boxes.
#pragma once

#include <string>
#include <vector>

#include "show/picture.hpp"
#include "show/picture/boxes.hpp"

namespace nestbind::show::picture {

// The signs of a canvas.
struct Signs {
  const char* free;
  const char* across;  // of a frame: its lines and corners
  const char* down;
  const char* corners[4];  // upper left, upper right, lower left, lower right
};
const Signs& signs_of(const Canvas& canvas);
inline constexpr char kReached[] = "~";

// "1.3", the occupant's own name, or "initial".
std::string name_of(const Occupant& occupant);

// The signs of the marks that threads in cores have, in the order in which they come up: "!", "?"
// and so on. Marks beyond the last sign share that.
class Marks {
 public:
  // The sign of a mark, none for the empty one.
  std::string sign_of(const std::string& mark);
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
};

// The names of these, three or more whose last number grows by one as a range ("0.0-0.3"), with
// `between` between them. Where they would take more than `most` columns, those that do not fit are
// counted: "0.0+14 more".
Line names_of(const std::vector<int>& who, const std::vector<Occupant>& occupants, Marks* marks,
              const std::string& between, int most);

// "node 0", "packages 1-3".
std::string object_name(const Label& label);

// The labels of a box: all of them, or only the first. The machine's, if it has none.
std::string title_of(const Part& box, bool is_full);

}  // namespace nestbind::show::picture
