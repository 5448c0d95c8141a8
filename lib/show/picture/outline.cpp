// SPDX-License-Identifier: BSD-3-Clause
#include "show/picture/outline.hpp"

#include <algorithm>

#include "show/picture/cells.hpp"
#include "show/picture/measure.hpp"

namespace nestbind::show::picture {

namespace {

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

}  // namespace

Scene outline(const Subject& subject) {
  Scene scene;
  scene.columns = subject.canvas.columns;
  place_box(subject.drawn.machine, subject, 0, scene);
  return scene;
}

}  // namespace nestbind::show::picture
