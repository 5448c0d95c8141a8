// SPDX-License-Identifier: BSD-3-Clause
// The texts for threads and boxes.
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

}  // namespace nestbind::show::picture
