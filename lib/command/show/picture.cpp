// SPDX-License-Identifier: BSD-3-Clause
// Writes a scene as lines of text.
#include "show/picture.hpp"

#include <algorithm>
#include <utility>

#include "show/picture/boxes.hpp"
#include "show/picture/scene.hpp"

namespace nestbind::show {

namespace {

using picture::Cell;
using picture::Scene;

class Painter {
 public:
  Painter(const Scene& scene, const Canvas& canvas)
      : scene_(scene),
        signs_(picture::signs_of(canvas)),
        rows_(scene.rows, std::vector<Cell>(scene.columns)) {}

  std::vector<Line> paint() {
    for (const picture::Frame& frame : scene_.frames) {
      put_frame(frame);
    }
    for (const picture::Tile& tile : scene_.tiles) {
      put_tile(tile);
    }
    for (const picture::Text& text : scene_.texts) {
      put(text.x, text.y, text.line);
    }
    std::vector<Line> lines;
    lines.reserve(rows_.size());
    for (const std::vector<Cell>& row : rows_) {
      lines.push_back(picture::line_of(row));
    }
    return lines;
  }

 private:
  void put(int x, int y, const Line& line) {
    for (Cell& cell : picture::cells_of(line)) {
      rows_[y][x++] = std::move(cell);
    }
  }

  void put(int x, int y, const std::string& text) { put(x, y, Line{{text, -1}}); }

  void put_frame(const picture::Frame& frame) {
    const int right = frame.x + frame.columns - 1;
    const int bottom = frame.y + frame.rows - 1;
    for (int x = frame.x; x <= right; ++x) {
      put(x, frame.y, signs_.across);
      put(x, bottom, signs_.across);
    }
    for (int y = frame.y; y <= bottom; ++y) {
      put(frame.x, y, signs_.down);
      put(right, y, signs_.down);
    }
    put(frame.x, frame.y, signs_.corners[0]);
    put(right, frame.y, signs_.corners[1]);
    put(frame.x, bottom, signs_.corners[2]);
    put(right, bottom, signs_.corners[3]);
    if (!frame.title.empty()) {
      put(frame.x + 1, frame.y, " " + frame.title + " ");
    }
    if (!frame.foot.empty()) {
      put(right - 2 - static_cast<int>(frame.foot.size()), bottom, " " + frame.foot + " ");
    }
  }

  void put_tile(const picture::Tile& tile) {
    const char* before = tile.is_slow ? "(" : "[";
    for (const picture::Field& field : tile.fields) {
      if (tile.has_brackets) {
        put(field.x - 1, tile.y, std::exchange(before, "|"));
      }
      put(field.x, tile.y, Line{{std::string(field.columns, ' '), field.team}});
      // Names are left-aligned, except text over several hardware threads, which is centred.
      const int rest = field.columns - width_of(field.names);
      const bool is_in_middle = tile.has_brackets || !field.is_taken;
      put(field.x + (is_in_middle ? rest / 2 : 0), tile.y, field.names);
    }
    if (tile.has_brackets) {
      put(tile.x + tile.columns - 1, tile.y, tile.is_slow ? ")" : "]");
    } else if (tile.is_slow && tile.x > 0 && tile.x + tile.columns < scene_.columns) {
      put(tile.x - 1, tile.y, "(");
      put(tile.x + tile.columns, tile.y, ")");
    }
  }

  const Scene& scene_;
  const picture::Signs& signs_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace

Picture draw(const machine::Hardware& hardware, const std::optional<std::vector<int>>& allowed,
             const std::vector<Occupant>& occupants, const Canvas& canvas) {
  Canvas bounded = canvas;
  bounded.columns = std::max(canvas.columns, kFewestColumns);
  picture::Drawing drawing =
      picture::drawing_of(hardware, allowed, occupants, bounded, {"[ ]", "( )"});
  return {Painter(drawing.scene, bounded).paint(), std::move(drawing.legend)};
}

}  // namespace nestbind::show
