// SPDX-License-Identifier: BSD-3-Clause
// How many columns and rows each box and each of its items takes. Boxes are put beside each other
// in as few rows as their contents allow. How many columns a box needs depends on how its own
// contents are arranged, and that on the columns that it is given: so each is measured for what it
// may get, and the result kept.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "show/picture/contents.hpp"

namespace nestbind::show::picture {

constexpr int kFrameColumns = 4;  // "| " and " |"
constexpr int kFrameRows = 2;
constexpr int kBoxGap = 1;
constexpr int kCaptionIndent = 2;

struct Size {
  int columns = 0;
  int rows = 0;
};

// An item for a number of columns.
struct Arranged {
  Size size;
  int per_row = 1;          // boxes or cores
  Size cell;                // of a box, the caption included
  std::vector<Line> lines;  // in place of them, if any
};

// The machine of a subject, which has to outlive this, in the given detail.
class Measure {
 public:
  Measure(const Subject& subject, const Detail& detail);

  const Part& machine() const { return subject_.drawn.machine; }
  const Subject& subject() const { return subject_; }
  const std::vector<Item>& items_of(const Part& box) const { return contents_.at(&box); }

  // For at most so many columns; none if it does not fit.
  std::optional<Size> box(const Part& box, int columns);
  // The same with the caption of the item's box number i.
  std::optional<Size> captioned(const Item& item, std::size_t i, int columns);
  const std::optional<Arranged>& item(const Item& item, int columns);

  // A hardware thread's in a core, and the whole core's.
  int field_columns(const Part& core) const;
  int tile_columns(const Part& core) const;

 private:
  void add_contents(const Part& box, bool is_below_fold);
  void measure_fields(const Part& part);
  int title_columns(const Part& box) const;
  std::optional<Arranged> cores(const Item& item, int columns) const;
  std::optional<Arranged> boxes(const Item& item, int columns);
  std::optional<Arranged> grid(const Item& item, int columns, int per_row);

  const Subject& subject_;
  Detail detail_;
  std::map<const Part*, std::vector<Item>> contents_;
  std::map<int, int> field_columns_;  // by the number of a core's hardware threads
  std::map<std::pair<const Item*, int>, std::optional<Arranged>> arranged_;
};

int threads_of(const Part& core);
int tile_gap(const Part& core);  // columns between two cores
std::vector<Line> caption_lines(const std::string& caption, int columns);
// For each of so many boxes in a row.
int cell_room(int columns, int per_row);

}  // namespace nestbind::show::picture
