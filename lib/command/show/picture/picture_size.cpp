// SPDX-License-Identifier: BSD-3-Clause
#include "show/picture/picture_size.hpp"

#include <algorithm>

#include "show/picture/boxes.hpp"

namespace nestbind::show::picture {

namespace {

constexpr int kNarrowestBox = 8;
constexpr int kNarrowestText = 14;  // text is not wrapped to fewer columns

int rows_for(int count, int per_row) { return (count + per_row - 1) / per_row; }

// Prefers rows of equal length.
int cores_in_row(int count, int most) {
  if (most >= count) {
    return count;
  }
  for (int per_row = most; 5 * per_row >= 3 * most; --per_row) {
    if (count % per_row == 0) {
      return per_row;
    }
  }
  return rows_for(count, rows_for(count, most));
}

int columns_of(const std::vector<Line>& lines) {
  int columns = 0;
  for (const Line& line : lines) {
    columns = std::max(columns, width_of(line));
  }
  return columns;
}

std::optional<Arranged> wrap_lines(const std::vector<Line>& lines, int columns) {
  if (lines.empty() || columns < std::min(kNarrowestText, columns_of(lines))) {
    return std::nullopt;
  }
  Arranged arranged;
  for (const Line& line : lines) {
    for (Line& part : wrap(line, columns, kCaptionIndent)) {
      arranged.lines.push_back(std::move(part));
    }
  }
  arranged.size = {columns_of(arranged.lines), static_cast<int>(arranged.lines.size())};
  return arranged;
}

}  // namespace

int threads_of(const Part& core) { return core.end - core.begin; }

int tile_gap(const Part& core) { return threads_of(core) == 1 ? 2 : 1; }

std::vector<Line> caption_lines(const std::string& caption, int columns) {
  return wrap({{std::string(kCaptionIndent, ' ') + caption, -1}}, columns, 2 * kCaptionIndent);
}

int cell_room(int columns, int per_row) { return (columns - kBoxGap * (per_row - 1)) / per_row; }

Measure::Measure(const Subject& subject, const Detail& detail)
    : subject_(subject), detail_(detail) {
  add_contents(machine(), false);
  measure_fields(machine());
}

void Measure::add_contents(const Part& box, bool is_below_fold) {
  bool folds_here = false;
  std::vector<Item>& items = contents_[&box] =
      contents_of(box, subject_, detail_, is_below_fold, folds_here);
  for (const Item& item : items) {
    for (const Part* child : item.boxes) {
      add_contents(*child, is_below_fold || folds_here);
    }
  }
}

// Tiles of cores with equal numbers of hardware threads have equal sizes.
void Measure::measure_fields(const Part& part) {
  for (const Stretch& stretch : part.stretches) {
    const int names = width_of(stretch_text(stretch, subject_));
    const int each = rows_for(names - (stretch.processors - 1), stretch.processors);
    int& columns = field_columns_[threads_of(part)];
    columns = std::max({columns, each, 1});
  }
  for (const Part& child : part.parts) {
    measure_fields(child);
  }
}

int Measure::field_columns(const Part& core) const { return field_columns_.at(threads_of(core)); }

int Measure::tile_columns(const Part& core) const {
  const int threads = threads_of(core);
  const int columns = field_columns(core);
  return threads == 1 ? columns : threads * (columns + 1) + 1;
}

std::optional<Size> Measure::box(const Part& part, int columns) {
  const int frame = has_frame(part) ? kFrameColumns : 0;
  const int title = title_columns(part);
  if (columns - frame < 1 || title > columns) {
    return std::nullopt;
  }
  Size size{0, frame > 0 ? kFrameRows : 0};
  for (const Item& one : contents_.at(&part)) {
    const auto& arranged = this->item(one, columns - frame);
    if (!arranged) {
      return std::nullopt;
    }
    size.columns = std::max(size.columns, arranged->size.columns + frame);
    size.rows += arranged->size.rows;
  }
  size.columns = std::max(size.columns, title);
  return size;
}

// Titles are not cut, because a cut number would be wrong.
int Measure::title_columns(const Part& box) const {
  if (!has_frame(box)) {
    return 0;
  }
  return static_cast<int>(title_of(box, detail_.has_full_titles).size()) + kFrameColumns;
}

std::optional<Size> Measure::captioned(const Item& item, std::size_t i, int columns) {
  auto size = box(*item.boxes[i], columns);
  if (size && !item.captions[i].empty() && columns < kNarrowestText) {
    return std::nullopt;
  }
  if (size && !item.captions[i].empty()) {
    const std::vector<Line> lines = caption_lines(item.captions[i], columns);
    size->columns = std::max(size->columns, columns_of(lines));
    size->rows += static_cast<int>(lines.size());
  }
  return size;
}

const std::optional<Arranged>& Measure::item(const Item& item, int columns) {
  const auto key = std::pair(&item, columns);
  const auto known = arranged_.find(key);
  if (known != arranged_.end()) {
    return known->second;
  }
  std::optional<Arranged> arranged;
  if (!item.boxes.empty()) {
    arranged = boxes(item, columns);
  } else {
    if (!item.cores.empty()) {
      arranged = cores(item, columns);
    }
    const auto lines = wrap_lines(item.lines, columns);
    if (lines && (!arranged || lines->size.rows < arranged->size.rows)) {
      arranged = lines;
    }
  }
  return arranged_[key] = std::move(arranged);
}

std::optional<Arranged> Measure::cores(const Item& item, int columns) const {
  const int count = static_cast<int>(item.cores.size());
  const int tile = tile_columns(*item.cores[0]);
  const int gap = tile_gap(*item.cores[0]);
  const int most = (columns + gap) / (tile + gap);
  if (most < 1) {
    return std::nullopt;
  }
  const int per_row = cores_in_row(count, most);
  return Arranged{{per_row * (tile + gap) - gap, rows_for(count, per_row)}, per_row, {}, {}};
}

// Chooses the arrangement with the fewest rows of text. If several arrangements have the same
// number of rows, chooses the narrowest.
std::optional<Arranged> Measure::boxes(const Item& item, int columns) {
  const int count = static_cast<int>(item.boxes.size());
  const int most = std::min(count, (columns + kBoxGap) / (kNarrowestBox + kBoxGap));
  std::optional<Arranged> best;
  for (int per_row = 1; per_row <= std::max(most, 1); ++per_row) {
    const bool is_ragged = per_row > 1 && rows_for(count, per_row) == rows_for(count, per_row - 1);
    const auto arranged = is_ragged ? std::nullopt : grid(item, columns, per_row);
    if (arranged && (!best || std::pair(arranged->size.rows, arranged->size.columns) <
                                  std::pair(best->size.rows, best->size.columns))) {
      best = arranged;
    }
  }
  return best;
}

std::optional<Arranged> Measure::grid(const Item& item, int columns, int per_row) {
  const int count = static_cast<int>(item.boxes.size());
  const int cell_columns = cell_room(columns, per_row);
  Arranged arranged;
  arranged.per_row = per_row;
  for (int i = 0; i < count; ++i) {
    const auto size = captioned(item, i, cell_columns);
    if (!size) {
      return std::nullopt;
    }
    arranged.cell.columns = std::max(arranged.cell.columns, size->columns);
    arranged.cell.rows = std::max(i % per_row == 0 ? 0 : arranged.cell.rows, size->rows);
    const bool is_last_of_row = i % per_row == per_row - 1 || i == count - 1;
    arranged.size.rows += is_last_of_row ? arranged.cell.rows : 0;
  }
  arranged.size.columns = per_row * (arranged.cell.columns + kBoxGap) - kBoxGap;
  return arranged;
}

}  // namespace nestbind::show::picture
