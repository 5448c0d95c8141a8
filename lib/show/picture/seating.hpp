// SPDX-License-Identifier: BSD-3-Clause
// Puts threads into the boxes and cores of a machine.
#pragma once

#include <vector>

#include "show/picture.hpp"
#include "show/picture/boxes.hpp"

namespace nestbind::show::picture {

// Fills Part::stretches of the cores and Part::roamers of the boxes. Returns the occupants none of
// whose processors are drawn. Occupants of one place are in the order in which they are given;
// roamers with different marks are apart.
std::vector<int> seat(Drawn& drawn, const std::vector<Occupant>& occupants);

// Of all cores, how many there are, and how many nobody is bound to, or reaches but from
// everywhere.
struct Count {
  int cores = 0;
  int free = 0;
  int reached = 0;  // only by threads that may run elsewhere too
};
Count count_cores(const Part& part);

}  // namespace nestbind::show::picture
