// SPDX-License-Identifier: BSD-3-Clause
// The columns and rows of everything in a picture. A terminal and a graphic use the same scene.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "show/picture.hpp"
#include "show/picture/contents.hpp"

namespace nestbind::show::picture {

// The title and the foot are in the first and last lines of the box.
struct Frame {
  int x = 0;
  int y = 0;
  int columns = 0;
  int rows = 0;
  int depth = 0;  // number of frames around it
  std::string title;
  std::string foot;
};

// Adjacent hardware threads of a core with the same text.
struct Field {
  int x = 0;
  int columns = 0;
  Line names;
  bool is_taken = false;
  int team = -1;
};

// A core with several hardware threads has brackets, and lines between its fields. A core that is
// not of the fastest kind has parentheses in the gaps beside it.
struct Tile {
  int x = 0;
  int y = 0;
  int columns = 0;
  bool has_brackets = false;
  bool is_slow = false;
  std::vector<Field> fields;
};

struct Text {
  int x = 0;
  int y = 0;
  Line line;
};

struct Scene {
  int columns = 0;
  int rows = 0;
  std::vector<Frame> frames;  // outer ones first
  std::vector<Tile> tiles;
  std::vector<Text> texts;
};

struct Drawing {
  Scene scene;
  std::vector<Line> legend;
};

// How a core with several hardware threads looks, and a core that is not of the fastest kind.
struct Looks {
  std::string several;
  std::string slow;
};

// Draws a picture that is never wider than the canvas.
Drawing drawing_of(const machine::Hardware& hardware,
                   const std::optional<std::vector<int>>& allowed,
                   const std::vector<Occupant>& occupants, const Canvas& canvas,
                   const Looks& looks);

Scene arrange(const Subject& subject);

}  // namespace nestbind::show::picture
