// SPDX-License-Identifier: BSD-3-Clause

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "show/picture/boxes.hpp"
#include "show/picture/picture_size.hpp"
#include "show/picture/scene.hpp"

namespace nestbind::show::picture {

namespace {

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
    Tile tile{x, y, measure_.tile_columns(core), threads > 1, {}};
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

Scene place(Measure& measure, const Size& size) { return Placing(measure).all(size); }

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
      scene = place(measure, *size);
    }
    if (best && best->rows <= subject.canvas.rows) {
      return scene;
    }
  }
  return best ? scene : outline(subject);
}

}  // namespace nestbind::show::picture
