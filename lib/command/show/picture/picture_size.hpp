// SPDX-License-Identifier: BSD-3-Clause
// Measures the columns and rows of each box and its items. Boxes stand side by side in as few rows
// as their contents allow. A box's width depends on the arrangement of its contents, which depends
// on the available columns. So each box is measured for several numbers of columns.
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

struct Arranged {
  Size size;
  int per_row = 1;
  Size cell;  // size of a box with its caption
  std::vector<Line> lines;
};

// The subject must outlive this object.
class Measure {
 public:
  Measure(const Subject& subject, const Detail& detail);

  const Part& machine() const { return subject_.drawn.machine; }
  const Subject& subject() const { return subject_; }
  const std::vector<Item>& items_of(const Part& box) const { return contents_.at(&box); }

  std::optional<Size> box(const Part& box, int columns);
  std::optional<Size> captioned(const Item& item, std::size_t i, int columns);
  const std::optional<Arranged>& item(const Item& item, int columns);

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
int cell_room(int columns, int per_row);

}  // namespace nestbind::show::picture
