// SPDX-License-Identifier: BSD-3-Clause

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "show/picture/boxes.hpp"
#include "show/picture/scene.hpp"

namespace nestbind::show::picture {

namespace {

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

std::optional<Arranged> wrap_lines(const std::vector<Line>& lines, int columns) {
  if (lines.empty() || columns < std::min(kNarrowestText, width_of(lines))) {
    return std::nullopt;
  }
  Arranged arranged;
  for (const Line& line : lines) {
    for (Line& part : wrap(line, columns, kCaptionIndent)) {
      arranged.lines.push_back(std::move(part));
    }
  }
  arranged.size = {width_of(arranged.lines), static_cast<int>(arranged.lines.size())};
  return arranged;
}

int threads_of(const Part& core) { return core.end - core.begin; }

int tile_gap(const Part& core) { return threads_of(core) == 1 ? 2 : 1; }

std::vector<Line> caption_lines(const std::string& caption, int columns) {
  return wrap({{std::string(kCaptionIndent, ' ') + caption, -1}}, columns, 2 * kCaptionIndent);
}

int cell_room(int columns, int per_row) { return (columns - kBoxGap * (per_row - 1)) / per_row; }

// Measures the columns and rows of each box and its items. Boxes stand side by side in as few rows
// as their contents allow. A box's width depends on the arrangement of its contents, which depends
// on the available columns. So each box is measured for several numbers of columns.
//
// The subject must outlive this object.
class Measure {
 public:
  Measure(const Subject& subject, const Detail& detail) : subject_(subject), detail_(detail) {
    add_contents(machine(), false);
    measure_fields(machine());
  }

  const Part& machine() const { return subject_.drawn.machine; }
  const Subject& subject() const { return subject_; }
  const std::vector<Item>& items_of(const Part& box) const { return contents_.at(&box); }

  std::optional<Size> box(const Part& part, int columns) {
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

  std::optional<Size> captioned(const Item& item, std::size_t i, int columns) {
    auto size = box(*item.boxes[i], columns);
    if (size && !item.captions[i].empty() && columns < kNarrowestText) {
      return std::nullopt;
    }
    if (size && !item.captions[i].empty()) {
      const std::vector<Line> lines = caption_lines(item.captions[i], columns);
      size->columns = std::max(size->columns, width_of(lines));
      size->rows += static_cast<int>(lines.size());
    }
    return size;
  }

  const std::optional<Arranged>& item(const Item& item, int columns) {
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

  int field_columns(const Part& core) const { return field_columns_.at(threads_of(core)); }

  int tile_columns(const Part& core) const {
    const int threads = threads_of(core);
    const int columns = field_columns(core);
    return threads == 1 ? columns : threads * (columns + 1) + 1;
  }

 private:
  void add_contents(const Part& box, bool is_below_fold) {
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
  void measure_fields(const Part& part) {
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

  // Titles are not cut, because a cut number would be wrong.
  int title_columns(const Part& box) const {
    if (!has_frame(box)) {
      return 0;
    }
    return static_cast<int>(title_of(box, detail_.has_full_titles).size()) + kFrameColumns;
  }

  std::optional<Arranged> cores(const Item& item, int columns) const {
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
  std::optional<Arranged> boxes(const Item& item, int columns) {
    const int count = static_cast<int>(item.boxes.size());
    const int most = std::min(count, (columns + kBoxGap) / (kNarrowestBox + kBoxGap));
    std::optional<Arranged> best;
    for (int per_row = 1; per_row <= std::max(most, 1); ++per_row) {
      const bool is_ragged =
          per_row > 1 && rows_for(count, per_row) == rows_for(count, per_row - 1);
      const auto arranged = is_ragged ? std::nullopt : grid(item, columns, per_row);
      if (arranged && (!best || std::pair(arranged->size.rows, arranged->size.columns) <
                                    std::pair(best->size.rows, best->size.columns))) {
        best = arranged;
      }
    }
    return best;
  }

  std::optional<Arranged> grid(const Item& item, int columns, int per_row) {
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

  const Subject& subject_;
  Detail detail_;
  std::map<const Part*, std::vector<Item>> contents_;
  std::map<int, int> field_columns_;  // by the number of a core's hardware threads
  std::map<std::pair<const Item*, int>, std::optional<Arranged>> arranged_;
};

class Placing {
 public:
  explicit Placing(Measure& measure) : measure_(measure) {}

  Scene all(const Size& size) {
    scene_.columns = size.columns;
    scene_.rows = size.rows;
    const Part& machine = measure_.machine();
    const Feet feet = feet_of({&machine}, size.columns, 0);
    place_box(machine, {0, 0, 0, feet}, measure_.subject().canvas.columns, size);
    return std::move(scene_);
  }

 private:
  // How the last line of a box shows its processors. Neighbours use the same form.
  enum class Feet { kNone, kLists, kWords };

  struct Corner {
    int x, y;
    int depth;
    Feet feet;
  };

  // columns: the width for which the box was measured.
  void place_box(const Part& box, Corner corner, int columns, const Size& size) {
    int inner = columns;
    if (has_frame(box)) {
      place_frame(box, corner, size);
      inner -= kFrameColumns;
      corner = {corner.x + kFrameColumns / 2, corner.y + kFrameRows / 2, corner.depth + 1,
                Feet::kNone};
    }
    for (const Item& item : measure_.items_of(box)) {
      const Arranged arranged = measure_.item(item, inner).value_or(Arranged{});
      if (!arranged.lines.empty()) {
        int y = corner.y;
        for (const Line& line : arranged.lines) {
          scene_.texts.push_back({corner.x, y++, line});
        }
      } else if (!item.cores.empty()) {
        place_cores(item, corner, arranged.per_row);
      } else {
        place_boxes(item, corner, inner, arranged);
      }
      corner.y += arranged.size.rows;
    }
  }

  void place_frame(const Part& box, const Corner& corner, const Size& size) {
    const auto room = static_cast<std::size_t>(size.columns - kFrameColumns);
    const auto fitting = [&](const std::string& wanted, const std::string& shorter) {
      return wanted.size() <= room ? wanted : shorter;
    };
    scene_.frames.push_back({corner.x, corner.y, size.columns, size.rows, corner.depth,
                             fitting(title_of(box, true), title_of(box, false)),
                             foot_of(box, corner.feet)});
  }

  std::string foot_of(const Part& box, Feet feet) const {
    const std::string list = processors_of(box, measure_.subject().drawn);
    const std::string word = threads_of(box) == 1 ? "processor " : "processors ";
    return feet == Feet::kNone ? "" : feet == Feet::kLists ? list : word + list;
  }

  // Only outermost boxes have "processors".
  Feet feet_of(const std::vector<const Part*>& boxes, int columns, int depth) const {
    for (const Feet feet : {Feet::kWords, Feet::kLists}) {
      const auto fits = [&](const Part* box) {
        return static_cast<int>(foot_of(*box, feet).size()) + kFrameColumns <= columns;
      };
      if ((depth == 0 || feet == Feet::kLists) && std::ranges::all_of(boxes, fits)) {
        return feet;
      }
    }
    return Feet::kNone;
  }

  void place_cores(const Item& item, const Corner& corner, int per_row) {
    int number = 0;
    for (const Part* core : item.cores) {
      const int columns = measure_.tile_columns(*core);
      place_core(*core, corner.x + number % per_row * (columns + tile_gap(*core)),
                 corner.y + number / per_row);
      ++number;
    }
  }

  void place_core(const Part& core, int x, int y) {
    const int threads = threads_of(core);
    const int columns = measure_.field_columns(core);
    const std::vector<int>& speed = measure_.subject().drawn.speed;
    const bool is_slow = !speed.empty() && speed[core.begin] < std::ranges::max(speed);
    Tile tile{x, y, measure_.tile_columns(core), threads > 1, is_slow, {}};
    int at = threads > 1 ? x + 1 : x;
    for (const Stretch& stretch : core.stretches) {
      Field field{at, stretch.processors * (columns + 1) - 1,
                  stretch_text(stretch, measure_.subject()), !stretch.occupants.empty(), -1};
      const auto of_other_team = [&](int number) {
        const std::vector<int>& path = measure_.subject().occupants[number].path;
        return path.empty() ||
               path[0] != measure_.subject().occupants[stretch.occupants[0]].path[0];
      };
      if (field.is_taken && std::ranges::none_of(stretch.occupants, of_other_team)) {
        field.team = measure_.subject().occupants[stretch.occupants[0]].path[0];
      }
      at += field.columns + 1;
      tile.fields.push_back(std::move(field));
    }
    scene_.tiles.push_back(std::move(tile));
  }

  void place_boxes(const Item& item, const Corner& corner, int columns, const Arranged& arranged) {
    const int room = cell_room(columns, arranged.per_row);
    const int count = static_cast<int>(item.boxes.size());
    const Size alone = measure_.box(*item.boxes[0], room).value_or(Size{});
    const int box_columns = count == 1 ? alone.columns : arranged.cell.columns;
    const Feet feet = feet_of(item.boxes, box_columns, corner.depth);
    int y = corner.y;
    for (int first = 0; first < count; first += arranged.per_row) {
      const int end = std::min(first + arranged.per_row, count);
      int rows = 0;
      for (int i = first; i < end; ++i) {
        rows = std::max(rows, measure_.captioned(item, i, room).value_or(Size{}).rows);
      }
      for (int i = first; i < end; ++i) {
        const int x = corner.x + (i - first) * (arranged.cell.columns + kBoxGap);
        place_captioned(item, i, {x, y, corner.depth, feet}, room, {box_columns, rows});
      }
      y += rows;
    }
  }

  void place_captioned(const Item& item, std::size_t i, const Corner& corner, int columns,
                       const Size& room) {
    std::vector<Line> caption;
    if (!item.captions[i].empty()) {
      caption = caption_lines(item.captions[i], columns);
    }
    const int rows = room.rows - static_cast<int>(caption.size());
    place_box(*item.boxes[i], corner, columns, {room.columns, rows});
    int y = corner.y + rows;
    for (const Line& line : caption) {
      scene_.texts.push_back({corner.x, y++, line});
    }
  }

  Measure& measure_;
  Scene scene_;
};

void place_box(const Part& box, const Subject& subject, int indent, Scene& scene) {
  const auto put = [&](const Line& line, int at) {
    const int room = std::max(subject.canvas.columns - at, 1);
    for (const Line& part : wrap(line, room, std::min(kCaptionIndent, room - 1))) {
      scene.texts.push_back({at, scene.rows++, part});
    }
  };
  if (has_frame(box)) {
    put({{title_of(box, true), -1}}, indent++);
  }
  bool folds_here = false;
  for (const Item& item : contents_of(box, subject, {true, 2, true}, false, folds_here)) {
    for (const Line& line : item.lines) {
      put(line, indent);
    }
    for (std::size_t i = 0; i < item.boxes.size(); ++i) {
      place_box(*item.boxes[i], subject, indent, scene);
      if (!item.captions[i].empty()) {
        put({{item.captions[i], -1}}, indent);
      }
    }
  }
}

Scene outline(const Subject& subject) {
  Scene scene;
  scene.columns = subject.canvas.columns;
  place_box(subject.drawn.machine, subject, 0, scene);
  return scene;
}

}  // namespace

Scene arrange(const Subject& subject) {
  std::vector<Detail> details;
  for (const auto& [folds, lists_cores] :
       {std::pair(0, false), {1, false}, {2, false}, {2, true}}) {
    details.push_back({true, folds, lists_cores});
    details.push_back({false, folds, lists_cores});
  }
  std::optional<Size> best;
  Scene scene;
  for (const Detail& detail : details) {
    Measure measure(subject, detail);
    const auto size = measure.box(measure.machine(), subject.canvas.columns);
    if (size && (!best || size->rows < best->rows)) {
      best = size;
      scene = Placing(measure).all(*size);
    }
    if (best && best->rows <= subject.canvas.rows) {
      return scene;
    }
  }
  return best ? scene : outline(subject);
}

}  // namespace nestbind::show::picture
