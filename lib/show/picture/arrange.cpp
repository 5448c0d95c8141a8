// SPDX-License-Identifier: BSD-3-Clause
#include "show/picture/arrange.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "show/picture/measure.hpp"
#include "show/picture/outline.hpp"
#include "show/picture/place.hpp"

namespace nestbind::show::picture {

Scene arrange(const Subject& subject) {
  // What is given up, in this order; the next thing to fold only if that is not enough.
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
